# Compiles one case of SOURCE and looks whether it must, and at what the compiler says.
execute_process(COMMAND "${CXX}" -std=c++20 -fsyntax-only "-DCASE=${CASE}" ${DEFINITIONS} ${INCLUDES} "${SOURCE}"
                RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
if(WORDS STREQUAL "")
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "case ${CASE} must compile and did not:\n${text}")
  endif()
elseif(status EQUAL 0)
  message(FATAL_ERROR "case ${CASE} must not compile and did")
elseif(NOT text MATCHES "${WORDS}")
  message(FATAL_ERROR "case ${CASE}: the compiler does not say '${WORDS}':\n${text}")
endif()
