// The counters that the blocks of launches share: cleared once, and again behind a launch that was
// ended half-way.
#include <array>
#include <cstdlib>
#include <stdexcept>

#include <catch2/catch.hpp>

#include "backends/cuda/device/block_counters.h"
#include "backends/cuda/device/device_memory.h"
#include "runtime/device/install.h"

namespace glint {
namespace {

using Counts = std::array<uint32_t, 4>;

void leave(const Counts& counts) {
  cuda::fail_on_device(
      cuda::need_gpu().upload(cuda::block_counters(), counts.data(), sizeof(counts), true));
}
Counts found() {
  Counts counts = {};
  cuda::fail_on_device(
      cuda::need_gpu().download(counts.data(), cuda::block_counters(), sizeof(counts)));
  return counts;
}
void launch_that(bool is_ended) {
  const cuda::CountedLaunches counted;
  if (is_ended) throw std::runtime_error("Ctrl-C");
}

TEST_CASE("counters of blocks are zero again behind a launch that was ended half-way") {
  setenv("GLINT_GPU", "sim", 0);
  device::install();
  CHECK(found() == Counts{});
  leave({3, 0, 1, 7});
  launch_that(false);
  CHECK(found() == Counts{3, 0, 1, 7});
  CHECK_THROWS(launch_that(true));
  CHECK(found() == Counts{});
}

TEST_CASE("each stream has counters of its own") {
  setenv("GLINT_GPU", "sim", 0);
  device::install();
  cuda::Gpu& gpu = cuda::need_gpu();
  const uint64_t usual = cuda::block_counters();
  auto other = gpu.make_stream(0);
  REQUIRE(other);
  gpu.use_stream(*other);
  CHECK(cuda::block_counters() != usual);
  gpu.use_stream(0);
  CHECK(cuda::block_counters() == usual);
}

}  // namespace
}  // namespace glint
