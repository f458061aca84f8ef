#include "repl/walker.h"

#include <fmt/format.h>

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
  const std::string keys = "q leaves, Right and Left step, Home, End and a number jump";
  CHECK(position.view(80, 20) ==
        Lines{"graph f   1 of 3", "> one", "  two", "  three", "", "reads  a", "gives  b", keys});
  CHECK(position.view(6, 20)[0] == "graph");
  const std::vector<Walk> long_title = {{std::string(90, 'a'), {{"one"}}}};
  CHECK(WalkPosition(long_title).view(40, 20)[0] == std::string(30, 'a') + "   1 of 1");
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

/// A warp's way from its instruction 101 on, of 300.
const std::vector<Walk> kWarps = {
    {.title = "warp 0",
     .steps = {{.line = "mov", .above = "  3  a = 1"},
               {.line = "add"},
               {.line = "bar", .above = "  4  wait", .is_seen = true},
               {.line = "ret"}},
     .first = 101,
     .all = "300",
     .end = "... to 104"},
    {.title = "warp 1", .steps = {{.line = "mov", .above = "  3  a = 1"}, {.line = "ret"}}}};

TEST_CASE("letters jump along a warp's way", "[repl]") {
  WalkPosition position(kWarps);
  auto title = [&] { return position.view(80, 20).front(); };
  auto after = [&](const char* letter) {
    CHECK(position.act({KeyKind::kText, letter}));
    return title();
  };
  CHECK(title() == "warp 0   101 of 300");
  CHECK(after("l") == "warp 0   103 of 300");
  CHECK(after("L") == "warp 0   101 of 300");
  CHECK(after("b") == "warp 0   103 of 300");
  CHECK(after("b") == "warp 0   104 of 300");
  CHECK(after("l") == "warp 1   1 of 2");
  CHECK(after("b") == "warp 1   2 of 2");
  CHECK(after("b") == "warp 1   2 of 2");
  CHECK(after("B") == "warp 1   1 of 2");
  CHECK(after("L") == "warp 0   103 of 300");
  WalkPosition other(kWalks);
  other.act({KeyKind::kText, "b"});
  CHECK(other.view(80, 20).front() == "graph f   1 of 3");
}

TEST_CASE("a number and Enter go to a step", "[repl]") {
  WalkPosition position(kWarps);
  auto type = [&](const std::string& digits) {
    for (const char digit : digits) CHECK(position.act({KeyKind::kText, std::string(1, digit)}));
  };
  auto title = [&] { return position.view(80, 20).front(); };
  type("103");
  CHECK(title() == "warp 0   101 of 300");
  CHECK(position.view(80, 20).back() == "to 103, with Enter");
  position.act({KeyKind::kEnter});
  CHECK(title() == "warp 0   103 of 300");
  type("109");
  position.act({KeyKind::kBackspace});
  CHECK(position.view(80, 20).back() == "to 10, with Enter");
  CHECK(position.act({KeyKind::kEscape}));
  CHECK(title() == "warp 0   103 of 300");
  for (const auto& [number, shown] : {std::pair("7", "101"), std::pair("999999999999", "104")}) {
    type(number);
    position.act({KeyKind::kEnter});
    CHECK(title() == fmt::format("warp 0   {} of 300", shown));
  }
}

TEST_CASE("a line of the source stands above its first instruction", "[repl]") {
  const Lines view = WalkPosition(kWarps).view(80, 20);
  CHECK(Lines(view.begin() + 1, view.begin() + 7) ==
        Lines{"    3  a = 1", "> mov", "  add", "    4  wait", "  bar", "  ret"});
  for (size_t height : {1, 7, 8, 10})
    CHECK(WalkPosition(kWarps).view(80, height).size() <= std::max<size_t>(height, 7));
  CHECK(walk_text(kWarps[1]) == "  3  a = 1\nmov\nret\n");
}

TEST_CASE("a walk as text", "[repl]") {
  CHECK(walk_text(kWalks[0]) == "one\n    reads  a\n    gives  b\ntwo\nthree\n");
  CHECK(walk_text(kWalks[1]) == "four\nit failed\n");
}

}  // namespace
}  // namespace glint
