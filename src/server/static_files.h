#pragma once

#include <string_view>

#include "server/embedded_files.h"
#include "server/exchange.h"
#include "server/response.h"

namespace holostat::server {

// The file of the web page at `path`, which is compared as it stands: there is no folder behind it
// that one could climb out of. Null when there is none.
const EmbeddedFile* FindFile(std::string_view path);

// The file, packed where the client takes that, or 304 where it has it already.
Response AnswerFile(const EmbeddedFile& file, const RequestHead& head);

}  // namespace holostat::server
