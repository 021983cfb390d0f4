#include "server/embedded_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "server/routes.h"

namespace holostat::server {
namespace {

const EmbeddedFile* Find(std::string_view path) {
  const auto files = EmbeddedFiles();
  const auto found = std::ranges::find(files, path, &EmbeddedFile::path);
  return found == files.end() ? nullptr : &*found;
}

TEST(EmbeddedFiles, HaveThePageAtTheRoot) {
  const EmbeddedFile* page = Find("/");
  ASSERT_NE(page, nullptr);
  EXPECT_EQ(page->content_type, "text/html; charset=utf-8");
  EXPECT_TRUE(page->bytes.starts_with("<!doctype html>"));
  EXPECT_TRUE(page->bytes.ends_with("</html>\n"));
  EXPECT_FALSE(page->immutable);
}

TEST(EmbeddedFiles, AreSortedAndDistinct) {
  const auto files = EmbeddedFiles();
  EXPECT_EQ(std::ranges::adjacent_find(files, std::ranges::greater_equal{}, &EmbeddedFile::path),
            files.end());
}

TEST(EmbeddedFiles, SayWhichNamesChangeWithTheirContents) {
  for (const EmbeddedFile& file : EmbeddedFiles()) {
    EXPECT_EQ(file.immutable, file.path.starts_with("/assets/")) << file.path;
    EXPECT_TRUE(file.etag.starts_with('"') && file.etag.ends_with('"') && file.etag.size() > 10);
  }
}

// The page asks no other machine for anything, and nothing in it is inline: its policy is
// default-src 'self'.
TEST(EmbeddedFiles, HaveWhatThePageAsksFor) {
  const std::string_view html = Find("/")->bytes;
  int links = 0;
  for (const std::string_view attribute : {" src=\"", " href=\""}) {
    for (auto at = html.find(attribute); at != html.npos; at = html.find(attribute, at + 1)) {
      const auto start = at + attribute.size();
      const auto path = html.substr(start, html.find('"', start) - start);
      if (path.starts_with('#')) continue;
      EXPECT_TRUE(Find(path) != nullptr || FindRoute(path) != nullptr) << path;
      ++links;
    }
  }
  EXPECT_GE(links, 3);
  EXPECT_EQ(html.find(" style=\""), html.npos);
  EXPECT_EQ(html.find("<script>"), html.npos);
}

TEST(EmbeddedFiles, ArePackedWhereThatHelps) {
  for (const EmbeddedFile& file : EmbeddedFiles()) {
    if (file.gzip.empty()) continue;
    EXPECT_LT(file.gzip.size(), file.bytes.size()) << file.path;
    EXPECT_TRUE(file.gzip.starts_with("\x1f\x8b")) << file.path;
  }
}

}  // namespace
}  // namespace holostat::server
