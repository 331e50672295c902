# Run with cmake -P: do random programs see the fault of a library? They must end with exit 1 and tell the seed, the program
# and its smallest part that fails.
#   -DPROGRAM=<eagle-conformance>  -DLIBRARY=<the faulty build>
cmake_minimum_required(VERSION 3.25)
execute_process(COMMAND "${PROGRAM}" --random 2000 --seed 1 "${LIBRARY}" OUTPUT_VARIABLE out ERROR_VARIABLE err
  RESULT_VARIABLE status TIMEOUT 110)
foreach(words IN ITEMS "not ok 1 - random programs: the program of seed [0-9]+ \\(again: --random 1 --seed [0-9]+\\)"
        "# what it does: [^\n]+\n#   [0-9]+ planes p0" "# the smallest part that fails: [^\n]+\n#   [0-9]+ planes p0")
  if(NOT out MATCHES "${words}")
    set(status "${status}, without '${words}'")
  endif()
endforeach()
if(NOT status STREQUAL "1")
  message(FATAL_ERROR "random programs do not see the fault of\n  ${LIBRARY}\nThey ended with ${status}; needed 1. Output:\n${out}${err}")
endif()
message(STATUS "${out}")
