# eagle_conformance_kernels(<target> [LANGUAGE C|CUDA] [OUTPUT_NAME <name>])
#
# Builds the test kernels of eagle-conformance from the kit's one source, in a kind's own format, for `--kernels`:
#   C     (the default) a shared object of the host, <name>.so
#   CUDA  PTX, which a driver of any device from the target's CUDA_ARCHITECTURES on takes; the project enables the language
# `name` is the target's unless it is given. Another language's author writes the entries that the source lists.
include_guard(GLOBAL)

function(eagle_conformance_kernels target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "LANGUAGE;OUTPUT_NAME" "")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "eagle_conformance_kernels(${target}): knows LANGUAGE and OUTPUT_NAME; found '${arg_UNPARSED_ARGUMENTS}'")
  endif()
  if(NOT arg_LANGUAGE)
    set(arg_LANGUAGE C)
  endif()
  if(NOT arg_OUTPUT_NAME)
    set(arg_OUTPUT_NAME "${target}")
  endif()
  if(arg_LANGUAGE STREQUAL "C")
    add_library(${target} MODULE "${EAGLE_CONFORMANCE_KERNELS_SOURCE}/kernels.c")
    set_target_properties(${target} PROPERTIES PREFIX "" OUTPUT_NAME "${arg_OUTPUT_NAME}")
  elseif(arg_LANGUAGE STREQUAL "CUDA")
    add_library(${target} OBJECT "${EAGLE_CONFORMANCE_KERNELS_SOURCE}/kernels.cu")
    set_target_properties(${target} PROPERTIES CUDA_PTX_COMPILATION ON)
  else()
    message(FATAL_ERROR "eagle_conformance_kernels(${target}): LANGUAGE is '${arg_LANGUAGE}'; it must be C or CUDA")
  endif()
endfunction()
