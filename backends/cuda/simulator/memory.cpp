#include "backends/cuda/simulator/memory.h"

#include <fmt/format.h>

#include <algorithm>

namespace glint::simulator {

uint64_t Memory::add(std::string name, void* bytes, uint64_t size, bool writable) {
  size_t& index = first_free_;
  while (index < regions_.size() && regions_[index].bytes != nullptr) ++index;
  if (index == regions_.size()) regions_.emplace_back();
  regions_[index] = {std::move(name), static_cast<std::byte*>(bytes), size, writable};
  return (index + 1) << kRegionBits;
}

void Memory::remove(uint64_t address) {
  const uint64_t index = (address >> kRegionBits) - 1;
  if (index >= regions_.size()) return;
  regions_[index] = {};
  first_free_ = std::min(first_free_, static_cast<size_t>(index));
}

void Memory::resize(uint64_t address, uint64_t size) {
  const uint64_t index = (address >> kRegionBits) - 1;
  if (index < regions_.size()) regions_[index].size = size;
}

void Memory::rename(uint64_t address, const std::string& name) {
  const uint64_t index = (address >> kRegionBits) - 1;
  if (index < regions_.size()) regions_[index].name = name;
}

Memory Memory::clone(std::deque<std::vector<std::byte>>& bytes) const {
  Memory copy = *this;
  for (Region& region : copy.regions_) {
    if (region.bytes == nullptr) continue;
    // Never without a byte: that would be no buffer.
    std::vector<std::byte>& own = bytes.emplace_back(region.bytes, region.bytes + region.size);
    own.push_back(std::byte{0});
    region.bytes = own.data();
  }
  return copy;
}

std::string Memory::describe(uint64_t address) const {
  const Region* found = region(address);
  if (found && !found->bytes) found = nullptr;
  const uint64_t offset = address & ((1ull << kRegionBits) - 1);
  // An offset near the upper end comes from a negative index of the next buffer.
  const uint64_t before_next = (1ull << kRegionBits) - offset;
  const Region* next = region(address + before_next);
  if (next && next->bytes && before_next < offset && (!found || offset >= found->size)) {
    return fmt::format("byte -{} of `{}`, before its begin", before_next, next->name);
  }
  if (!found) return fmt::format("address {:#x}, which is in no buffer", address);
  return fmt::format("byte {} of `{}`, which has {}", offset, found->name, found->size);
}

}  // namespace glint::simulator
