#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "ipc/message.h"
#include "server/routes.h"

namespace holostat::server {

// What a live session is asked to do with its frames.
struct LiveOptions {
  ipc::Complexity complexity = ipc::Complexity::kFull;
  bool refine_face = true;
  bool segmentation = false;
  std::uint8_t people = 1;  // at most
  bool binary = false;      // the compact form of docs/live.md instead of JSON
  bool operator==(const LiveOptions&) const = default;
};

// {"complexity":"full","refine_face":true,"segmentation":false,"people":1,"output":"json"}
std::string ToJson(const LiveOptions& options);

// REQUIRES: parameters of /v1/live.
LiveOptions OptionsOf(const Parameters& parameters);

// What a client says in text: either of two things.
struct LiveCommand {
  enum class Kind : std::uint8_t { kOptions = 1, kReset };
  Kind kind = Kind::kReset;
  LiveOptions options;  // kOptions: the present ones with what the message changes
};

inline constexpr std::size_t kMaxLiveCommandBytes = 4096;

// Error: kInvalidArgument, for a person: no JSON object, an unknown type, option or value.
Result<LiveCommand> ParseLiveCommand(std::string_view text, const LiveOptions& present);

}  // namespace holostat::server
