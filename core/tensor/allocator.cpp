#include "core/tensor/allocator.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <map>
#include <new>

#include "core/support/check.h"
#include "core/support/profile.h"

namespace glint {

namespace {

#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
constexpr bool kCaching = false;  // every block by itself, so that the sanitizer sees its ends
#else
constexpr bool kCaching = true;
#endif

constexpr size_t kSmallLimit = 1024;            // classes in steps of 64 bytes up to here
constexpr size_t kSlabLimit = size_t(1) << 20;  // above: blocks of their own
constexpr size_t kSlabBytes = size_t(1) << 20;
constexpr size_t kLargeUnit = size_t(2) << 20;
constexpr size_t kSmallClasses = kSmallLimit / kAllocationAlignment;  // 16
constexpr size_t kClasses = kSmallClasses + 4 * 10;  // 1 KiB to 1 MiB, 4 a doubling

struct SizeClass {
  size_t index;
  size_t bytes;
};

/// The class of a request up to `kSlabLimit`.
SizeClass size_class(size_t bytes) {
  if (bytes <= kSmallLimit) {
    size_t index = bytes == 0 ? 0 : (bytes - 1) / kAllocationAlignment;
    return {index, (index + 1) * kAllocationAlignment};
  }
  size_t exponent = size_t(std::bit_width(bytes - 1)) - 1;  // 2^exponent < bytes <= 2^(exponent+1)
  size_t step = (size_t(1) << exponent) / 4;
  size_t quarter = (bytes - 1 - (size_t(1) << exponent)) / step;
  return {kSmallClasses + (exponent - 10) * 4 + quarter,
          (size_t(1) << exponent) + (quarter + 1) * step};
}

struct FreeBlock {
  FreeBlock* next;
};

struct Allocator {
  std::array<FreeBlock*, kClasses> free_lists = {};
  std::byte* slab = nullptr;  // what is left of the newest slab
  size_t slab_left = 0;
  std::multimap<size_t, void*> large_free;
  std::map<void*, size_t> large_live;  // real sizes of large blocks in use
  AllocatorStatistics statistics;

  void* take_small(SizeClass wanted);
  void* take_large(size_t bytes);
  void give_large(void* block);
  void release_large();
};

/// Never destroyed: tensors of static lifetime may outlive any order of destruction.
Allocator& allocator() {
  static Allocator* const instance = new Allocator;
  return *instance;
}

void* system_memory(size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return memory;
}

/// Memory aligned to `kLargeUnit`, so that the system can back it with huge pages.
void* aligned_system_memory(size_t bytes) {
  auto* memory = static_cast<std::byte*>(system_memory(bytes + kLargeUnit));
  size_t skip =
      (kLargeUnit - (reinterpret_cast<uintptr_t>(memory) & (kLargeUnit - 1))) & (kLargeUnit - 1);
  if (skip) munmap(memory, skip);
  if (skip != kLargeUnit) munmap(memory + skip + bytes, kLargeUnit - skip);
  madvise(memory + skip, bytes, MADV_HUGEPAGE);
  return memory + skip;
}

void* Allocator::take_small(SizeClass wanted) {
  if (FreeBlock* block = free_lists[wanted.index]) [[likely]] {
    free_lists[wanted.index] = block->next;
    return block;
  }
  if (slab_left < wanted.bytes) {
    slab = static_cast<std::byte*>(system_memory(kSlabBytes));
    slab_left = kSlabBytes;
    statistics.reserved_bytes += kSlabBytes;
  }
  std::byte* block = slab;
  slab += wanted.bytes;
  slab_left -= wanted.bytes;
  return block;
}

void* Allocator::take_large(size_t bytes) {
  auto kept = large_free.lower_bound(bytes);
  void* block = nullptr;
  size_t real = bytes;
  if (kept != large_free.end() && kept->first <= bytes + bytes / 4 + kLargeUnit) {
    real = kept->first;
    block = kept->second;
    large_free.erase(kept);
  } else {
    try {
      block = aligned_system_memory(bytes);
    } catch (const std::bad_alloc&) {
      release_large();
      block = aligned_system_memory(bytes);
    }
    statistics.reserved_bytes += bytes;
  }
  large_live.emplace(block, real);
  return block;
}

void Allocator::give_large(void* block) {
  auto live = large_live.find(block);
  check(live != large_live.end(), "a large block is freed once");
  large_free.emplace(live->second, block);
  large_live.erase(live);
}

void Allocator::release_large() {
  for (auto& [bytes, block] : large_free) {
    munmap(block, bytes);
    statistics.reserved_bytes -= bytes;
  }
  large_free.clear();
}

size_t rounded(size_t bytes) {
  if (bytes <= kSlabLimit) return size_class(bytes).bytes;
  return (bytes + kLargeUnit - 1) / kLargeUnit * kLargeUnit;
}

void count_taken(AllocatorStatistics& statistics, size_t bytes) {
  statistics.live_bytes += bytes;
  statistics.peak_bytes = std::max(statistics.peak_bytes, statistics.live_bytes);
  ++statistics.live_blocks;
}

}  // namespace

/// Tells a profile what is in use now.
static void tell(const AllocatorStatistics& statistics) {
  if (profile::recording()) [[unlikely]]
    profile::count("tensor memory", static_cast<int64_t>(statistics.live_bytes));
}

/// What is asked of the system, without a word of how much if that fails.
static void* allocate_unchecked(size_t bytes) {
  Allocator& memory = allocator();
  if (!kCaching) {
    count_taken(memory.statistics, rounded(bytes));
    void* block = nullptr;  // of the very size asked for: the byte behind it is the sanitizer's
    if (posix_memalign(&block, kAllocationAlignment, bytes) != 0) throw std::bad_alloc();
    return block;
  }
  if (bytes <= kSlabLimit) [[likely]] {
    SizeClass wanted = size_class(bytes);
    void* block = memory.take_small(wanted);
    count_taken(memory.statistics, wanted.bytes);
    return block;
  }
  void* block = memory.take_large(rounded(bytes));
  count_taken(memory.statistics, rounded(bytes));
  return block;
}

void* allocate_bytes(size_t bytes) {
  try {
    void* block = allocate_unchecked(bytes);
    tell(allocator().statistics);
    return block;
  } catch (const std::bad_alloc&) {
    throw TensorMemoryError(fmt::format(
        "[enforce fail at alloc_cpu.cpp:127] err == 0. DefaultCPUAllocator: can't allocate memory: "
        "you tried to allocate {} bytes. Error code 12 (Cannot allocate memory)",
        bytes));
  }
}

static void free_unchecked(void* block, size_t bytes) {
  Allocator& memory = allocator();
  --memory.statistics.live_blocks;
  if (!kCaching) {
    memory.statistics.live_bytes -= rounded(bytes);
    std::free(block);
    return;
  }
  if (bytes <= kSlabLimit) [[likely]] {
    SizeClass wanted = size_class(bytes);
    memory.statistics.live_bytes -= wanted.bytes;
    auto* free_block = static_cast<FreeBlock*>(block);
    free_block->next = memory.free_lists[wanted.index];
    memory.free_lists[wanted.index] = free_block;
    return;
  }
  memory.statistics.live_bytes -= rounded(bytes);
  memory.give_large(block);
}

void free_bytes(void* block, size_t bytes) {
  free_unchecked(block, bytes);
  tell(allocator().statistics);
}

AllocatorStatistics allocator_statistics() {
  return allocator().statistics;
}
void reset_allocator_peak() {
  allocator().statistics.peak_bytes = allocator().statistics.live_bytes;
}
void release_cached_memory() {
  allocator().release_large();
}

}  // namespace glint
