# A clang that makes code for AMD's processors, of ROCm ($ROCM_PATH, /opt/rocm), or a plain one of LLVM 19 or newer with its
# lld. Nothing of ROCm is needed: no header, no device library.
#
#   EAGLE_HIP_CLANG  the compiler, empty where there is none
#   EAGLE_HIP_ARCHS  the architectures that it makes code for, of those that eagle has code for
#
# eagle_hip_code_object(<output> <arch> <source> DEPENDS <file>... [OPTIONS <option>...]) makes one code object.
include_guard(GLOBAL)

set(EAGLE_HIP_OPTIONS -x hip --cuda-device-only --no-gpu-bundle-output -nogpuinc -nogpulib -std=c++17 -O3 -Wall -Wextra
  CACHE INTERNAL "")
set(_all gfx906 gfx908 gfx90a gfx942 gfx950 gfx1030 gfx1100 gfx1101 gfx1102 gfx1151 gfx1200 gfx1201)

function(_eagle_hip_try compiler arch out)
  set(probe "${CMAKE_BINARY_DIR}/CMakeFiles/eagle_hip_probe")
  file(WRITE "${probe}.hip" "extern \"C\" __attribute__((global)) void probe(int* p) { *p = __builtin_amdgcn_workitem_id_x(); }\n")
  execute_process(COMMAND "${compiler}" ${EAGLE_HIP_OPTIONS} "--offload-arch=${arch}" -o "${probe}.co" "${probe}.hip"
    RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
  if(status EQUAL 0)
    set(${out} TRUE PARENT_SCOPE)
  else()
    set(${out} FALSE PARENT_SCOPE)
  endif()
endfunction()

if(NOT DEFINED CACHE{EAGLE_HIP_ARCHS})
  set(_clang "")
  set(_archs "")
  foreach(_name IN ITEMS $ENV{ROCM_PATH}/llvm/bin/clang++ /opt/rocm/llvm/bin/clang++ clang++-22 clang++-21 clang++-20 clang++-19 clang++)
    find_program(_found NAMES "${_name}" NO_CACHE)
    if(NOT _found)
      continue()
    endif()
    _eagle_hip_try("${_found}" gfx942 _works)
    if(_works)
      set(_clang "${_found}")
      break()
    endif()
    unset(_found)
  endforeach()
  if(_clang)
    foreach(_arch IN LISTS _all)
      _eagle_hip_try("${_clang}" ${_arch} _works)
      if(_works)
        list(APPEND _archs ${_arch})
      endif()
    endforeach()
  endif()
  set(EAGLE_HIP_CLANG "${_clang}" CACHE FILEPATH "A clang that makes code for AMD's processors")
  set(EAGLE_HIP_ARCHS "${_archs}" CACHE STRING "Architectures of the code in libeagle_hip")
  mark_as_advanced(EAGLE_HIP_CLANG EAGLE_HIP_ARCHS)
endif()

function(eagle_hip_code_object output arch source)
  cmake_parse_arguments(PARSE_ARGV 3 arg "" "" "DEPENDS;OPTIONS")
  add_custom_command(OUTPUT "${output}"
    COMMAND "${EAGLE_HIP_CLANG}" ${EAGLE_HIP_OPTIONS} "--offload-arch=${arch}" ${arg_OPTIONS} -o "${output}" "${source}"
    DEPENDS "${source}" ${arg_DEPENDS}
    COMMENT "Device code for ${arch}" VERBATIM)
endfunction()
