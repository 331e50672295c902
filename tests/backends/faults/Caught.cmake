# Run with cmake -P: does a test see the fault of a library? It must fail there by its own words: neither pass nor crash.
#   -DPROGRAM=<a gtest program of libeagle_cpu>  -DTEST=<one test of it>  -DLIBRARY=<the faulty build>
cmake_minimum_required(VERSION 3.25)
set(ENV{EAGLE_CPU_BACKEND_UNDER_TEST} "${LIBRARY}")
execute_process(COMMAND "${PROGRAM}" "--gtest_filter=${TEST}" OUTPUT_VARIABLE out ERROR_VARIABLE err RESULT_VARIABLE status
  TIMEOUT 50)
string(FIND "${out}" "[  FAILED  ] ${TEST}" failed)
if(NOT status EQUAL 1 OR failed EQUAL -1)
  message(FATAL_ERROR "${TEST} of ${PROGRAM} does not see the fault of\n  ${LIBRARY}\n"
                      "It ended with '${status}', needs exit 1 and its own failed expectation. It said:\n${out}${err}")
endif()
string(REGEX MATCHALL "[^\n]*: Failure\n" failures "${out}")
list(LENGTH failures count)
message(STATUS "${TEST} sees the fault: ${count} failed expectations")
