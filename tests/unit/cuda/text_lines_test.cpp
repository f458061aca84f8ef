// Which line of a text an instruction belongs to, and PTX as it is shown.
#include "backends/cuda/listing/text_lines.h"

#include <catch2/catch.hpp>

namespace glint::cuda {
namespace {

const std::vector<std::string> kFiles = {"", "/folder/glint.cu", "/include/cuda_fp16.h"};
constexpr uint32_t kText = 1, kHeader = 2;

TEST_CASE("a line of a user's text is of itself, a header's of the kernel's that calls it") {
  TextLines lines(kFiles, true);
  CHECK(lines.line_of({}, {}) == 0);
  CHECK(lines.line_of({kText, 3}, {kText, 8}) == 3);
  CHECK(lines.line_of({kHeader, 5122}, {kText, 9}) == 9);
  CHECK(lines.line_of({kHeader, 5122}, {kHeader, 5122}) == 9);
}

TEST_CASE("a function of Glint's own text is of the line that calls it") {
  TextLines lines(kFiles, false);
  CHECK(lines.line_of({kText, 3}, {kText, 8}) == 8);
}

TEST_CASE("what has no line is of the one before it") {
  TextLines lines(kFiles, false);
  CHECK(lines.line_of({kText, 4}, {kText, 4}) == 4);
  CHECK(lines.line_of({kText, 0}, {kText, 0}) == 4);
}

TEST_CASE("the operands of PTX begin in one column") {
  CHECK(without_tabs("\tmov.u32 \t%r7, %tid.x;", 12) == "    mov.u32     %r7, %tid.x;");
  CHECK(without_tabs("\t@%p1 bra \t$L__BB0_2;", 12) == "    @%p1 bra    $L__BB0_2;");
  CHECK(without_tabs("\tcvta.to.global.u64 \t%rd2, %rd1;", 12) ==
        "    cvta.to.global.u64  %rd2, %rd1;");
  CHECK(without_tabs("and.b32  \t%r1, %r2, 1;", 0) == "and.b32  %r1, %r2, 1;");
  CHECK(without_tabs("$L__BB0_2:", 12) == "$L__BB0_2:");
}

}  // namespace
}  // namespace glint::cuda
