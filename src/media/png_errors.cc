#include "media/png_errors.h"

#include <cstdio>
#include <cstdlib>

namespace holostat::media {

void OnPngError(png_structp png, png_const_charp message) {
  PngErrors& errors = *static_cast<PngErrors*>(png_get_error_ptr(png));
  std::snprintf(errors.message, sizeof errors.message, "%s", message);
  std::longjmp(errors.jump, 1);
}

void OnPngWarning(png_structp, png_const_charp) {}

// libpng and zlib have many words for it, so it is noted where it happens.
void* AllocateForPng(png_structp png, png_alloc_size_t size) {
  void* block = std::malloc(size);
  if (block == nullptr) {
    PngErrors& errors = *static_cast<PngErrors*>(png_get_mem_ptr(png));
    errors.code = ErrorCode::kOverloaded;
    std::snprintf(errors.message, sizeof errors.message, "there is not enough memory");
  }
  return block;
}

}  // namespace holostat::media
