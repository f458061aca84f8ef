// Which memory of the processor is pinned: blocks by their first byte.
//
//     blocks.add(block, 4096);
//     blocks.holds(block + 100)      // true
#pragma once

#include <cstddef>
#include <iterator>
#include <map>

namespace glint::cuda {

class PinnedBlocks {
 public:
  void add(const void* block, size_t bytes) {
    sizes_[static_cast<const std::byte*>(block)] = bytes;
  }
  void remove(const void* block) { sizes_.erase(static_cast<const std::byte*>(block)); }
  size_t bytes_of(const void* block) const {
    return sizes_.at(static_cast<const std::byte*>(block));
  }
  /// The block that a place is within; null where it is in none.
  const void* block_of(const void* place) const {
    const auto* byte = static_cast<const std::byte*>(place);
    const auto above = sizes_.upper_bound(byte);
    if (above == sizes_.begin()) return nullptr;
    const auto& [begin, bytes] = *std::prev(above);
    return byte < begin + bytes ? begin : nullptr;
  }
  bool holds(const void* place) const { return block_of(place) != nullptr; }

 private:
  std::map<const std::byte*, size_t> sizes_;
};

}  // namespace glint::cuda
