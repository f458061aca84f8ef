// What is offered to who typed a name that there is not.
#include <catch2/catch.hpp>

#include "repl/near_names.h"

namespace glint {
namespace {

TEST_CASE("near names: a slip, two letters swapped, a beginning; nothing far", "[repl]") {
  const std::vector<std::string> names = {"graph", "guards", "ast", "Net.forward", "graph"};
  CHECK(near_names("grap", names) == "; did you mean `graph`?");
  CHECK(near_names("grpah", names) == "; did you mean `graph`?");
  CHECK(near_names("forward", names) == "; did you mean `Net.forward`?");
  CHECK(near_names("zzz", names).empty());
  CHECK(near_names("x", {"y"}).empty());
}

TEST_CASE("quoted names: many are cut", "[repl]") {
  CHECK(quoted_names({"a", "b"}) == "`a`, `b`");
  CHECK(quoted_names(std::vector<std::string>(14, "a")).ends_with("`a`, and 2 more"));
}

}  // namespace
}  // namespace glint
