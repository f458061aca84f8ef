// How a region is called in headings, and which names a word means.
#include <catch2/catch.hpp>

#include "core/support/stage_log.h"

namespace glint {
namespace {

TEST_CASE("a region's title says where it begins and for which entry", "[stage_log]") {
  const Span place = {SourceId{1}, 11, 4, 11, 9};
  CHECK(region_title("f", {}, 1) == "f");
  CHECK(region_title("f", {}, 2) == "f, entry 2");
  CHECK(region_title("A.f", place, 1) == "A.f from 11:4");
  CHECK(region_title("f", place, 3) == "f from 11:4, entry 3");
}

TEST_CASE("a function is named by the last parts of its name", "[stage_log]") {
  CHECK(is_named("Net.forward", "forward"));
  CHECK(is_named("Net.forward", "Net.forward"));
  CHECK(is_named("Net.forward", ""));
  CHECK_FALSE(is_named("Net.forward", "ward"));
  CHECK_FALSE(is_named("forward", "Net.forward"));
}

}  // namespace
}  // namespace glint
