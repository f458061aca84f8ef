// Where an error of Glint's own says that it comes from.
#include <catch2/catch.hpp>

#include <fmt/format.h>

#include "core/support/check.h"

namespace glint {
namespace {

TEST_CASE("a check that fails names its place from the project's root", "[check]") {
  auto here = std::source_location::current();
  try {
    check(false, "no such node", here);
    FAIL("nothing was thrown");
  } catch (const InternalError& error) {
    CHECK(error.message() == "no such node");
    CHECK(error.what() ==
          fmt::format("no such node (tests/unit/support/check_test.cpp:{})", here.line()));
  }
}

TEST_CASE("who says more of an error keeps its place, and names it once", "[check]") {
  auto here = std::source_location::current();
  try {
    try {
      fail("it is (or was) lost", here);
    } catch (const InternalError& error) {
      fail("pass fuse: " + std::string(error.message()), error.where());
    }
  } catch (const InternalError& error) {
    CHECK(error.what() == fmt::format("pass fuse: it is (or was) lost "
                                      "(tests/unit/support/check_test.cpp:{})",
                                      here.line()));
  }
}

TEST_CASE("a header's place is where it lies, not the link to it", "[check]") {
  CHECK(path_in_project("include/passes/passes/fuse.h") == "passes/fuse.h");
  CHECK(path_in_project("/x/build/include/support/core/support/span.h") == "core/support/span.h");
  CHECK(path_in_project("/usr/other/file.cpp") == "/usr/other/file.cpp");
}

}  // namespace
}  // namespace glint
