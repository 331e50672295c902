# What makes a first build quick, and nothing that a source may rely on: each includes what it uses, which builds without
# EAGLE_PCH show.
#
# eagle_pch(<target> <group>): the target's sources see the precompiled headers of a group. A precompiled header fits sources
# of the same options alone, so that there is a group for each set of them, made when its first target asks:
#   product   the project's flags
#   small     with -Os
#   threaded  with -pthread
#   tests     EAGLE_TEST_OPTIONS, with googletest
# nlohmann/json.hpp is left out: GCC takes longer to take it from a precompiled header, in every source, than most spend on it.
#
# eagle_test_program(<target>): options and precompiled headers of test code.
# eagle_test_programs(<folder>): the same for each program with googletest's main in that folder of the build and below.
# Programs that compile product code carry the target property EAGLE_PRODUCT_OPTIONS and keep the project's flags.
include_guard(GLOBAL)
option(EAGLE_PCH "Precompile the headers of the standard library and of googletest (GCC; ccache then needs sloppiness)" OFF)
set(EAGLE_TEST_OPTIONS "" CACHE STRING "Options that the test programs are compiled with, after the build type's; a semicolon list")

set(EAGLE_PCH_HEADERS
  <algorithm> <array> <atomic> <chrono> <cmath> <condition_variable> <cstdint> <cstdlib> <cstring> <deque> <exception> <filesystem>
  <fstream> <functional> <limits> <map> <memory> <mutex> <numeric> <optional> <random> <set> <span> <sstream> <stdexcept> <string>
  <string_view> <thread> <unordered_map> <utility> <variant> <vector> CACHE INTERNAL "")

# Its one source is empty; what it is there for are its options.
function(_eagle_pch_holder group)
  set(empty "${PROJECT_BINARY_DIR}/CMakeFiles/eagle_pch.cpp")
  if(NOT EXISTS "${empty}")
    file(WRITE "${empty}" "")
  endif()
  set(holder eagle_pch_${group})
  add_library(${holder} OBJECT "${empty}")
  eagle_target_defaults(${holder})
  target_precompile_headers(${holder} PRIVATE ${EAGLE_PCH_HEADERS})
  if(group STREQUAL "small")
    target_compile_options(${holder} PRIVATE -Os)
  elseif(group STREQUAL "threaded")
    target_compile_options(${holder} PRIVATE -pthread)
  elseif(group STREQUAL "tests")
    _eagle_test_options(${holder})
    target_precompile_headers(${holder} PRIVATE <gtest/gtest.h>)
    target_link_libraries(${holder} PRIVATE GTest::gtest)
  elseif(NOT group STREQUAL "product")
    message(FATAL_ERROR "eagle_pch: there is no group '${group}'; it must be product, small, threaded or tests")
  endif()
endfunction()

function(eagle_pch target group)
  if(NOT EAGLE_PCH OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    return()
  endif()
  if(NOT TARGET eagle_pch_${group})
    _eagle_pch_holder(${group})
  endif()
  target_precompile_headers(${target} REUSE_FROM eagle_pch_${group})
endfunction()

# With EAGLE_PCH, programs and the libraries that they share are compiled alike: one precompiled header is for all.
function(_eagle_test_options target)
  target_compile_options(${target} PRIVATE ${EAGLE_TEST_OPTIONS})
  if(EAGLE_PCH)
    target_compile_options(${target} PRIVATE -fPIC -pthread)
  endif()
endfunction()

function(eagle_test_program target)
  _eagle_test_options(${target})
  eagle_pch(${target} tests)
endfunction()

function(eagle_test_programs folder)
  get_property(targets DIRECTORY "${folder}" PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    get_target_property(product ${target} EAGLE_PRODUCT_OPTIONS)
    if(type STREQUAL "EXECUTABLE" AND NOT product)
      get_target_property(libraries ${target} LINK_LIBRARIES)
      if("GTest::gtest_main" IN_LIST libraries)
        eagle_test_program(${target})
      endif()
    endif()
  endforeach()
  get_property(folders DIRECTORY "${folder}" PROPERTY SUBDIRECTORIES)
  foreach(below IN LISTS folders)
    eagle_test_programs("${below}")
  endforeach()
endfunction()
