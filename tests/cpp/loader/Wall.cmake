# The wall around each library and program: what it gives out, and what it needs of the system. Libraries that break it show
# that the check sees it. tests/python/abi holds the installed ones to lists.
set(system "^(libstdc\\+\\+|libm|libgcc_s|libc|libdl|libpthread|ld-linux-x86-64)\\.so\\.[0-9]+$")
set(programs_names "^_ZSt4(cout|cerr)$")
if(EAGLE_SANITIZE)
  set(system "${system}|^lib[a-z]+san\\.so\\.[0-9]+$")
  string(APPEND programs_names "|^__[a-z]+san_")
endif()
set(eagle_names "^_Z(N|NK|TIN|TSN|TVN)5eagle")
set(seam_names "^eagle_backend_")

function(wall_test name target exports)
  set(needed "${system}")
  get_target_property(type ${target} TYPE)
  set(program 0)
  if(type STREQUAL "EXECUTABLE")
    set(program 1)
    string(APPEND needed "|^libeagle\\.so[.0-9]*$")
  endif()
  add_test(NAME loader.wall.${name} COMMAND "${CMAKE_COMMAND}" "-DLIBRARY=$<TARGET_FILE:${target}>" "-DNM=${CMAKE_NM}"
           "-DREADELF=${CMAKE_READELF}" "-DEXPORTS=${exports}" "-DNEEDED=${needed}" "-DPROGRAM=${program}"
           -P "${CMAKE_CURRENT_SOURCE_DIR}/CheckLibrary.cmake")
  set_tests_properties(loader.wall.${name} PROPERTIES LABELS loader ${ARGN})
endfunction()

wall_test(libeagle eagle "${eagle_names}")
wall_test(libeagle_cpu eagle_cpu "${seam_names}")
wall_test(libeagle_null eagle_null "${seam_names}")
if(TARGET eagle_cuda)
  wall_test(libeagle_cuda eagle_cuda "${seam_names}")
endif()
# A linker puts copies of the C++ library's streams into a program.
wall_test(eagle_doctor eagle_doctor "${programs_names}")
wall_test(sees_a_foreign_name loader_kernels "${seam_names}"
          PASS_REGULAR_EXPRESSION "exports twice, needs names that match")
wall_test(sees_a_foreign_library zoo_borrower "${seam_names}"
          PASS_REGULAR_EXPRESSION "needs the library libzoo_lender.so")
wall_test(sees_an_empty_library zoo_nothing "${seam_names}"
          PASS_REGULAR_EXPRESSION "exports nothing at all")
