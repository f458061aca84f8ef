// Lines that fit a terminal.
#include <catch2/catch.hpp>

#include "repl/render/narrow.h"
#include "repl/render/text.h"

namespace glint::render {
namespace {

TEST_CASE("a table that is too wide is folded behind its first column") {
  const std::string table =
      "on a GPU (compute_80)  grid  block\n"
      "layer_norm               12    256\n"
      "softmax (3 launches)      2   1024\n"
      "a line of its own\n";
  CHECK(narrowed(table, 34) == table);
  CHECK(narrowed(table, 0) == table);
  CHECK(narrowed(table, 24) ==
        "on a GPU (compute_80)\n"
        "    grid  block\n"
        "layer_norm\n"
        "      12    256\n"
        "softmax (3 launches)\n"
        "       2   1024\n"
        "a line of its own\n");
}

TEST_CASE("of what lines of a source did the counts move together, and the source is cut") {
  const std::string counts =
      "  warps    lanes  source\n"
      "     12       96  const float a = load(x, aligned);\n"
      "     12       96  const float b = load(y, aligned);\n"
      "     12       96  all\n"
      "\n"
      "  warps    lanes  source\n";
  CHECK(narrowed(counts, 0) == counts);
  CHECK(narrowed(counts, 28) ==
        "warps lanes source\n"
        "   12    96 const float a...\n"
        "   12    96 const float b...\n"
        "   12    96 all\n"
        "\n"
        "warps lanes source\n");
}

TEST_CASE("other lines stay as they are") {
  const std::string graph =
      "%mul = multiply %x, %y : f32[4, 8]   3:22   x * y\n%relu = relu %mul\n";
  CHECK(narrowed(graph, 20) == graph);
}

TEST_CASE("prose is broken at blanks, under the column that it goes on in") {
  CHECK(folded("  first call   capture 0.38, passes 0.79, lower 0.11\n  one\n", 34) ==
        "  first call   capture 0.38,\n"
        "               passes 0.79, lower\n"
        "               0.11\n"
        "  one\n");
  CHECK(folded("  so many words that go on\n", 20) == "  so many words that\n      go on\n");
  CHECK(folded("abcdefghijklmnopqrstuvwxyz\n", 10) == "abcdefghijklmnopqrstuvwxyz\n");
}

TEST_CASE("what stands beside a line is cut to what is left, left out of code, or put below") {
  SourceMap sources;
  const SourceId source = sources.add("a.py", "y = torch.softmax(x, 1)\n");
  const Span span{source, 1, 4, 1, 23};
  const std::vector<StageLine> lines = {{"%softmax = softmax %x", {span}}};
  CHECK(text_of(lines, &sources) == "%softmax = softmax %x   1:4    torch.softmax(x, 1)\n");
  CHECK(text_of(lines, &sources, {.width = 40, .language = Language::kKernels}) ==
        "%softmax = softmax %x   1:4    torch....\n");
  CHECK(text_of(lines, &sources, {.width = 30, .language = Language::kKernels}) ==
        "%softmax = softmax %x   1:4\n");
  CHECK(text_of(lines, &sources, {.width = 25, .language = Language::kGraph}) ==
        "%softmax = softmax %x\n");
  CHECK(text_of(lines, &sources, {.width = 30}) ==
        "%softmax = softmax %x\n"
        "      1:4    torch.softmax(...\n");
}

TEST_CASE("a line that is too wide itself has its margin nearer, or none, and prose is broken") {
  SourceMap sources;
  const SourceId source = sources.add("a.py", "y = torch.softmax(x, 1)\n");
  const Span span{source, 1, 4, 1, 23};
  const std::vector<StageLine> graph = {{"%softmax = softmax %x   1:4", {span}}};
  CHECK(text_of(graph, &sources, {.width = 24, .language = Language::kGraph}) ==
        "%softmax = softmax %x\n");
  const std::vector<StageLine> code = {
      {"mul[i] = b;" + std::string(61, ' ') + "//   3  %mul  1:4", {span}}, {"}", {}}};
  CHECK(text_of(code, &sources, {.width = 60, .language = Language::kCuda}) ==
        "mul[i] = b;            //   3  %mul  1:4   torch.softmax(...\n}\n");
  CHECK(text_of(code, &sources, {.width = 24, .language = Language::kCuda}) == "mul[i] = b;\n}\n");
  const std::vector<StageLine> prose = {{"%a + %b   no   they reduce along other axes", {span}}};
  CHECK(text_of(prose, &sources, {.width = 32}) ==
        "%a + %b   no   they reduce along\n"
        "               other axes\n"
        "      1:4    torch.softmax(x, 1)\n");
}

}  // namespace
}  // namespace glint::render
