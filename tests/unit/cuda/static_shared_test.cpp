// Too much shared memory that a kernel declares: one message, with its line, whoever finds it.
#include "backends/cuda/launch/static_shared.h"

#include <catch2/catch.hpp>

namespace glint::cuda {
namespace {

const std::string kSource =
    "// too_much(\n"
    "template <class T>\n"
    "  __global__ void too_much(T* out) {\n"
    "  __shared__ T s[12289];\n"
    "}\n";
const std::string kMessage =
    "error: `too_much` declares 49156 bytes of shared memory, of which a kernel can declare 49152; "
    "`extern __shared__` and `shared_mem` give it up to 166912";

TEST_CASE("too much shared memory is told at the kernel's line, by its PTX", "[shared]") {
  const auto ptx = [](int bytes) {
    return ".visible .entry _Z8too_muchIiEvPT_(\n.shared .align 4 .b8 s[" + std::to_string(bytes) +
           "];\nmov.u32 %r1, s;\n}\n";
  };
  CHECK_FALSE(static_shared_problem(kSource, "_Z8too_muchIiEvPT_", ptx(49152), 166912));
  const auto problem = static_shared_problem(kSource, "_Z8too_muchIiEvPT_", ptx(49156), 166912);
  REQUIRE(problem);
  CHECK(print(*problem) == "glint.cu:3: " + kMessage + "\n    __global__ void too_much(T* out) {");
}

TEST_CASE("what an assembler says of it becomes that message", "[shared]") {
  const Diagnostic said{
      .message = "Entry function 'too_much' uses too much shared data (0xc004 bytes, 0xc000 max)"};
  CHECK(print(with_static_shared(said, kSource, 166912)) ==
        "glint.cu:3: " + kMessage + "\n    __global__ void too_much(T* out) {");
  CHECK(with_static_shared(said, "nothing of it", 166912).line == 0);
  const Diagnostic other{.line = 3, .message = "expected a `}`"};
  CHECK(print(with_static_shared(other, kSource, 166912)) == "glint.cu:3: error: expected a `}`");
}

}  // namespace
}  // namespace glint::cuda
