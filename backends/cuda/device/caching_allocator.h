// Memory of a GPU for tensors, kept when it is freed: asking the driver waits for the device. The
// design is PyTorch's, and so are the numbers that a script sees of it.
//
//     CachingAllocator memory(gpu);
//     Result<uint64_t> x = memory.allocate(1000);     // 1024 bytes of a segment of 2 MiB
//     memory.free(*x);                                // free for what comes next
//
//   1. A request is rounded up to 512 bytes. There are two pools, of requests up to 1 MiB and of
//      larger ones.
//   2. The smallest free block of the pool and of the stream that is large enough serves it, of
//      several the one with the lowest address. What is left of it becomes a free block, if that is
//      512 bytes at least in the small pool, more than 1 MiB in the large one.
//   3. Where there is none, the device gives a segment: 2 MiB in the small pool; in the large one
//      20 MiB, or for 10 MiB and more what is asked for in whole 2 MiB.
//   4. A block that is freed becomes one with its free neighbours in the segment.
//   5. Where the device has no more, or the process has had all that it may (`limit_to`), all
//      segments of which nothing is used are given back and it is asked once again.
//
// A segment belongs to the stream in use when it was taken, and serves it alone, also while kernels
// that read what is freed still run: a stream works in order. Who uses a block in another stream
// says so (`note_use`); once freed it waits then until those streams have come past that point.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <set>
#include <unordered_map>
#include <vector>

#include "backends/cuda/device/device.h"
#include "backends/cuda/device/memory_statistics.h"

namespace glint::cuda {

class CachingAllocator {
 public:
  /// `before_giving_back`: called before memory goes back to the device.
  explicit CachingAllocator(Gpu& gpu, void (*before_giving_back)() = nullptr)
      : gpu_(gpu), before_giving_back_(before_giving_back) {}
  CachingAllocator(const CachingAllocator&) = delete;
  CachingAllocator& operator=(const CachingAllocator&) = delete;

  /// The error has PyTorch's words. No bytes have an address that is none of the device's.
  Result<uint64_t> allocate(size_t bytes);
  void free(uint64_t address);
  /// Work of that stream uses the memory too.
  void note_use(uint64_t address, GpuStream stream);
  /// Gives segments of which nothing is used back to the device.
  void empty();

  const MemoryStatistics& statistics() const { return statistics_; }
  void reset_peaks() { statistics_.reset_peaks(); }
  void reset_accumulated() { statistics_.reset_accumulated(); }
  /// The most that may be reserved; all of the device's memory lifts the limit.
  void limit_to(uint64_t bytes) { limit_ = bytes; }

 private:
  struct Block;
  /// What a request asks of a free block.
  struct Need {
    GpuStream stream = 0;
    size_t size = 0;
  };
  struct BestFit {
    using is_transparent = void;
    bool operator()(const Block* a, const Block* b) const;
    bool operator()(const Block* a, const Need& b) const;
  };
  using FreeBlocks = std::set<Block*, BestFit>;
  /// A part of a segment; the parts are linked in order.
  struct Block {
    uint64_t segment = 0;
    size_t offset = 0;
    size_t size = 0;
    GpuStream stream = 0;
    MemoryPool pool = MemoryPool::kSmall;
    bool is_used = false;  ///< or another stream may still use it
    Block* before = nullptr;
    Block* after = nullptr;
    size_t requested = 0;
    std::vector<GpuStream> also_used = {};
    FreeBlocks::iterator place = {};  ///< of a free one

    bool is_part() const { return before != nullptr || after != nullptr; }
  };
  /// One that is freed, while other streams may still use it.
  struct WaitingBlock {
    Block* block = nullptr;
    std::vector<std::shared_ptr<const GpuEvent>> uses = {};
  };

  /// A free block of so many bytes at least; nothing where there is no memory.
  Result<std::optional<FreeBlocks::iterator>> find(Need need, MemoryPool pool);
  Result<std::optional<FreeBlocks::iterator>> add_segment(Need need, MemoryPool pool);
  /// Takes so much of a free block.
  Block* take(FreeBlocks::iterator place, size_t size, size_t requested);
  /// The first part of a free block, of so many bytes.
  Block* split(Block& rest, size_t size);
  /// Of a free block that has shrunk or grown: often its place among the others stays.
  void put_in_order(Block& block);
  void give_back(Block* block);
  /// The free block that it is one with now.
  Block* add_free(Block* block);
  void absorb(Block& block, Block* neighbour);
  void release(FreeBlocks& blocks);
  /// Takes back what no stream uses any more; `waits` for all.
  void take_back_finished(bool waits);
  Error out_of_memory(size_t segment) const;

  FreeBlocks& free_of(MemoryPool pool) { return pool == MemoryPool::kSmall ? small_ : large_; }
  Block* new_block();

  Gpu& gpu_;
  void (*before_giving_back_)();
  uint64_t limit_ = ~uint64_t{0};
  FreeBlocks small_, large_;
  std::unordered_map<uint64_t, Block*> in_use_;  ///< by the address that was handed out
  std::vector<WaitingBlock> waiting_;
  std::deque<Block> blocks_;   ///< where they live
  std::vector<Block*> spare_;  ///< of these, what is none any more
  MemoryStatistics statistics_;
};

}  // namespace glint::cuda
