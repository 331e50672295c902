# eagle/_device_kind.py, made from the table that a backend's author edits.
set(table "${PROJECT_SOURCE_DIR}/seam/include/eagle/seam/device_kinds.def")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${table}")
file(STRINGS "${table}" lines REGEX "^EAGLE_DEVICE_KIND")
set(entries "")
foreach(line IN LISTS lines)
  if(NOT line MATCHES "^EAGLE_DEVICE_KIND\\( *([0-9]+) *, *([a-z][a-z0-9_]*) *\\)")
    message(FATAL_ERROR "${table}: '${line}' is not EAGLE_DEVICE_KIND(<DLPack device type>, <kind>)")
  endif()
  string(APPEND entries "    ${CMAKE_MATCH_1}: \"${CMAKE_MATCH_2}\",\n")
endforeach()
file(CONFIGURE OUTPUT "${EAGLE_BUILD_PYTHONDIR}/eagle/_device_kind.py" CONTENT [=["""Made from device_kinds.def: which kind serves a DLPack device type."""

KIND_OF_DEVICE_TYPE: dict[int, str] = {
@entries@}
]=] @ONLY NEWLINE_STYLE UNIX)
install(FILES "${EAGLE_BUILD_PYTHONDIR}/eagle/_device_kind.py" DESTINATION eagle COMPONENT python)
