# Run by CTest: installs BUILD into SCRATCH, then builds and runs what uses it. Everything is made anew.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT code EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\nended with ${code}:\n${text}")
  endif()
  set(text "${text}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE "${SCRATCH}")
set(prefix "${SCRATCH}/the prefix")
foreach(component IN ITEMS runtime sdk)
  run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${prefix}" --component ${component})
endforeach()

foreach(project IN ITEMS examples/cpp/oscillators examples/cpp/heat_until_converged tests/cpp/install/consumer tests/cpp/install/judge)
  get_filename_component(name "${project}" NAME)
  file(COPY "${SOURCE}/${project}" DESTINATION "${SCRATCH}")
  run("${CMAKE_COMMAND}" -S "${SCRATCH}/${name}" -B "${SCRATCH}/${name}/build" -G "${GENERATOR}"
      "-DCMAKE_MAKE_PROGRAM=${MAKE_PROGRAM}" "-DCMAKE_CXX_COMPILER=${CXX}" "-DCMAKE_CXX_FLAGS=${FLAGS}"
      -DCMAKE_BUILD_TYPE=Release "-DCMAKE_PREFIX_PATH=${prefix}")
  run("${CMAKE_COMMAND}" --build "${SCRATCH}/${name}/build")
endforeach()

run("${SCRATCH}/consumer/build/consumer" "${HANDMADE}" "${prefix}/${LIBDIR}")
message("${text}")

# The installed judge, and one that an author made of the kit with kernels of the same source.
set(backend "${prefix}/${LIBDIR}/eagle/libeagle_cpu.so")
run("${prefix}/bin/eagle-conformance" --rows "core-*,exec-*" "${backend}")
run("${SCRATCH}/judge/build/judge" --kernels "${SCRATCH}/judge/build/judge_kernels.so" --rows "stream-*,exec-*" "${backend}")
foreach(row IN ITEMS stream-of-our-own stream-create exec-every-sample-once)
  if(NOT text MATCHES "\nok [0-9]+ - ${row}\n")
    message(FATAL_ERROR "the judge made of the kit does not say that ${row} passed:\n${text}")
  endif()
endforeach()

file(COPY "${OSCILLATOR_FILE}" DESTINATION "${OSCILLATOR}")
run("${SCRATCH}/consumer/build/reference" 20000)
set(expected "${text}")
foreach(threads IN ITEMS 1 3)
  run("${SCRATCH}/oscillators/build/oscillators" "${OSCILLATOR}" 20000 ${threads})
  string(FIND "${text}" "${expected}" at)
  if(NOT at EQUAL 0)
    message(FATAL_ERROR "with ${threads} threads the example printed\n${text}\nand a plain loop gives\n${expected}")
  endif()
endforeach()
message("${text}")

# A loop, a switch and a host function in one launch, against a plain loop.
run("${SCRATCH}/consumer/build/heat" 300 0.01)
set(expected "${text}")
run("${SCRATCH}/heat_until_converged/build/heat_until_converged" 300 0.01)
string(FIND "${text}" "${expected}" at)
if(NOT at EQUAL 0 OR NOT text MATCHES "1 launch; ")
  message(FATAL_ERROR "the heat example printed\n${text}\nand a plain loop gives\n${expected}")
endif()
message("${text}")

# Bad input is refused by words, and by the exit code.
execute_process(COMMAND "${SCRATCH}/oscillators/build/oscillators" "${SCRATCH}/nowhere" RESULT_VARIABLE code
                ERROR_VARIABLE text OUTPUT_QUIET)
if(NOT code EQUAL 1 OR NOT text MATCHES "cannot read '.*nowhere/manifest.json': No such file or directory")
  message(FATAL_ERROR "a missing artifact ended with ${code} and said: ${text}")
endif()
