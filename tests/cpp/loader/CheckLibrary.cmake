# Run with cmake -P: does a shared library give out only what it may, and need only what it may?
#   -DLIBRARY=  -DNM=  -DREADELF=
#   -DEXPORTS=<regular expression that each exported name matches>
#   -DPROGRAM=<1 for a program, which may export nothing>
#   -DNEEDED=<regular expression that each needed library matches>
cmake_minimum_required(VERSION 3.25)

execute_process(COMMAND "${NM}" -D --defined-only "${LIBRARY}" OUTPUT_VARIABLE names COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${READELF}" -d "${LIBRARY}" OUTPUT_VARIABLE dynamic COMMAND_ERROR_IS_FATAL ANY)

set(problems "")
set(seen 0)
string(REPLACE "\n" ";" lines "${names}")
foreach(line IN LISTS lines)
  # "<address> A <node>" is a version node itself.
  if(line MATCHES " ([A-Za-z]) ([^ @]+)(@[^ ]*)?$" AND NOT CMAKE_MATCH_1 STREQUAL "A")
    math(EXPR seen "${seen} + 1")
    set(name "${CMAKE_MATCH_2}")
    if(NOT name MATCHES "${EXPORTS}")
      string(APPEND problems "  exports ${name}, needs names that match ${EXPORTS}\n")
    endif()
  endif()
endforeach()
if(seen EQUAL 0 AND NOT PROGRAM)
  string(APPEND problems "  exports nothing at all\n")
endif()

# A list does not split at a semicolon inside square brackets.
string(REPLACE "[" "<" dynamic "${dynamic}")
string(REPLACE "]" ">" dynamic "${dynamic}")
string(REGEX MATCHALL "\\(NEEDED\\)[^\n]*<[^>\n]+>" entries "${dynamic}")
if(NOT entries)
  string(APPEND problems "  needs no library at all, not even the C library\n")
endif()
foreach(entry IN LISTS entries)
  string(REGEX REPLACE ".*<(.+)>" "\\1" needed "${entry}")
  if(NOT needed MATCHES "${NEEDED}")
    string(APPEND problems "  needs the library ${needed}; may need only what matches ${NEEDED}\n")
  endif()
endforeach()

if(problems)
  message(FATAL_ERROR "${LIBRARY}\n${problems}")
endif()
message(STATUS "${LIBRARY}: ${seen} names and its needed libraries are as they should be")
