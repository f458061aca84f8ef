// `:gpu` and `:step`: counts stand beside the line of CUDA C++ that they belong to, and a walk
// shows what an instruction wrote, without changing the device's memory.
#include <cstdlib>
#include <iostream>
#include <regex>

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "backends/cuda/compile/nvrtc.h"
#include "backends/cuda/compile/register_counts.h"
#include "backends/cuda/launch/text_kernel.h"
#include "backends/cuda/listing/gpu_listing.h"
#include "backends/cuda/listing/warp_walk.h"
#include "core/tensor/accelerator.h"
#include "runtime/device/install.h"

namespace glint {
namespace {

constexpr const char* kSource = R"(
extern "C" __global__ void double_each(int* x) {
  x[threadIdx.x] *= 2;
}
)";

TEST_CASE("a kernel's counts and its steps") {
  setenv("GLINT_GPU", "sim", 1);
  device::install();
  if (!cuda::load_nvrtc()) {
    std::cerr << "SKIPPED, without NVRTC: :gpu and :step\n";
    return;
  }
  const Tensor x = Tensor::full(Dims{32}, int64_t{3}, DType::kInt32, Device::cuda());
  cuda::text_kernel(kSource, "double_each")
      .launch(1, 32, {cuda::gpu_argument(reinterpret_cast<uint64_t>(x.raw_data()), "x")});
  const std::string counts = cuda::gpu_text({"double_each"});
  CHECK(counts.find("double_each: 1 launch, the last of 1 block of 32 threads") == 0);
  // As `:kernels` counts them, by NVRTC's machine code.
  const auto registers = cuda::assembled_registers(kSource, "compute_80", "double_each");
  REQUIRE(registers);
  CHECK(counts.find(fmt::format("threads; {} registers, 0 bytes", *registers)) !=
        std::string::npos);
  // One load and one store of 128 bytes, in 8 sectors, all of them used.
  const size_t line = counts.find("x[threadIdx.x] *= 2;");
  REQUIRE(line != std::string::npos);
  const size_t begin = counts.rfind('\n', line);
  CHECK(counts.substr(begin, line - begin).find("   8  100 %") != std::string::npos);
  const auto walk = cuda::walk_warp({"double_each"}, {});
  REQUIRE(walk);
  auto writes = [&](const std::string& values) {
    return std::ranges::any_of(walk->steps, [&](const cuda::WarpStep& step) {
      return step.instruction.find(values) != std::string::npos;
    });
  };
  CHECK(writes("= 0, 1, 2, 3 ... 31"));
  CHECK(writes("= 6 in all"));
  CHECK(writes("= 12 in all"));
  CHECK(walk->end.empty());
  CHECK(walk->all == std::to_string(walk->steps.size()));
  CHECK(walk->steps[1].instruction.find("         2  ffffffff  ") == 0);
  CHECK(cuda::walk_warp({"double_each"}, {.most = 2})->end ==
        fmt::format("... to 2 of {} instructions; `--from 3` goes on", walk->all));
  const auto rest = cuda::walk_warp({"double_each"}, {.from = walk->steps.size() - 1});
  REQUIRE(rest->steps.size() == 2);
  CHECK(rest->steps[0].instruction == walk->steps[walk->steps.size() - 2].instruction);
  CHECK(rest->steps[0].is_seen);
  CHECK_FALSE(rest->steps[1].is_seen);
  CHECK(rest->end.empty());
  const auto beyond = cuda::walk_warp({"double_each"}, {.from = 1000});
  CHECK(beyond->steps.empty());
  CHECK(beyond->end == fmt::format("there are {} instructions", walk->all));
  CHECK(Tensor::view_of(x, {}, {}, 31).item().as_int() == 6);
  CHECK(cuda::gpu_text({"nothing"}).find("no kernel `nothing` ran") == 0);
}

// The table's address is added to as integers are.
constexpr const char* kTable = R"(
__device__ const int table[64] = {1, 2, 3};
extern "C" __global__ void look_up(int* x) {
  x[threadIdx.x] = table[x[threadIdx.x]];
}
)";

TEST_CASE("addresses are hexadecimal, with the buffer that they point into") {
  setenv("GLINT_GPU", "sim", 1);
  device::install();
  if (!cuda::load_nvrtc()) return;
  const Tensor x = Tensor::full(Dims{32}, int64_t{1}, DType::kInt32, Device::cuda());
  cuda::text_kernel(kTable, "look_up")
      .launch(1, 32, {cuda::gpu_argument(reinterpret_cast<uint64_t>(x.raw_data()), "x")});
  // What it is called now is of no account.
  cuda::text_kernel(kSource, "double_each")
      .launch(1, 32, {cuda::gpu_argument(reinterpret_cast<uint64_t>(x.raw_data()), "y")});
  const auto walk = cuda::walk_warp({"look_up"}, {});
  REQUIRE(walk);
  size_t of_x = 0, of_table = 0;
  for (const cuda::WarpStep& step : walk->steps) {
    INFO(step.instruction);
    CHECK_FALSE(std::regex_search(step.instruction, std::regex("= [0-9]{10}")));
    of_x += std::regex_search(step.instruction, std::regex("= 0x[0-9a-f]+0000 of x in all"));
    of_x += std::regex_search(step.instruction, std::regex("= 0x[0-9a-f, x]+ [.]{3} 0x\\w+ of x$"));
    of_table += std::regex_search(step.instruction, std::regex("0x[0-9a-f]+ of table in all"));
  }
  CHECK(of_x >= 2);
  CHECK(of_table >= 2);
}

}  // namespace
}  // namespace glint
