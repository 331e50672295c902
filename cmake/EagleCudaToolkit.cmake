# The headers and the compiler of a CUDA toolkit: of $CUDA_HOME or $CUDA_PATH, of /usr/local/cuda, or of the toolkit's wheels
# from PyPI (nvidia-cuda-runtime, nvidia-cuda-nvcc) in the Python that `python3` names. Nothing of it is linked.
#
#   EAGLE_CUDA_INCLUDE  folder of cuda.h and cudaTypedefs.h, empty where there is none
#   EAGLE_NVCC          the compiler, empty where there is none
include_guard(GLOBAL)

set(_roots "$ENV{CUDA_HOME}" "$ENV{CUDA_PATH}" /usr/local/cuda)
execute_process(COMMAND python3 -c "import sysconfig; print(sysconfig.get_paths()['purelib'])"
  OUTPUT_VARIABLE _site OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(_site)
  file(GLOB _wheels "${_site}/nvidia/cu[0-9]*")
  list(SORT _wheels COMPARE NATURAL ORDER DESCENDING)
  list(APPEND _roots ${_wheels} "${_site}/nvidia/cuda_runtime" "${_site}/nvidia/cuda_nvcc")
endif()
list(REMOVE_ITEM _roots "")

find_path(EAGLE_CUDA_INCLUDE_DIR cudaTypedefs.h PATHS ${_roots} PATH_SUFFIXES include NO_DEFAULT_PATH)
find_program(EAGLE_NVCC_PROGRAM nvcc PATHS ${_roots} PATH_SUFFIXES bin NO_DEFAULT_PATH)
find_program(EAGLE_NVCC_PROGRAM nvcc)
mark_as_advanced(EAGLE_CUDA_INCLUDE_DIR EAGLE_NVCC_PROGRAM)
# Of the cache: every folder sees what the first one found.
set(EAGLE_CUDA_INCLUDE "" CACHE INTERNAL "")
set(EAGLE_NVCC "" CACHE INTERNAL "")
if(EAGLE_CUDA_INCLUDE_DIR AND EXISTS "${EAGLE_CUDA_INCLUDE_DIR}/cuda.h")
  set(EAGLE_CUDA_INCLUDE "${EAGLE_CUDA_INCLUDE_DIR}" CACHE INTERNAL "")
endif()
if(EAGLE_NVCC_PROGRAM)
  set(EAGLE_NVCC "${EAGLE_NVCC_PROGRAM}" CACHE INTERNAL "")
endif()
