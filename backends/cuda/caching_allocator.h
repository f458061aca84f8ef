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
// blocks are given back and it is asked once again. A block may be used again while kernels that
// read it still run: the device works in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>

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
  /// Gives kept blocks back to the device.
  void empty();

  const MemoryStatistics& statistics() const { return statistics_; }
  void reset_peaks();
  /// The most that may be reserved; all of the device's memory lifts the limit.
  void limit_to(uint64_t bytes) { limit_ = bytes; }

 private:
  Result<uint64_t> take(size_t block);
  Result<uint64_t> ask(size_t block);
  Error out_of_memory(size_t block) const;

  Gpu& gpu_;
  void (*before_giving_back_)();
  uint64_t limit_ = ~uint64_t{0};
  std::multimap<size_t, uint64_t> kept_;         ///< by size
  std::unordered_map<uint64_t, size_t> in_use_;  ///< the size of each block
  MemoryStatistics statistics_;
};

}  // namespace glint::cuda
