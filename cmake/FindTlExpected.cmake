# tl::expected is one header. Defines TlExpected::tl_expected. Also installed with the library:
# its public headers include it.
include(FindPackageHandleStandardArgs)
find_path(TL_EXPECTED_INCLUDE_DIR tl/expected.hpp)
find_package_handle_standard_args(TlExpected REQUIRED_VARS TL_EXPECTED_INCLUDE_DIR)
if(TlExpected_FOUND AND NOT TARGET TlExpected::tl_expected)
  add_library(TlExpected::tl_expected INTERFACE IMPORTED)
  set_target_properties(TlExpected::tl_expected PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${TL_EXPECTED_INCLUDE_DIR}")
endif()
mark_as_advanced(TL_EXPECTED_INCLUDE_DIR)
