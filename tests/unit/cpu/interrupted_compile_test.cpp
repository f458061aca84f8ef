// Ctrl-C while LLVM is at work: the compile ends at once, LLVM goes on alone, and the next compile
// does not mind.
#include <fmt/format.h>

#include <thread>

#include "core/support/apart.h"
#include "core/support/interruption.h"
#include "kernel_comparison.h"

namespace glint {
namespace {

/// So long that LLVM needs a while.
std::string long_kernel() {
  std::string text = "kernel long(%x: f32[1000], %out: f32[1000])\n  parallel i in 0..1000 {\n";
  text += "    v0 = load %x[i]\n";
  for (int i = 0; i < 40; ++i) text += fmt::format("    v{} = sin v{}\n", i + 1, i);
  return text + "    store %out[i] = v40\n  }";
}

TEST_CASE("an interrupted compile is left behind") {
  const Kernel kernel = kernel_of(long_kernel());
  interruption::request();
  CHECK_THROWS_AS(cpu::compile_kernels({&kernel}, {.reuses_code = false}),
                  interruption::Interrupted);
  CHECK_THROWS_AS(cpu::list_kernels({&kernel}, "", Stage::kAssembly), interruption::Interrupted);
  interruption::take_back();
  CHECK(apart::is_left_behind());

  compare_kernel(long_kernel(), {});
  while (apart::is_left_behind()) std::this_thread::yield();
}

}  // namespace
}  // namespace glint
