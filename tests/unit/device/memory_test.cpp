// The caching allocator: what is freed is used again, statistics add up, and a device without
// memory is asked once more when the cache is empty.
#include <catch2/catch.hpp>

#include "backends/cuda/caching_allocator.h"

namespace glint::cuda {
namespace {

/// Passed when the test says so.
class LateEvent final : public GpuEvent {
 public:
  explicit LateEvent(std::shared_ptr<bool> passed) : passed_(std::move(passed)) {}
  bool passed() const override { return *passed_; }
  std::optional<Error> wait() const override {
    *passed_ = true;
    return std::nullopt;
  }
  Result<double> milliseconds_to(const GpuEvent&) const override { return 0.0; }

 private:
  std::shared_ptr<bool> passed_;
};

/// A device that has so many bytes and gives addresses; nothing runs on it.
class CountedGpu final : public Gpu {
 public:
  explicit CountedGpu(uint64_t bytes) : left_(bytes) { properties_.memory_bytes = bytes; }
  const GpuProperties& properties() const override { return properties_; }
  Result<std::optional<uint64_t>> allocate(size_t bytes) override {
    if (bytes > left_) return std::optional<uint64_t>();
    left_ -= bytes;
    sizes_[next_] = bytes;
    return std::optional(std::exchange(next_, next_ + (1u << 30)));
  }
  void free(uint64_t address) override { left_ += sizes_.extract(address).mapped(); }
  void set_used(uint64_t address, size_t bytes) override { used[address] = bytes; }
  std::optional<Error> upload(uint64_t, const void*, size_t) override { return std::nullopt; }
  std::optional<Error> download(void*, uint64_t, size_t) override { return std::nullopt; }
  std::optional<Error> clear(uint64_t, size_t) override { return std::nullopt; }
  Result<void*> allocate_pinned(size_t) override { return Error{"nothing is pinned here"}; }
  void free_pinned(void*) override {}
  bool is_pinned(const void*) const override { return false; }
  Result<uint64_t> address_of_pinned(void*) override { return Error{"nothing is pinned here"}; }
  bool waits_for_launches() const override { return true; }
  Result<std::shared_ptr<GpuModule>> load(const GpuImage&) override {
    return Error{"nothing runs here"};
  }
  std::optional<Error> launch(const GpuEntry&, const GpuLaunch&) override { return std::nullopt; }
  std::optional<Error> synchronise() override { return std::nullopt; }
  Result<std::unique_ptr<GpuRecord>> record_launches(const std::vector<PendingLaunch>&) override {
    return Error{"nothing runs here"};
  }
  uint64_t free_bytes() const override { return left_; }
  Result<GpuStream> make_stream(int) override { return GpuStream{1}; }
  void use_stream(GpuStream stream) override { stream_ = stream; }
  GpuStream stream_in_use() const override { return stream_; }
  bool is_done(GpuStream) const override { return true; }
  std::optional<Error> wait_for(GpuStream) override { return std::nullopt; }
  std::optional<Error> have_wait(GpuStream, const GpuEvent&) override { return std::nullopt; }
  Result<std::shared_ptr<const GpuEvent>> record(GpuStream) override {
    return std::shared_ptr<const GpuEvent>(std::make_shared<LateEvent>(come_past));
  }

  std::map<uint64_t, size_t> used;
  std::shared_ptr<bool> come_past = std::make_shared<bool>(false);  ///< what events wait for

 private:
  GpuStream stream_ = 0;
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

TEST_CASE("a block is used again in its stream alone") {
  CountedGpu gpu(64 * kMegabyte);
  CachingAllocator memory(gpu);
  const uint64_t first = *memory.allocate(1000);
  memory.free(first);
  gpu.use_stream(1);
  const uint64_t other = *memory.allocate(1000);
  CHECK(other != first);
  memory.free(other);
  gpu.use_stream(0);
  CHECK(*memory.allocate(1000) == first);
}

TEST_CASE("a block that another stream uses waits for it") {
  CountedGpu gpu(2 * kMegabyte);
  CachingAllocator memory(gpu);
  const uint64_t first = *memory.allocate(1000);
  memory.note_use(first, 1);
  memory.free(first);
  const uint64_t second = *memory.allocate(1000);
  CHECK(second != first);
  *gpu.come_past = true;
  CHECK(*memory.allocate(1000) == first);
  // Where there is no more memory, the others are waited for.
  *gpu.come_past = false;
  memory.note_use(first, 1);
  memory.free(first);
  memory.free(second);
  CHECK(memory.allocate(2 * kMegabyte));
  CHECK(*gpu.come_past);
}

}  // namespace
}  // namespace glint::cuda
