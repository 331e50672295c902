# Run with cmake -P: does eagle-conformance find the fault of a library, and name the row that is about it?
#   -DPROGRAM=<eagle-conformance>  -DROWS=<rows to run>  -DROW=<one of them, which must fail>  -DLIBRARY=<the faulty build>
cmake_minimum_required(VERSION 3.25)
execute_process(COMMAND "${PROGRAM}" --rows "${ROWS}" "${LIBRARY}" OUTPUT_VARIABLE out ERROR_VARIABLE err RESULT_VARIABLE status)
string(REGEX MATCHALL "not ok [0-9]+ - [a-z0-9-]+" failed "${out}")
list(TRANSFORM failed REPLACE "not ok [0-9]+ - " "")
if(NOT status EQUAL 1 OR NOT ROW IN_LIST failed)
  message(FATAL_ERROR "eagle-conformance does not find the fault of\n  ${LIBRARY}\nIt ended with '${status}', needs exit 1 and "
                      "the row ${ROW} among the failed ones, which are: ${failed}\n${out}${err}")
endif()
list(JOIN failed ", " text)
message(STATUS "failed: ${text}")
