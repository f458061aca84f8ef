// The caching allocator: what is freed is used again, statistics add up, and a device without
// memory is asked once more when the cache is empty.
#include <catch2/catch.hpp>

#include "backends/cuda/caching_allocator.h"

namespace glint::cuda {
namespace {

/// A device that has so many bytes and gives addresses; nothing runs on it.
class CountedGpu final : public Gpu {
 public:
  explicit CountedGpu(uint64_t bytes) : left_(bytes) { properties_.memory_bytes = bytes; }
  const GpuProperties& properties() const override { return properties_; }
  Result<uint64_t> allocate(size_t bytes) override {
    if (bytes > left_) return Error{"out of memory"};
    left_ -= bytes;
    sizes_[next_] = bytes;
    return std::exchange(next_, next_ + (1u << 30));
  }
  void free(uint64_t address) override { left_ += sizes_.extract(address).mapped(); }
  void set_used(uint64_t address, size_t bytes) override { used[address] = bytes; }
  std::optional<Error> upload(uint64_t, const void*, size_t) override { return std::nullopt; }
  std::optional<Error> download(void*, uint64_t, size_t) override { return std::nullopt; }
  std::optional<Error> clear(uint64_t, size_t) override { return std::nullopt; }
  Result<std::shared_ptr<GpuModule>> load(const std::string&, const std::string&) override {
    return Error{"nothing runs here"};
  }
  std::optional<Error> launch(const GpuEntry&, const GpuLaunch&) override { return std::nullopt; }
  std::optional<Error> synchronise() override { return std::nullopt; }
  Result<std::unique_ptr<GpuRecord>> record_launches(const std::vector<PendingLaunch>&) override {
    return Error{"nothing runs here"};
  }
  uint64_t free_bytes() const override { return left_; }
  Result<std::shared_ptr<const GpuEvent>> record() override { return Error{"nothing runs here"}; }

  std::map<uint64_t, size_t> used;

 private:
  GpuProperties properties_;
  uint64_t left_;
  uint64_t next_ = 1u << 30;
  std::map<uint64_t, size_t> sizes_;
};

constexpr size_t kMegabyte = size_t{1} << 20;

TEST_CASE("a block that is freed is used again for the same size") {
  CountedGpu gpu(64 * kMegabyte);
  CachingAllocator memory(gpu);
  const uint64_t first = *memory.allocate(1000);
  CHECK(memory.statistics().allocated.current == 1024);
  CHECK(gpu.used[first] == 1000);
  memory.free(first);
  CHECK(memory.statistics().allocated.current == 0);
  CHECK(*memory.allocate(700) == first);
  CHECK(gpu.used[first] == 700);
  CHECK(memory.statistics().device_requests == 1);
  CHECK(*memory.allocate(100) != first);
  CHECK(memory.statistics().allocated.peak == 1536);
}

TEST_CASE("a large block serves a request of at least three quarters of it") {
  CountedGpu gpu(256 * kMegabyte);
  CachingAllocator memory(gpu);
  const uint64_t block = *memory.allocate(32 * kMegabyte);
  memory.free(block);
  CHECK(*memory.allocate(26 * kMegabyte) == block);
  memory.free(block);
  CHECK(*memory.allocate(8 * kMegabyte) != block);
}

TEST_CASE("without memory the cache is given back, and then the error is PyTorch's") {
  CountedGpu gpu(64 * kMegabyte);
  CachingAllocator memory(gpu);
  memory.free(*memory.allocate(40 * kMegabyte));
  const Result<uint64_t> other = memory.allocate(60 * kMegabyte);
  CHECK(other.ok());
  const Result<uint64_t> none = memory.allocate(20 * kMegabyte);
  REQUIRE_FALSE(none.ok());
  CHECK(none.error().message.starts_with(
      "CUDA out of memory. Tried to allocate 20.00 MiB. GPU 0 has a total capacity of 64.00 MiB"));
  memory.free(*other);
  memory.empty();
  CHECK(memory.statistics().reserved.current == 0);
}

}  // namespace
}  // namespace glint::cuda
