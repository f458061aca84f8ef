// What is entered is kept in a file, and in nothing that is no file.
#include "repl/history.h"

#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <filesystem>

namespace glint {
namespace {

const auto kFolder = std::filesystem::temp_directory_path() / "glint_history_test";

TEST_CASE("a history comes back from its file, entries of several lines too", "[repl]") {
  std::filesystem::remove_all(kFolder);
  History first, second;
  first.open(kFolder / "history");
  first.add("x = 1");
  first.add("def f():\n  return '\\n'");
  second.open(kFolder / "history");
  REQUIRE(second.size() == 2);
  CHECK(second[1] == first[1]);
}

TEST_CASE("what is no file keeps no history: a device without an end, a pipe", "[repl]") {
  std::filesystem::create_directories(kFolder);
  const auto pipe = kFolder / "pipe";
  std::filesystem::remove(pipe);
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  for (const std::string& path : {std::string("/dev/full"), pipe.string(), kFolder.string()}) {
    INFO(path);
    History history;
    history.open(path);
    history.add("x = 1");
    CHECK(history.size() == 1);
  }
}

}  // namespace
}  // namespace glint
