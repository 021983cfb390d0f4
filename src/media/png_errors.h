#pragma once

#include <png.h>

#include <csetjmp>
#include <cstddef>

#include "holostat/result.h"

namespace holostat::media {

// How libpng's failures reach us, the same for reading and writing: as error and memory pointer of
// the png struct, with the functions below. Where `jump` was set is returned to by longjmp, with
// what went wrong in `code` and `message`.
struct PngErrors {
  std::jmp_buf jump{};
  ErrorCode code = ErrorCode::kInternal;
  char message[128] = "libpng does not start";
};

[[noreturn]] void OnPngError(png_structp png, png_const_charp message);
// libpng warns about metadata, which is skipped, and about things without effect on the pixels.
void OnPngWarning(png_structp png, png_const_charp message);
void* AllocateForPng(png_structp png, png_alloc_size_t size);

}  // namespace holostat::media
