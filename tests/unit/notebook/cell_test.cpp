#include "notebook/cell.h"

#include <catch2/catch.hpp>

#include "frontend/frontend.h"
#include "notebook/cell_history.h"
#include "notebook/name_at.h"

namespace glint::notebook {
namespace {

std::vector<Piece> apart(std::string_view cell) {
  return pieces_of(cell, [](const std::string& python) {
    return frontend::cell_completeness(python) == frontend::Completeness::kIncomplete;
  });
}

TEST_CASE("a cell is taken apart at its commands and questions", "[notebook]") {
  auto pieces = apart("x = 1\n:graph f  \n?x\n\nfor i in x:\n    i\ntorch.relu?\nx");
  REQUIRE(pieces.size() == 6);
  CHECK(pieces[0].text == "x = 1\n");
  CHECK(pieces[1].kind == PieceKind::kCommand);
  CHECK(pieces[1].text == ":graph f");
  CHECK(pieces[2].kind == PieceKind::kQuestion);
  CHECK(pieces[3].line == 4);
  CHECK(pieces[3].text == "\nfor i in x:\n    i\n");
  CHECK(pieces[4].text == "torch.relu?");
  CHECK(pieces[5].line == 8);
}

TEST_CASE("inside brackets and texts a line is Python", "[notebook]") {
  for (const char* cell : {"x = y[1\n:2]", "s = '''\n:graph\n'''", "f(\n:graph\n)"}) {
    auto pieces = apart(cell);
    REQUIRE(pieces.size() == 1);
    CHECK(pieces[0].text == std::string(cell) + "\n");
  }
  // The white space of a text is its own.
  CHECK(apart("s = '''a  \n'''")[0].text == "s = '''a  \n'''\n");
  CHECK(apart("# why?")[0].kind == PieceKind::kPython);
  CHECK(apart("\n \n").empty());
}

TEST_CASE("the name at a place", "[notebook]") {
  CHECK(name_at("torch.relu(x)", 8) == "torch.relu");
  CHECK(name_at("torch.relu(x)", 3) == "torch");
  CHECK(name_at("y = torch.relu(x, ", 18) == "torch.relu");
  CHECK(name_at("f(g(1), (2)", 11) == "f");
  CHECK(name_at("f((", 3) == "f");
  CHECK(name_at("a\n:graph f", 5) == ":graph");
  CHECK(name_at("1 + (", 5).empty());
  CHECK(name_at("f(3", 3) == "f");
  CHECK(name_at("c.m(1.5", 7) == "c.m");
  CHECK(name_at("f(x, [1, 2", 10) == "f");
  CHECK(name_at("f(a=3", 5) == "f");
  CHECK(name_at("f(\"a(b", 6) == "f");
  CHECK(name_at("f(\"a)\", 3", 9) == "f");
  CHECK(name_at("f(\"\"\"a\n(b\"\"\", x", 16) == "x");
  CHECK(name_at("f(  # g(x", 9) == "f");
  CHECK(name_at("x1.re", 5) == "x1.re");
  CHECK(name_at("", 9).empty());
}

TEST_CASE("patterns with stars and question marks", "[notebook]") {
  CHECK(fits_pattern("*", ""));
  CHECK(fits_pattern("a*c*", "abcbcd"));
  CHECK(fits_pattern("?b", "ab"));
  CHECK_FALSE(fits_pattern("?b", "b"));
  CHECK_FALSE(fits_pattern("a*d", "abc"));
  CHECK(fits_pattern("(*", "(.[^"));
}

TEST_CASE("the history by tail, range and pattern", "[notebook]") {
  CellHistory history("");
  for (uint32_t i = 1; i <= 4; ++i) history.add(i, i % 2 ? "odd" : "even " + std::to_string(i));
  auto tail = history.find({.kind = "tail", .most = 2});
  REQUIRE(tail.size() == 2);
  CHECK(tail[1].code == "even 4");
  CHECK(tail[1].line == 4);
  CHECK(history.find({.kind = "range", .session = 0, .start = 2, .stop = 4}).size() == 2);
  CHECK(history.find({.kind = "range", .session = -1}).empty());
  CHECK(history.find({.kind = "search", .pattern = "o*"}).size() == 2);
  auto once = history.find({.kind = "search", .pattern = "o*", .unique = true});
  REQUIRE(once.size() == 1);
  CHECK(once[0].line == 3);
  CHECK(history.find({.kind = "search", .most = 1, .pattern = "*"}).size() == 1);
  CHECK(history.find({.kind = "nonsense"}).empty());
}

}  // namespace
}  // namespace glint::notebook
