// Memory of a GPU for tensors, kept when it is freed: asking the driver waits for the device.
//
//     CachingAllocator memory(gpu);
//     Result<uint64_t> x = memory.allocate(1000);     // a block of 1024 bytes
//     memory.free(*x);                                // kept for the next of that size
//
//   up to 1 MiB   blocks of whole 512 bytes; one is used again for the same size
//   above         blocks of whole 2 MiB; one is used again for what takes at least three quarters
//
// Where the device has no more, all kept blocks are given back and it is asked once again. A block
// may be used again while kernels that read it still run: the device works in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>

#include "backends/cuda/device.h"

namespace glint::cuda {

struct MemoryStatistics {
  uint64_t allocated = 0;  ///< bytes of the blocks in use
  uint64_t most_allocated = 0;
  uint64_t reserved = 0;  ///< bytes taken from the device, used or kept
  uint64_t most_reserved = 0;
  uint64_t device_requests = 0;  ///< how often the device was asked
};

class CachingAllocator {
 public:
  explicit CachingAllocator(Gpu& gpu) : gpu_(gpu) {}
  CachingAllocator(const CachingAllocator&) = delete;
  CachingAllocator& operator=(const CachingAllocator&) = delete;

  /// The error has PyTorch's words.
  Result<uint64_t> allocate(size_t bytes);
  void free(uint64_t address);
  /// Gives kept blocks back to the device.
  void empty();

  const MemoryStatistics& statistics() const { return statistics_; }
  void reset_peaks();

 private:
  Result<uint64_t> take(size_t block);

  Gpu& gpu_;
  std::multimap<size_t, uint64_t> kept_;         ///< by size
  std::unordered_map<uint64_t, size_t> in_use_;  ///< the size of each block
  MemoryStatistics statistics_;
};

}  // namespace glint::cuda
