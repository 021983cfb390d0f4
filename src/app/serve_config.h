#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/service_options.h"
#include "app/setting.h"
#include "base/result.h"
#include "server/server_options.h"

namespace holostat::app {

// All that `holostat serve` can be told (docs/serve.md).
struct ServeConfig {
  server::ServerOptions server;
  ServiceOptions service;
  std::string token_file;
  std::string log_format = "text";
  bool log_requests = false;
};

// `config` outlives what is returned.
std::vector<Setting> ServeSettings(ServeConfig& config);

// What the command line says: by name of a setting.
using GivenFlags = std::map<std::string, std::string, std::less<>>;

// Sets `config` from a TOML file, then from the environment, then from the command line. The file
// is `file`, else $HOLOSTAT_CONFIG, else kDefaultConfigFile if there is one. What is wrong: a
// sentence each, which names file, line and key, or variable, or flag.
inline constexpr char kDefaultConfigFile[] = "/etc/holostat/holostat.toml";
std::vector<std::string> LoadServeConfig(const std::string& file, const GivenFlags& flags,
                                         ServeConfig& config);

struct Token {
  std::string text;
  std::string warning;  // a sentence; empty: all is well
};

// The token of a file of at most 4 KB: one line, white space around it left out. Errors:
// those of ReadFile; kCorruptData (empty, or no Bearer token by RFC 6750).
Result<Token> ReadToken(const std::string& file);

}  // namespace holostat::app
