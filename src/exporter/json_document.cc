#include "exporter/json_document.h"

#include <nlohmann/json.hpp>

namespace holostat::exporter {

std::string JsonDocumentHead(std::string_view source, double fps) {
  using nlohmann::json;
  const json name = source, rate = fps > 0 ? json(fps) : json();
  const auto text = [](const json& value) {
    return value.dump(-1, ' ', true, json::error_handler_t::replace);
  };
  return R"({"schema":"holostat.frames/1","source":)" + text(name) + R"(,"fps":)" + text(rate) +
         R"(,"frames":[)";
}

}  // namespace holostat::exporter
