#include "repl/walker.h"

#include <catch2/catch.hpp>

namespace glint {
namespace {

using Lines = std::vector<std::string>;

const std::vector<Walk> kWalks = {
    {.title = "graph f", .steps = {{"one", {"reads  a", "gives  b"}}, {"two"}, {"three"}}},
    {.title = "graph g", .steps = {{"four"}}, .end = "it failed"},
};

TEST_CASE("keys go along a walk and back", "[repl]") {
  WalkPosition position(kWalks);
  auto title = [&] { return position.view(80, 20).front(); };
  CHECK(title() == "graph f   1 of 3");
  CHECK(position.act({KeyKind::kLeft}));
  CHECK(title() == "graph f   1 of 3");
  for (const Key& key : {Key{KeyKind::kRight}, Key{KeyKind::kText, " "}}) CHECK(position.act(key));
  CHECK(title() == "graph f   3 of 3");
  position.act({KeyKind::kEnter});
  CHECK(title() == "graph g   1 of 1");
  position.act({KeyKind::kRight});
  CHECK(title() == "graph g   1 of 1");
  position.act({KeyKind::kText, "p"});
  CHECK(title() == "graph f   3 of 3");
  position.act({KeyKind::kHome});
  CHECK(title() == "graph f   1 of 3");
  position.act({KeyKind::kEnd});
  CHECK(title() == "graph g   1 of 1");
  for (const Key& key : {Key{KeyKind::kText, "q"}, Key{KeyKind::kEscape}, Key{KeyKind::kEndOfInput},
                         Key{KeyKind::kControl, "c"}})
    CHECK_FALSE(position.act(key));
}

TEST_CASE("a view has the step in its middle, and what it says below", "[repl]") {
  WalkPosition position(kWalks);
  const std::string keys = "q leaves, Right and Left step, Home and End jump";
  CHECK(position.view(80, 20) ==
        Lines{"graph f   1 of 3", "> one", "  two", "  three", "", "reads  a", "gives  b", keys});
  CHECK(position.view(6, 20)[0] == "graph");
  for (size_t height : {1, 4, 6, 7})
    CHECK(position.view(80, height).size() <= std::max<size_t>(height, 6));
  position.act({KeyKind::kEnd});
  CHECK(position.view(80, 20) == Lines{"graph g   1 of 1", "> four", "", "it failed", keys});
  CHECK(WalkPosition({}).view(80, 20) == Lines{"there is no step"});
}

TEST_CASE("what is wider than the view stands whole below the list", "[repl]") {
  std::vector<Walk> walks = {{"kernel k", {{"    a = load %x[i]   0.5   i = 3, j = 2"}}}};
  const Lines view = WalkPosition(walks).view(20, 12);
  CHECK(view[1] == ">     a = load %x[i");
  CHECK(view[3] == "a = load %x[i]   0.");
  CHECK(view[4] == "5   i = 3, j = 2");
}

TEST_CASE("a walk as text", "[repl]") {
  CHECK(walk_text(kWalks[0]) == "one\n    reads  a\n    gives  b\ntwo\nthree\n");
  CHECK(walk_text(kWalks[1]) == "four\nit failed\n");
}

}  // namespace
}  // namespace glint
