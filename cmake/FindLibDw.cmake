# Debian ships elfutils' libdw without a CMake package. Defines LibDw::LibDw.
include(FindPackageHandleStandardArgs)
find_path(LIBDW_INCLUDE_DIR elfutils/libdwfl.h)
find_library(LIBDW_LIBRARY dw)
find_package_handle_standard_args(LibDw REQUIRED_VARS LIBDW_LIBRARY LIBDW_INCLUDE_DIR)
if(LibDw_FOUND AND NOT TARGET LibDw::LibDw)
  add_library(LibDw::LibDw UNKNOWN IMPORTED)
  set_target_properties(LibDw::LibDw PROPERTIES
    IMPORTED_LOCATION "${LIBDW_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${LIBDW_INCLUDE_DIR}")
endif()
mark_as_advanced(LIBDW_INCLUDE_DIR LIBDW_LIBRARY)
