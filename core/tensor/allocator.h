// The caching allocator: memory of tensors comes from here and returns here.
//
// Fresh pages from the system are dear (mapping and touching runs at 2 to 3 GB/s), so what is freed
// is kept, by size class:
//
//   up to 1 MiB   classes of 64, 128, 192, ... bytes, then four classes a power of two; one free
//                 list each, filled from 1 MiB slabs
//   above         blocks of whole 2 MiB units; a request takes the smallest kept block that is at
//                 most a quarter larger, or a new one from the system
//
// Every block is 64-byte aligned. The allocator belongs to the thread that runs the program, as
// reference counts do: worker threads never allocate. `release_cached` returns what is unused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <utility>

namespace glint {

inline constexpr size_t kAllocationAlignment = 64;

/// There is not enough memory for a tensor; says how much was asked for, in PyTorch's words.
class TensorMemoryError final : public std::bad_alloc {
 public:
  explicit TensorMemoryError(std::string message) : message_(std::move(message)) {}
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  std::string message_;
};

/// Bytes of at least `bytes`, not initialised; 0 bytes gives a block too. Throws TensorMemoryError.
void* allocate_bytes(size_t bytes);
/// Gives back a block; `bytes` is the size that was asked for.
void free_bytes(void* block, size_t bytes);

struct AllocatorStatistics {
  size_t live_bytes = 0;      ///< in use, as rounded up to their size classes
  size_t peak_bytes = 0;      ///< the most that was in use since the last `reset_allocator_peak`
  size_t live_blocks = 0;     ///< blocks in use
  size_t reserved_bytes = 0;  ///< taken from the system, used or kept
};
AllocatorStatistics allocator_statistics();
void reset_allocator_peak();
/// Returns large blocks that are not in use to the system.
void release_cached_memory();

/// Memory for small objects of one fixed size that come and go fast (tensors, storages).
template <size_t kBytes>
class ObjectPool {
 public:
  static void* take() {
#if !defined(__SANITIZE_ADDRESS__) && !__has_feature(address_sanitizer)
    if (Node* node = free_) [[likely]] {
      free_ = node->next;
      return node;
    }
#endif
    return ::operator new(kBytes);
  }
  static void give(void* memory) {
#if !defined(__SANITIZE_ADDRESS__) && !__has_feature(address_sanitizer)
    Node* node = static_cast<Node*>(memory);
    node->next = free_;
    free_ = node;
#else
    ::operator delete(memory);
#endif
  }

 private:
  struct Node {
    Node* next;
  };
  static inline Node* free_ = nullptr;
};

}  // namespace glint
