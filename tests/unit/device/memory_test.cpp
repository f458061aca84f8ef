// The caching allocator: what is freed is used again, statistics add up, and a device without
// memory is asked once more when the cache is empty.
#include <catch2/catch.hpp>

#include "backends/cuda/device/caching_allocator.h"

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
  uint64_t hand_out(uint64_t memory, size_t offset, size_t bytes) override {
    handed_out[memory + offset] = bytes;
    return memory + offset;
  }
  std::optional<Error> upload(uint64_t, const void*, size_t, bool) override { return std::nullopt; }
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

  std::map<uint64_t, size_t> handed_out;
  std::shared_ptr<bool> come_past = std::make_shared<bool>(false);  ///< what events wait for

 private:
  GpuStream stream_ = 0;
  GpuProperties properties_;
  uint64_t left_;
  uint64_t next_ = 1u << 30;
  std::map<uint64_t, size_t> sizes_;
};

constexpr size_t kMegabyte = size_t{1} << 20;

TEST_CASE("small requests are parts of one segment, and use its free memory again") {
  CountedGpu gpu(64 * kMegabyte);
  CachingAllocator memory(gpu);
  const MemoryAmounts& all = memory.statistics().all;
  const uint64_t first = *memory.allocate(1000);
  CHECK(all.allocated_bytes.current == 1024);
  CHECK(all.requested_bytes.current == 1000);
  CHECK(gpu.handed_out[first] == 1000);
  const uint64_t second = *memory.allocate(512);
  CHECK(second == first + 1024);
  memory.free(first);
  CHECK(*memory.allocate(700) == first);
  CHECK(gpu.handed_out[first] == 700);
  CHECK(all.allocated_bytes.current == 1536);
  CHECK(all.reserved_bytes.current == 2 * kMegabyte);
  CHECK(all.allocated_bytes.peak == 1536);
  CHECK(memory.statistics().device_allocations == 1);
}

TEST_CASE("temporaries of growing sizes take one segment") {
  CountedGpu gpu(64 * kMegabyte);
  CachingAllocator memory(gpu);
  for (size_t bytes = 1; bytes < kMegabyte; bytes += 520) memory.free(*memory.allocate(bytes));
  CHECK(memory.statistics().all.reserved_bytes.current == 2 * kMegabyte);
  CHECK(memory.statistics().device_allocations == 1);
}

TEST_CASE("the block that fits best serves a request, and of those the first") {
  CountedGpu gpu(64 * kMegabyte);
  CachingAllocator memory(gpu);
  uint64_t blocks[6];
  const size_t sizes[] = {4096, 512, 2048, 512, 2048, 512};
  for (size_t i = 0; i < 6; ++i) blocks[i] = *memory.allocate(sizes[i]);
  for (const size_t freed : {4, 0, 2}) memory.free(blocks[freed]);
  CHECK(*memory.allocate(1500) == blocks[2]);
  CHECK(*memory.allocate(2048) == blocks[4]);
  CHECK(*memory.allocate(2048) == blocks[0]);
}

TEST_CASE("free neighbours become one, and a segment of which nothing is used goes back") {
  CountedGpu gpu(64 * kMegabyte);
  CachingAllocator memory(gpu);
  const MemoryAmounts& all = memory.statistics().all;
  uint64_t blocks[3];
  for (uint64_t& block : blocks) block = *memory.allocate(4096);
  CHECK(all.inactive_split.current == 1);  // the rest of the segment
  CHECK(all.inactive_split_bytes.current == 2 * kMegabyte - 3 * 4096);
  memory.free(blocks[0]);
  CHECK(all.inactive_split.current == 2);
  memory.empty();  // cannot: other parts are used
  CHECK(all.segment.current == 1);
  memory.free(blocks[2]);
  CHECK(all.inactive_split.current == 2);
  memory.free(blocks[1]);
  CHECK(all.inactive_split.current == 0);
  CHECK(all.inactive_split_bytes.current == 0);
  CHECK(all.inactive_split_bytes.added == all.inactive_split_bytes.removed);
  CHECK(*memory.allocate(kMegabyte) == blocks[0]);
  memory.free(blocks[0]);
  memory.empty();
  CHECK(all.segment.current == 0);
  CHECK(memory.statistics().device_frees == 1);
  CHECK(gpu.free_bytes() == 64 * kMegabyte);
}

TEST_CASE("large requests share segments of 20 MiB, or have their own in whole 2 MiB") {
  CountedGpu gpu(256 * kMegabyte);
  CachingAllocator memory(gpu);
  const MemoryStatistics& statistics = memory.statistics();
  const uint64_t first = *memory.allocate(kMegabyte + 1);
  CHECK(statistics.large.reserved_bytes.current == 20 * kMegabyte);
  CHECK(statistics.large.allocated_bytes.current == kMegabyte + 512);
  CHECK(*memory.allocate(9 * kMegabyte) == first + kMegabyte + 512);
  CHECK(statistics.large.reserved_bytes.current == 20 * kMegabyte);
  CHECK(memory.allocate(11 * kMegabyte).ok());
  CHECK(statistics.large.reserved_bytes.current == 32 * kMegabyte);
  // What is left, up to 1 MiB, stays with its block.
  CHECK(statistics.large.allocated_bytes.current == 22 * kMegabyte + 512);
  CHECK(statistics.small.reserved_bytes.current == 0);
  memory.free(*memory.allocate(20));
  CHECK(statistics.small.reserved_bytes.current == 2 * kMegabyte);
  CHECK(statistics.all.reserved_bytes.current == 34 * kMegabyte);
}

TEST_CASE("no bytes take no memory") {
  CountedGpu gpu(64 * kMegabyte);
  CachingAllocator memory(gpu);
  const uint64_t nothing = *memory.allocate(0);
  CHECK(nothing != 0);
  memory.note_use(nothing, 1);
  memory.free(nothing);
  CHECK(memory.statistics().all.allocation.added == 0);
}

TEST_CASE("without memory the cache is given back, and then the error is PyTorch's") {
  CountedGpu gpu(64 * kMegabyte);
  CachingAllocator memory(gpu);
  memory.free(*memory.allocate(40 * kMegabyte));
  const Result<uint64_t> other = memory.allocate(60 * kMegabyte);
  CHECK(other.ok());
  CHECK(memory.statistics().retries == 1);
  const Result<uint64_t> none = memory.allocate(20 * kMegabyte);
  REQUIRE_FALSE(none.ok());
  CHECK(none.error().message.starts_with(
      "CUDA out of memory. Tried to allocate 20.00 MiB. GPU 0 has a total capacity of 64.00 MiB"));
  CHECK(memory.statistics().failures == 1);
  memory.free(*other);
  memory.empty();
  CHECK(memory.statistics().all.reserved_bytes.current == 0);
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
  CHECK(memory.statistics().all.allocated_bytes.current == 0);
  CHECK(memory.statistics().all.active_bytes.current == 1024);
  const uint64_t second = *memory.allocate(1000);
  CHECK(second != first);
  *gpu.come_past = true;
  CHECK(*memory.allocate(1000) == first);
  // Where there is no more memory, the others are waited for.
  *gpu.come_past = false;
  memory.note_use(first, 1);
  memory.free(first);
  memory.free(second);
  gpu.use_stream(1);
  CHECK(memory.allocate(kMegabyte));
  CHECK(*gpu.come_past);
}

}  // namespace
}  // namespace glint::cuda
