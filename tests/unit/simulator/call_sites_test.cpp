// Which line of the entry inlined code belongs to, where a function is called at several places and
// the code behind them is copied.
#include "backends/cuda/simulator/call_sites.h"

#include <catch2/catch.hpp>

namespace glint::simulator {
namespace {

class Lines {
 public:
  uint32_t at(uint32_t line) { return sites_.lines_at(place(line), std::nullopt).entry.line; }
  uint32_t inlined(uint32_t line, uint32_t caller) {
    return sites_.lines_at(place(line), place(caller)).entry.line;
  }

 private:
  static SourcePlace place(uint32_t line) { return {{1, line}, 3}; }
  CallSites sites_;
};

TEST_CASE(
    "call sites: what is inlined belongs to the entry's line, through all functions between") {
  Lines lines;
  CHECK(lines.at(88) == 88);
  CHECK(lines.inlined(65, 88) == 88);
  CHECK(lines.inlined(58, 65) == 88);
  CHECK(lines.inlined(36, 58) == 88);
  CHECK(lines.inlined(57, 65) == 88);
  CHECK(lines.inlined(36, 58) == 88);
  CHECK(lines.at(90) == 90);
  CHECK(lines.inlined(36, 58) == 88);
}

TEST_CASE("call sites: two calls of a function are told apart, in a copy of both too") {
  Lines lines;
  lines.at(80);
  for (const uint32_t call : {88, 89}) {
    lines.at(call);
    lines.inlined(65, call);
    lines.inlined(58, 65);
    for (int step = 0; step < 5; ++step) CHECK(lines.inlined(36, 58) == call);
  }
  for (int copy = 0; copy < 2; ++copy) {
    lines.at(80);
    for (const uint32_t call : {88, 89})
      for (int step = 0; step < 5; ++step) CHECK(lines.inlined(36, 58) == call);
  }
}

TEST_CASE("call sites: of what a header has the innermost line of the entry's file is kept") {
  CallSites sites;
  const auto place = [](uint32_t file, uint32_t line) { return SourcePlace{{file, line}, 3}; };
  sites.lines_at(place(1, 20), std::nullopt);
  sites.lines_at(place(1, 14), place(1, 20));
  sites.lines_at(place(2, 900), place(1, 14));
  const CodeLines lines = sites.lines_at(place(3, 50), place(2, 900));
  CHECK(lines.inner == SourceLine{3, 50});
  CHECK(lines.own == SourceLine{1, 14});
  CHECK(lines.entry == SourceLine{1, 20});
  // Code of no line is its caller's.
  CHECK(sites.lines_at(place(2, 0), place(1, 14)).own == SourceLine{1, 14});
}

TEST_CASE("call sites: a place that nobody named before is its own caller's line") {
  Lines lines;
  CHECK(lines.inlined(12, 75) == 75);
  CHECK(lines.at(0) == 0);
}

}  // namespace
}  // namespace glint::simulator
