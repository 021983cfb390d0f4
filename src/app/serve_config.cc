#include "app/serve_config.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>

#include "app/settings_file.h"
#include "base/read_file.h"

namespace holostat::app {
namespace {

constexpr std::uint64_t kMaxFileBytes = 1u << 20;
constexpr std::uint64_t kMaxTokenBytes = 4096;
constexpr std::size_t kShortToken = 16;
constexpr std::uint64_t kMegabyte = 1u << 20, kKilobyte = 1u << 10;
constexpr double kMany = 1e6, kDay = 86400;

std::vector<Setting> HttpSettings(server::ServerOptions& o) {
  const std::string_view section = "http";
  return {
      {section, "address", &o.address, "ADDRESS",
       "Where to listen; another one than loopback needs a token or --insecure"},
      {section, "port", &o.port, "N", "TCP port; 0: any free one", 0, 65535},
      {section, "max_connections", &o.max_connections, "N", "Open connections", 1, kMany},
      {section, "max_connections_per_client", &o.max_connections_per_client, "N",
       "Of one client address", 1, kMany},
      {section, "max_body_mb", &o.max_body_bytes, "MB", "Largest request body", 1, 1024, kMegabyte},
      {section, "max_header_kb", &o.max_header_bytes, "KB", "Largest request header", 1, 1024,
       kKilobyte},
      {section, "max_multipart_files", &o.max_multipart_files, "N", "Pictures in one request", 1,
       1024},
      {section, "requests_per_second", &o.requests_per_second, "N",
       "Rate of one client address; 0: no limit", 0, kMany},
      {section, "request_burst", &o.request_burst, "N", "Requests above that rate at once", 1,
       kMany},
      {section, "rate_clients", &o.rate_clients, "N", "Client addresses remembered for it", 1,
       kMany},
  };
}

std::vector<Setting> AccessSettings(ServeConfig& config) {
  const std::string_view section = "access";
  server::ServerOptions& o = config.server;
  return {
      {section, "token_file", &config.token_file, "FILE",
       "File with the Bearer token that clients must send"},
      {section, "insecure", &o.insecure, "", "Let anybody in who can reach the address"},
      {section, "tls_certificate", &o.tls_certificate, "FILE", "Certificate chain (PEM)"},
      {section, "tls_key", &o.tls_key, "FILE", "Its private key (PEM)"},
      {section, "cors_origins", &o.cors_origins, "ORIGIN",
       "Origins of web pages that may ask, or *; none: only our own page"},
  };
}

std::vector<Setting> TimeoutSettings(server::ServerOptions& o) {
  const std::string_view section = "timeouts";
  const double least = 0.01;
  return {
      {section, "header_timeout", &o.header_timeout, "S", "Of a request's header", least, kDay},
      {section, "body_timeout", &o.body_timeout, "S", "Of a request's whole body", least, kDay},
      {section, "write_timeout", &o.write_timeout, "S", "Of a whole answer", least, kDay},
      {section, "idle_timeout", &o.idle_timeout, "S", "Between two requests of a connection", least,
       kDay},
      {section, "drain_timeout", &o.drain_timeout, "S",
       "For requests on the way when the service stops", least, kDay},
  };
}

std::vector<Setting> LiveSettings(server::ServerOptions& o) {
  const std::string_view section = "live";
  return {
      {section, "max_live_sessions", &o.max_live_sessions, "N", "Sessions of /v1/live at a time", 0,
       256},
      {section, "live_idle_timeout", &o.live_idle_timeout, "S",
       "After which a session without frames ends", 0.01, kDay},
      {section, "max_event_streams", &o.max_event_streams, "N", "Readers of /v1/events at a time",
       0, 48},
  };
}

std::vector<Setting> LogSettings(ServeConfig& config) {
  return {
      {.section = "log",
       .name = "log_format",
       .value = &config.log_format,
       .type = "NAME",
       .help = "Of the log on standard error",
       .choices = {"text", "json"}},
      {"log", "log_requests", &config.log_requests, "",
       "A line for each request; never what was in it"},
  };
}

// The file to read; empty: none.
std::string FileToRead(const std::string& asked) {
  if (!asked.empty()) return asked;
  if (const char* named = std::getenv("HOLOSTAT_CONFIG"); named != nullptr && *named != '\0')
    return named;
  std::error_code ignored;  // one that cannot be looked at is found when it is read
  return std::filesystem::exists(kDefaultConfigFile, ignored) ? kDefaultConfigFile : "";
}

void SetFromFile(const std::string& file, const std::vector<Setting>& settings,
                 std::vector<std::string>& problems) {
  if (file.empty()) return;
  const auto bytes = ReadFile(file, kMaxFileBytes);
  if (!bytes) {
    problems.push_back(bytes.error().message);
    return;
  }
  problems = SetFromToml(settings, std::string(bytes->begin(), bytes->end()), file);
}

// RFC 6750: b64token.
bool IsToken(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("-._~+/=").find(c) != std::string_view::npos;
  });
}

std::string Trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const auto first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(kSpace) - first + 1));
}

std::string WarningOf(const std::string& file, const std::string& token) {
  struct stat about {};
  if (::stat(file.c_str(), &about) == 0 && (about.st_mode & S_IROTH) != 0)
    return fmt::format("every user of this machine may read {}: chmod o-r it", file);
  if (token.size() < kShortToken)
    return fmt::format("the token of {} is short and may be guessed: take {} characters or more",
                       file, kShortToken);
  return "";
}

}  // namespace

std::vector<Setting> ServeSettings(ServeConfig& config) {
  std::vector<Setting> all;
  for (auto&& some :
       {HttpSettings(config.server), AccessSettings(config), TimeoutSettings(config.server),
        LiveSettings(config.server), ServiceSettings(config.service), LogSettings(config)})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

std::vector<std::string> LoadServeConfig(const std::string& file, const GivenFlags& flags,
                                         ServeConfig& config) {
  const std::vector<Setting> settings = ServeSettings(config);
  std::vector<std::string> problems;
  SetFromFile(FileToRead(file), settings, problems);
  for (std::string& problem : SetFromEnvironment(settings)) problems.push_back(std::move(problem));
  for (const Setting& setting : settings) {
    const auto given = flags.find(setting.name);
    if (given == flags.end()) continue;
    if (const auto set = SetFromText(setting, given->second); !set)
      problems.push_back(fmt::format("{}: {}", FlagOf(setting), set.error().message));
  }
  return problems;
}

Result<Token> ReadToken(const std::string& file) {
  const auto bytes = HOLO_TRY_CONTEXT(ReadFile(file, kMaxTokenBytes), "--token-file");
  Token token{Trimmed({reinterpret_cast<const char*>(bytes.data()), bytes.size()}), ""};
  if (!IsToken(token.text)) {
    return Fail(ErrorCode::kCorruptData,
                fmt::format("--token-file: {} is empty, or has other characters than letters, "
                            "digits and -._~+/= (try: openssl rand -hex 32)",
                            file));
  }
  token.warning = WarningOf(file, token.text);
  return token;
}

}  // namespace holostat::app
