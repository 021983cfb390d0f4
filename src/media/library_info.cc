#include "media/library_info.h"

#include <fmt/format.h>
#include <gif_lib.h>
#include <jpeglib.h>
#include <png.h>
#include <webp/decode.h>

namespace holostat::media {

std::vector<std::string> LibraryVersions() {
  const int webp = WebPGetDecoderVersion();  // 0xMMmmpp
  return {
#ifdef LIBJPEG_TURBO_VERSION_NUMBER
      fmt::format("libjpeg-turbo {}.{}.{}", LIBJPEG_TURBO_VERSION_NUMBER / 1000000,
                  LIBJPEG_TURBO_VERSION_NUMBER / 1000 % 1000, LIBJPEG_TURBO_VERSION_NUMBER % 1000),
#else
      fmt::format("libjpeg API {}", JPEG_LIB_VERSION),
#endif
      fmt::format("libpng {}", png_get_libpng_ver(nullptr)),
      fmt::format("libwebp {}.{}.{}", webp >> 16, webp >> 8 & 255, webp & 255),
      fmt::format("giflib {}.{}.{}", GIFLIB_MAJOR, GIFLIB_MINOR, GIFLIB_RELEASE),
  };
}

}  // namespace holostat::media
