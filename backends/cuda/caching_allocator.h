// Memory of a GPU for tensors, kept when it is freed: asking the driver waits for the device.
//
//     CachingAllocator memory(gpu);
//     Result<uint64_t> x = memory.allocate(1000);     // a block of 1024 bytes
//     memory.free(*x);                                // kept for the next of that size
//
//   up to 1 MiB   blocks of whole 512 bytes; one is used again for the same size
//   above         blocks of whole 2 MiB; one is used again for what takes at least three quarters
//
// Where the device has no more, or the process has had all that it may (`limit_to`), all kept
// blocks are given back and it is asked once again.
//
// A block belongs to the stream in use when it was taken, and is used again there alone, also while
// kernels that read it still run: a stream works in order. Who uses it in another stream says so
// (`note_use`); once freed it waits then until those streams have come past that point.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "backends/cuda/device.h"

namespace glint::cuda {

/// Something that is taken and given back: how much there is, was at most, and ever went in and
/// out.
struct Amount {
  uint64_t current = 0;
  uint64_t peak = 0;
  uint64_t added = 0;
  uint64_t removed = 0;

  void add(uint64_t amount);
  void remove(uint64_t amount);
  void reset_peak() { peak = current; }
};

struct MemoryStatistics {
  Amount allocated;              ///< bytes of the blocks in use
  Amount reserved;               ///< bytes taken from the device, used or kept
  Amount blocks;                 ///< how many are in use
  Amount segments;               ///< how many are taken from the device
  uint64_t device_requests = 0;  ///< how often the device was asked
  uint64_t retries = 0;          ///< how often again, with an empty cache
  uint64_t failures = 0;         ///< how often in vain
};

class CachingAllocator {
 public:
  /// `before_giving_back`: called before memory goes back to the device.
  explicit CachingAllocator(Gpu& gpu, void (*before_giving_back)() = nullptr)
      : gpu_(gpu), before_giving_back_(before_giving_back) {}
  CachingAllocator(const CachingAllocator&) = delete;
  CachingAllocator& operator=(const CachingAllocator&) = delete;

  /// The error has PyTorch's words.
  Result<uint64_t> allocate(size_t bytes);
  void free(uint64_t address);
  /// Work of that stream uses the memory too.
  void note_use(uint64_t address, GpuStream stream);
  /// Gives kept blocks back to the device.
  void empty();

  const MemoryStatistics& statistics() const { return statistics_; }
  void reset_peaks();
  /// The most that may be reserved; all of the device's memory lifts the limit.
  void limit_to(uint64_t bytes) { limit_ = bytes; }

 private:
  struct Block {
    size_t size = 0;
    GpuStream stream = 0;
    std::vector<GpuStream> also_used = {};
  };
  /// One that is freed, while other streams may still use it.
  struct WaitingBlock {
    uint64_t address = 0;
    Block block;
    std::vector<std::shared_ptr<const GpuEvent>> uses = {};
  };
  using KeptBlocks = std::multimap<size_t, uint64_t>;

  Result<std::optional<uint64_t>> take(size_t block);
  Result<std::optional<uint64_t>> ask(size_t block);
  Error out_of_memory(size_t block) const;
  void keep(uint64_t address, const Block& block) {
    kept_[block.stream].emplace(block.size, address);
  }
  /// Keeps those that no stream uses any more; `waits` for all.
  void keep_finished(bool waits);

  Gpu& gpu_;
  void (*before_giving_back_)();
  uint64_t limit_ = ~uint64_t{0};
  std::map<GpuStream, KeptBlocks> kept_;  ///< of each stream, by size
  std::unordered_map<uint64_t, Block> in_use_;
  std::vector<WaitingBlock> waiting_;
  MemoryStatistics statistics_;
};

}  // namespace glint::cuda
