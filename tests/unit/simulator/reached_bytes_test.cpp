// Which bytes a launch reaches: each once, whoever comes to it how often.
#include "backends/cuda/simulator/reached_bytes.h"

#include "run_kernel.h"

namespace glint::simulator {
namespace {

TEST_CASE("reached bytes: each counts once, read and written apart", "[reached]") {
  Memory memory;
  std::vector<std::byte> x(100), y(4096);
  const uint64_t of_x = memory.add("x", x.data(), x.size());
  const uint64_t of_y = memory.add("y", y.data(), y.size());
  ReachedBytes reached(memory);
  for (int again = 0; again < 3; ++again) {
    reached.note(of_x, 4, AccessKind::kLoad);
    reached.note(of_x + 96, 4, AccessKind::kLoad);
    reached.note(of_y + 4080, 16, AccessKind::kStore);
    reached.note(of_y + 4088, 8, AccessKind::kStore);
  }
  reached.note(of_y, 1, AccessKind::kAtomic);
  CHECK(reached.read() == 9);
  CHECK(reached.written() == 17);
}

TEST_CASE("reached bytes: of a launch, from all blocks", "[reached]") {
  Memory memory;
  std::vector<std::byte> bytes(4096);
  const uint64_t address = memory.add("x", bytes.data(), bytes.size());
  auto module = LoadedModule::load(
      ".version 8.0 .target sm_80 .address_size 64\n.visible .entry k(.param .u64 k_0) {\n"
      ".reg .b32 %r<3>; .reg .b64 %d<4>;\n"
      "ld.param.u64 %d1, [k_0]; mov.u32 %r1, %tid.x; mul.wide.u32 %d2, %r1, 4;\n"
      "add.s64 %d3, %d1, %d2; ld.global.u32 %r2, [%d3]; st.global.u32 [%d1+1024], %r2;\n"
      "ret; }\n",
      memory);
  if (!module) FAIL(module.error().message);
  const auto program = module->program("k");
  if (!program) FAIL(program.error().message);
  ReachedBytes reached(memory);
  const auto ran =
      run(*program, memory, {.grid = {40}, .block = {64}, .arguments = {argument(address)}},
          {.reached = &reached});
  if (!ran) FAIL(ran.error().message);
  CHECK(reached.read() == 256);
  CHECK(reached.written() == 4);
}

}  // namespace
}  // namespace glint::simulator
