#include "server/openapi.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "server/routes.h"
#include "server/server_fixture.h"

namespace holostat::server {
namespace {

using Json = nlohmann::json;

bool HasType(const Json& value, const std::string& type) {
  if (type == "number") return value.is_number();
  if (type == "integer") return value.is_number_integer();
  if (type == "string") return value.is_string();
  if (type == "array") return value.is_array();
  if (type == "object") return value.is_object();
  return type == "null" && value.is_null();
}

// What of JSON Schema our document uses.
bool Matches(const Json& document, Json schema, const Json& value) {
  if (schema.contains("$ref"))
    schema = document.at(Json::json_pointer(schema["$ref"].get<std::string>().substr(1)));
  if (schema.contains("type")) {
    const Json& types = schema["type"];
    const bool fits =
        types.is_string()
            ? HasType(value, types)
            : std::ranges::any_of(types, [&](const Json& one) { return HasType(value, one); });
    if (!fits) return false;
  }
  if (schema.contains("const") && schema["const"] != value) return false;
  if (schema.contains("minimum") && value < schema["minimum"]) return false;
  if (schema.contains("required")) {
    for (const Json& name : schema["required"]) {
      if (!value.contains(name.get<std::string>())) return false;
    }
  }
  if (schema.contains("properties")) {
    for (const auto& [name, inner] : schema["properties"].items()) {
      if (value.contains(name) && !Matches(document, inner, value[name])) return false;
    }
  }
  if (value.is_array() && schema.contains("items")) {
    for (const Json& item : value) {
      if (!Matches(document, schema["items"], item)) return false;
    }
  }
  return true;
}

class OpenApiTest : public ServerFixture {};

TEST_F(OpenApiTest, DescribesTheAnswersThatAreGiven) {
  Start();
  const Json document = Json::parse(Client().Ask(Get("/openapi.json")).body);
  EXPECT_EQ(document["openapi"], "3.1.0");
  for (const char* path : {"/v1/status", "/healthz", "/readyz"}) {
    const auto answer = Client().Ask(Get(path));
    const Json& schema =
        document["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]["schema"];
    ASSERT_TRUE(schema.is_object()) << path;
    EXPECT_TRUE(Matches(document, schema, Json::parse(answer.body))) << path << answer.body;
    EXPECT_FALSE(Matches(document, schema, Json::object())) << path;
  }
  for (const std::string& request :
       {Get("/nothing"), Get("/v1/status?a=b"), Post("/v1/track", "text"), Get("/v1/live")}) {
    const auto answer = Client().Ask(request);
    EXPECT_EQ(answer.Header("Content-Type"), kProblemType);
    EXPECT_TRUE(
        Matches(document, {{"$ref", "#/components/schemas/Problem"}}, Json::parse(answer.body)))
        << answer.body;
  }
}

TEST_F(OpenApiTest, HasEveryRoute) {
  const Json document = Json::parse(OpenApiDocument());
  EXPECT_EQ(document["paths"].size(), Routes().size());
  EXPECT_EQ(document["paths"]["/v1/track"]["post"]["parameters"].size(), 5u);
}

}  // namespace
}  // namespace holostat::server
