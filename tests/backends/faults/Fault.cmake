# Builds of libeagle_cpu with one deliberate fault each. The sources of the product know nothing of it: the one file that
# holds the fault is written anew from the product's own text, compiled, and linked with the objects of the good build.

# fault_text(<out> <trouble> <file> <find> <replace>): the file's text with one place changed. The place must be there
# exactly once, so that a change of the product's source asks for a look at its fault: otherwise <trouble> says so.
function(fault_text out trouble file find replace)
  set(text "")
  if(EXISTS "${file}")
    file(READ "${file}" text)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
  endif()
  string(FIND "${text}" "${find}" first)
  string(FIND "${text}" "${find}" last REVERSE)
  set(${trouble} "" PARENT_SCOPE)
  if(first EQUAL -1 OR NOT first EQUAL last)
    set(${trouble} "${file} must hold this text exactly once:\n${find}\n" PARENT_SCOPE)
  endif()
  string(REPLACE "${find}" "${replace}" text "${text}")
  set(${out} "#line 1 \"${file}\"\n${text}" PARENT_SCOPE)
endfunction()

# fault_lost(<name> <trouble>): the CTest of a fault that has no place any more. It fails; the build goes on.
function(fault_lost name trouble)
  file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/${name}/Lost.cmake" "message(FATAL_ERROR [==[fault ${name}: ${trouble}"
    "Give the fault in tests/backends/faults/CMakeLists.txt the text that does this now.]==])\n")
  add_test(NAME faults.${name} COMMAND "${CMAKE_COMMAND}" -P "${CMAKE_CURRENT_BINARY_DIR}/${name}/Lost.cmake")
  set_tests_properties(faults.${name} PROPERTIES LABELS faults)
endfunction()

# eagle_fault(<name>
#   FILE <source, from the host engine> FIND <its text> [REPLACE <the fault>]   without one the text is left out
#   TEST <program>:<gtest name>         a test of the good build that must fail on this one
#   ROW <name>)                         a row of eagle-conformance that must fail on this one
#
# Makes the library fault_<name> (faults/<name>/libeagle_cpu.so) and the CTests faults.<name> and faults.<name>.conformance.
function(eagle_fault name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "FILE;FIND;REPLACE;TEST;ROW" "")
  set(engine "${PROJECT_SOURCE_DIR}/backends/common/host")
  cmake_path(SET source NORMALIZE "${engine}/${arg_FILE}")
  fault_text(text trouble "${source}" "${arg_FIND}" "${arg_REPLACE}")
  if(trouble)
    fault_lost(${name} "${trouble}")
    return()
  endif()
  cmake_path(GET source FILENAME file)
  cmake_path(GET source PARENT_PATH folder)
  set(faulty "${CMAKE_CURRENT_BINARY_DIR}/${name}/${file}")
  set(before "")
  if(EXISTS "${faulty}")
    file(READ "${faulty}" before)
  endif()
  if(NOT text STREQUAL before)
    file(WRITE "${faulty}" "${text}")
  endif()

  # A file with entries takes the place of its object; one of the engine is found before the archive's member.
  set(entries "$<TARGET_OBJECTS:eagle_host_entries>")
  if(arg_FILE MATCHES "entries/")
    string(REPLACE "." "[.]" pattern "${file}")
    set(entries "$<FILTER:${entries},EXCLUDE,/${pattern}[.]o$>")
  endif()
  set(target fault_${name})
  add_library(${target} MODULE "${faulty}" $<TARGET_OBJECTS:eagle_cpu_kind> "${entries}")
  eagle_target_defaults(${target})
  # What the fault leaves unused is no news.
  target_compile_options(${target} PRIVATE -Wno-unused-parameter -Wno-unused-function -Wno-unused-variable)
  target_compile_definitions(${target} PRIVATE "EAGLE_RELEASE=\"${PROJECT_VERSION}\"")
  target_include_directories(${target} PRIVATE "${folder}" "${engine}/entries")
  target_link_libraries(${target} PRIVATE eagle_host_engine eagle::seam)
  set(script "${PROJECT_BINARY_DIR}/backends/cpu/eagle_backend.map")
  target_link_options(${target} PRIVATE "LINKER:--version-script=${script}" "LINKER:-z,nodelete")
  set_target_properties(${target} PROPERTIES PREFIX lib OUTPUT_NAME eagle_cpu
    LIBRARY_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/${name}")

  string(REPLACE ":" ";" test "${arg_TEST}")
  list(GET test 0 program)
  list(GET test 1 filter)
  add_test(NAME faults.${name} COMMAND "${CMAKE_COMMAND}" "-DPROGRAM=$<TARGET_FILE:${program}>" "-DTEST=${filter}"
    "-DLIBRARY=$<TARGET_FILE:${target}>" -P "${CMAKE_CURRENT_SOURCE_DIR}/Caught.cmake")
  set_tests_properties(faults.${name} PROPERTIES LABELS faults TIMEOUT 60 ENVIRONMENT "EAGLE_CPU_THREADS=4")

  # Of the rows about the same subject.
  string(REGEX MATCH "^[a-z]+" subject "${arg_ROW}")
  add_test(NAME faults.${name}.conformance COMMAND "${CMAKE_COMMAND}" "-DPROGRAM=$<TARGET_FILE:eagle_conformance_program>"
    "-DROWS=${subject}-*" "-DROW=${arg_ROW}" "-DLIBRARY=$<TARGET_FILE:${target}>" -P "${CMAKE_CURRENT_SOURCE_DIR}/Judged.cmake")
  set_tests_properties(faults.${name}.conformance PROPERTIES LABELS faults TIMEOUT 300 ENVIRONMENT "EAGLE_CPU_THREADS=4")
endfunction()
