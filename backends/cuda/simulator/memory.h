// The simulated device's memory: buffers of the host, each at a device address of its own.
//
//     Memory memory;
//     uint64_t x = memory.add("x", bytes, 4096);   // 0x1000000000
//     memory.find(x + 4096, 4)                      // nothing: past the end
//
// Buffers lie 64 GiB apart, so that an address says by its upper bits which buffer it means: a
// bounds check is one look into a table, and an index that runs away never lands in another buffer.
// Below the first buffer lie the windows through which generic addresses reach shared and local
// memory, and below those nothing, so that a null pointer is found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace glint::simulator {

inline constexpr uint32_t kRegionBits = 36;
inline constexpr uint64_t kSharedWindow = 1ull << 32;
inline constexpr uint64_t kLocalWindow = 2ull << 32;
inline constexpr uint64_t kParameterWindow = 3ull << 32;

class Memory {
 public:
  /// A buffer: `size` bytes at the device address that is returned. The bytes stay the caller's.
  uint64_t add(std::string name, void* bytes, uint64_t size, bool writable = true);
  void remove(uint64_t address);
  /// Another size, within what the caller's bytes have, or another name, for messages.
  void resize(uint64_t address, uint64_t size);
  void rename(uint64_t address, const std::string& name);

  /// The same buffers at the same addresses, in memory of their own, which goes into `bytes`.
  Memory clone(std::deque<std::vector<std::byte>>& bytes) const;

  struct Region {
    std::string name;
    std::byte* bytes = nullptr;  ///< null once it is removed
    uint64_t size = 0;
    bool writable = true;
  };
  /// The region that the address' upper bits name, whether or not it holds the address.
  const Region* region(uint64_t address) const {
    const uint64_t index = (address >> kRegionBits) - 1;
    return index < regions_.size() ? &regions_[index] : nullptr;
  }
  /// The bytes at an address; null where `size` of them are not inside one buffer.
  std::byte* find(uint64_t address, uint64_t size) const {
    const Region* found = region(address);
    const uint64_t offset = address & ((1ull << kRegionBits) - 1);
    if (!found || size > found->size || offset > found->size - size) return nullptr;
    return found->bytes + offset;
  }
  /// Regions have the numbers below this.
  size_t region_count() const { return regions_.size(); }
  /// `x + 4096`, for messages.
  std::string describe(uint64_t address) const;

 private:
  std::vector<Region> regions_;
  size_t first_free_ = 0;  ///< no region before it is free
};

}  // namespace glint::simulator
