#pragma once

#include <string>

namespace holostat::server {

// The OpenAPI 3.1 document of the table of routes, as JSON.
std::string OpenApiDocument();

}  // namespace holostat::server
