#include "app/settings_file.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/serve_config.h"

namespace holostat::app {
namespace {

using Problems = std::vector<std::string>;

TEST(SettingsFile, WhatIsWrittenReadsBackToTheSame) {
  ServeConfig changed, read;
  changed.server.address = "::1\n\"quoted\" \\ 'single'";
  changed.server.port = 0;
  changed.server.max_body_bytes = 5u << 20;
  changed.server.requests_per_second = 2.5;
  changed.server.header_timeout = std::chrono::milliseconds(1250);
  changed.server.cors_origins = {"https://a.example", "*"};
  changed.server.insecure = true;
  changed.service.workers = 3;
  const std::string toml = ToToml(ServeSettings(changed));
  EXPECT_EQ(SetFromToml(ServeSettings(read), toml, "f"), Problems{});
  EXPECT_EQ(ToToml(ServeSettings(read)), toml);
  EXPECT_EQ(read.server.address, changed.server.address);
  EXPECT_EQ(read.server.header_timeout, changed.server.header_timeout);
  EXPECT_EQ(read.server.cors_origins, changed.server.cors_origins);
}

TEST(SettingsFile, HoldsNoTokenAndNoLineOverAHundredColumns) {
  ServeConfig config;
  config.server.token = "hush-hush-hush";
  const std::string toml = ToToml(ServeSettings(config));
  EXPECT_EQ(toml.find("hush"), std::string::npos);
  for (std::size_t at = 0, end = 0; at < toml.size(); at = end + 1) {
    end = toml.find('\n', at);
    EXPECT_LE(end - at, 100u) << toml.substr(at, end - at);
  }
}

TEST(SettingsFile, SaysFileLineAndKeyOfAllThatIsWrong) {
  ServeConfig config;
  EXPECT_EQ(
      SetFromToml(ServeSettings(config),
                  "port = 1\n[http]\nprot = 1\nport = 1.5\nmax_body_mb = '3'\n"
                  "[access]\ninsecure = 1\ncors_origins = [1]\n[timeouts]\nbody_timeout = nan\n",
                  "f"),
      (Problems{"f:1: port: no such key; did you mean http.port?",
                "f:3: http.prot: no such key; did you mean http.port?",
                "f:4: http.port: must be a whole number from 0 to 65535, not \"1.5\"",
                "f:5: http.max_body_mb: must be a number",
                "f:7: access.insecure: must be true or false",
                "f:8: access.cors_origins: must be a list of texts",
                "f:10: timeouts.body_timeout: must be a number from 0.01 to 86400, not "
                "\"nan\""}));
  EXPECT_EQ(config.server.port, server::ServerOptions().port);
}

TEST(SettingsFile, ATextThatIsNoTomlIsOneProblemWithItsLine) {
  ServeConfig config;
  const Problems problems = SetFromToml(ServeSettings(config), "[http]\nport = = 1\n", "f");
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_TRUE(problems[0].starts_with("f:2: ")) << problems[0];
}

TEST(Setting, NamesAreUniqueAndSpelledForEachPlace) {
  ServeConfig config;
  std::vector<std::string> names;
  for (const Setting& setting : ServeSettings(config)) {
    EXPECT_EQ(std::count(names.begin(), names.end(), setting.name), 0) << setting.name;
    names.emplace_back(setting.name);
    const std::string before = TextOf(setting);
    EXPECT_TRUE(SetFromText(setting, before)) << setting.name << ": the default is out of range";
    EXPECT_EQ(TextOf(setting), before);
  }
  const Setting body{.section = "http",
                     .name = "max_body_mb",
                     .value = &config.log_format,
                     .type = "MB",
                     .help = ""};
  EXPECT_EQ(KeyOf(body), "http.max_body_mb");
  EXPECT_EQ(VariableOf(body), "HOLOSTAT_MAX_BODY_MB");
  EXPECT_EQ(FlagOf(body), "--max-body-mb");
}

}  // namespace
}  // namespace holostat::app
