# Run with cmake -P: a symbol that is added to the seam stops the build of a kind that does not follow, naming both.
#   -DLIBRARY= -DNM= -DSEAM=<folder of symbols.def> -DCHECK=<EagleBackendExports.cmake> -DWITHOUT= -DWORK=<folder>
cmake_minimum_required(VERSION 3.25)
function(check list out)
  execute_process(COMMAND "${CMAKE_COMMAND}" "-DBACKEND_FILE=${LIBRARY}" "-DBACKEND_NM=${NM}" "-DSEAM_LIST=${list}"
    -DALLOW_EXPERIMENTAL=0 -DWHOLE=1 "-DWITHOUT=${WITHOUT}" -P "${CHECK}" RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
  string(REGEX REPLACE "[ \n]+" " " said "${said}")
  set(${out} "${status}: ${said}" PARENT_SCOPE)
endfunction()

check("${SEAM}/symbols.def" as_it_is)
if(NOT as_it_is MATCHES "^0: ")
  message(FATAL_ERROR "with the list as it is: ${as_it_is}")
endif()
file(READ "${SEAM}/symbols.def" list)
string(REPLACE "#undef EAGLE_SYMBOL" "EAGLE_SYMBOL(stream, stream_twice, 8, 1)\n#undef EAGLE_SYMBOL" list "${list}")
file(WRITE "${WORK}/symbols.def" "${list}")
check("${WORK}/symbols.def" changed)
cmake_path(GET LIBRARY FILENAME file)
if(NOT changed MATCHES "^1: .*${file} breaks the seam .EBP-9.:.*eagle_backend_stream_twice is in symbols.def and missing: write it")
  message(FATAL_ERROR "with eagle_backend_stream_twice added to the list: ${changed}")
endif()
