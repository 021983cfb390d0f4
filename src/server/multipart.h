#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace holostat::server {

struct FormPart {
  std::string name, file_name;
  std::span<const std::byte> bytes;  // of the body that was read
  bool is_file = false;              // it has a file name
};

// The files of a multipart/form-data body (RFC 7578); fields that are no files are skipped.
// `content_type` is that of the request and carries the boundary. Errors: kInvalidArgument
// (malformed, no boundary, no file), kLimitExceeded (over `max_files`, or more than as many fields
// again).
Result<std::vector<FormPart>> ReadForm(std::span<const std::byte> body,
                                       std::string_view content_type, std::size_t max_files);

}  // namespace holostat::server
