# The picture codecs, each by its own library (docs/adr/0001-picture-codecs.md says why not imgcodecs).
# Defines Codecs::Codecs.
include(FindPackageHandleStandardArgs)
find_package(JPEG)
find_package(PNG)
find_package(GIF)
find_path(WEBP_INCLUDE_DIR webp/decode.h)
find_library(WEBP_LIBRARY webp)
find_library(WEBPDEMUX_LIBRARY webpdemux)
find_package_handle_standard_args(Codecs
  REQUIRED_VARS JPEG_LIBRARIES PNG_LIBRARIES GIF_LIBRARIES WEBP_LIBRARY WEBPDEMUX_LIBRARY WEBP_INCLUDE_DIR)
if(Codecs_FOUND AND NOT TARGET Codecs::Codecs)
  add_library(Codecs::Codecs INTERFACE IMPORTED)
  set_target_properties(Codecs::Codecs PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${WEBP_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "JPEG::JPEG;PNG::PNG;GIF::GIF;${WEBPDEMUX_LIBRARY};${WEBP_LIBRARY}")
endif()
mark_as_advanced(WEBP_INCLUDE_DIR WEBP_LIBRARY WEBPDEMUX_LIBRARY)
