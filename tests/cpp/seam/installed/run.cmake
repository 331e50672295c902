# Installs what BUILD has built to a folder of its own, and builds a backend against that alone: a good one, and one that
# exports too much.
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE "${WORK}")
file(COPY "${CMAKE_CURRENT_LIST_DIR}/CMakeLists.txt" "${CMAKE_CURRENT_LIST_DIR}/../broken/backend.c" DESTINATION "${WORK}/src")
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${WORK}/prefix with space"
                OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)

function(build_with flaw status_out text_out)
  set(folder "${WORK}/build${flaw}")
  execute_process(COMMAND "${CMAKE_COMMAND}" -S "${WORK}/src" -B "${folder}" -G "${GENERATOR}" "-DFLAW=${flaw}"
      "-DCMAKE_MAKE_PROGRAM=${MAKE_PROGRAM}" "-DCMAKE_C_COMPILER=${COMPILER}" "-DCMAKE_PREFIX_PATH=${WORK}/prefix with space"
    RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "the configuration failed:\n${text}")
  endif()
  execute_process(COMMAND "${CMAKE_COMMAND}" --build "${folder}" RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
  set(${status_out} "${status}" PARENT_SCOPE)
  set(${text_out} "${text}" PARENT_SCOPE)
endfunction()

build_with("" status text)
if(NOT status EQUAL 0 OR NOT EXISTS "${WORK}/build/backends/libeagle_least.so")
  message(FATAL_ERROR "a good backend was not built:\n${text}")
endif()
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${WORK}/build" --prefix "${WORK}/out" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
if(NOT EXISTS "${WORK}/out/lib/eagle/libeagle_least.so")
  message(FATAL_ERROR "the backend was not installed where it was said to be")
endif()

build_with(WITH_EXTRA status text)
if(status EQUAL 0 OR NOT text MATCHES "eagle_backend_stream_creat is exported and not in symbols.def")
  message(FATAL_ERROR "a backend that exports too much gave ${status}:\n${text}")
endif()

build_with(WITH_EXPERIMENTAL status text)
if(NOT status EQUAL 0 OR NOT text MATCHES "CMake Warning.*eagle_backend_x_trial")
  message(FATAL_ERROR "an experimental symbol must pass with a warning, and gave ${status}:\n${text}")
endif()
