# eagle_add_backend(<kind> SOURCES <file>... [LIBRARIES <target>...] [WHOLE [WITHOUT <group or symbol>...]])
#
# Makes the target eagle_<kind>, a module library libeagle_<kind> that exports what the seam lists and nothing else, and
# stays loaded (threads of it may outlive a dlclose). The link is followed by a check of its exports: with WHOLE it exports
# every symbol of the seam, but those of the groups and by the names that follow WITHOUT, so that a symbol that is added to
# the seam stops the build of a kind that does not follow. In eagle's own tree
# the backend is put where the loader looks in the build tree, and installed beside the others; elsewhere set
# EAGLE_BUILD_BACKENDDIR and EAGLE_INSTALL_BACKENDDIR for the same, or neither and place the file yourself.
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/EagleSeamNames.cmake")
set_property(GLOBAL PROPERTY EAGLE_SEAM_CMAKE_DIR "${CMAKE_CURRENT_LIST_DIR}")

# The folder eagle/seam with header and list: in eagle's tree beside this file, otherwise where the package's headers are.
function(_eagle_seam_folder out in_tree)
  get_property(dir GLOBAL PROPERTY EAGLE_SEAM_CMAKE_DIR)
  set(candidates "${dir}/../include")
  if(TARGET eagle::seam)
    get_target_property(dirs eagle::seam INTERFACE_INCLUDE_DIRECTORIES)
    list(APPEND candidates ${dirs})
  endif()
  foreach(candidate IN LISTS candidates)
    if(EXISTS "${candidate}/eagle/seam/symbols.def")
      cmake_path(ABSOLUTE_PATH candidate NORMALIZE)
      set(${out} "${candidate}/eagle/seam" PARENT_SCOPE)
      if(EXISTS "${dir}/EagleSeamCheck.cmake")
        set(${in_tree} TRUE PARENT_SCOPE)
      else()
        set(${in_tree} FALSE PARENT_SCOPE)
      endif()
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "eagle_add_backend: eagle/seam/symbols.def is in none of: ${candidates}; call find_package(eagle) first")
endfunction()

# eagle_seam_check_target(<name>): list, header and pin agree, or the build stops. Of eagle's own tree.
function(eagle_seam_check_target name)
  get_property(dir GLOBAL PROPERTY EAGLE_SEAM_CMAKE_DIR)
  _eagle_seam_folder(seam in_tree)
  set(EAGLE_SEAM_PIN "${PROJECT_SOURCE_DIR}/tests/python/expected_backend_symbols.txt" CACHE INTERNAL "")
  set(stamp "${CMAKE_CURRENT_BINARY_DIR}/${name}.stamp")
  add_custom_command(OUTPUT "${stamp}"
    COMMAND "${CMAKE_COMMAND}" "-DSEAM_LIST=${seam}/symbols.def" "-DSEAM_HEADER=${seam}/eagle_backend.h"
            "-DSEAM_PIN=${EAGLE_SEAM_PIN}" "-DSEAM_STAMP=${stamp}" -P "${dir}/EagleSeamCheck.cmake"
    DEPENDS "${seam}/symbols.def" "${seam}/eagle_backend.h" "${seam}/eagle_backend_sdk.h" "${EAGLE_SEAM_PIN}" "${dir}/EagleSeamCheck.cmake"
            "${dir}/EagleSeamNames.cmake"
    COMMENT "Checking the seam: list, header and pin" VERBATIM)
  add_custom_target(${name} ALL DEPENDS "${stamp}")
endfunction()

# The prefix as a pattern and not the names one by one: a name outside the list must stay visible for the check to find it.
function(_eagle_version_script seam out)
  file(STRINGS "${seam}/eagle_backend.h" line REGEX "^#define EAGLE_BACKEND_VERSION_MAJOR ")
  string(REGEX REPLACE ".* ([0-9]+).*" "\\1" major "${line}")
  set(script "${CMAKE_CURRENT_BINARY_DIR}/eagle_backend.map")
  file(CONFIGURE OUTPUT "${script}" CONTENT "EAGLE_BACKEND_${major} {\n  global: eagle_backend_*;\n  local: *;\n};\n" @ONLY)
  set(${out} "${script}" PARENT_SCOPE)
endfunction()

function(eagle_add_backend kind)
  cmake_parse_arguments(PARSE_ARGV 1 arg "WHOLE" "" "SOURCES;LIBRARIES;WITHOUT")
  if(NOT kind MATCHES "^[a-z][a-z0-9_]*$")
    message(FATAL_ERROR "eagle_add_backend: '${kind}' is no kind; a kind matches [a-z][a-z0-9_]*")
  endif()
  if(NOT arg_SOURCES OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "eagle_add_backend(${kind}): needs SOURCES, and knows only SOURCES, LIBRARIES, WHOLE and WITHOUT; "
                        "found '${arg_UNPARSED_ARGUMENTS}'")
  endif()
  get_property(dir GLOBAL PROPERTY EAGLE_SEAM_CMAKE_DIR)
  _eagle_seam_folder(seam in_tree)
  _eagle_version_script("${seam}" script)

  set(target eagle_${kind})
  add_library(${target} MODULE ${arg_SOURCES})
  target_link_libraries(${target} PRIVATE eagle::seam ${arg_LIBRARIES})
  target_link_options(${target} PRIVATE "LINKER:--version-script=${script}" "LINKER:-z,nodelete")
  set_target_properties(${target} PROPERTIES
    PREFIX "lib" C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    POSITION_INDEPENDENT_CODE ON)
  if(EAGLE_BUILD_BACKENDDIR)
    set_target_properties(${target} PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${EAGLE_BUILD_BACKENDDIR}")
  endif()
  if(EAGLE_INSTALL_BACKENDDIR)
    install(TARGETS ${target} LIBRARY DESTINATION "${EAGLE_INSTALL_BACKENDDIR}" COMPONENT runtime)
  endif()

  list(JOIN arg_WITHOUT "," without)
  set(experimental 1)
  if(in_tree)
    set(experimental 0)
  endif()
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS
    "${script}" "${seam}/symbols.def" "${dir}/EagleBackendExports.cmake" "${dir}/EagleSeamNames.cmake")
  add_custom_command(TARGET ${target} POST_BUILD
    COMMAND "${CMAKE_COMMAND}" "-DBACKEND_FILE=$<TARGET_FILE:${target}>" "-DBACKEND_NM=${CMAKE_NM}"
            "-DSEAM_LIST=${seam}/symbols.def" "-DALLOW_EXPERIMENTAL=${experimental}"
            "-DWHOLE=${arg_WHOLE}" "-DWITHOUT=${without}" -P "${dir}/EagleBackendExports.cmake"
    COMMENT "Checking what libeagle_${kind} exports" VERBATIM)
endfunction()
