#include "backends/cuda/caching_allocator.h"

#include <fmt/format.h>

#include <algorithm>

namespace glint::cuda {
namespace {

constexpr size_t kSmallUnit = 512;
constexpr size_t kSmallest = size_t(1) << 20;  ///< of the large blocks
constexpr size_t kLargeUnit = size_t(2) << 20;

size_t block_size(size_t bytes) {
  const size_t unit = bytes < kSmallest ? kSmallUnit : kLargeUnit;
  return (std::max<size_t>(bytes, 1) + unit - 1) / unit * unit;
}

/// The largest kept block that a request may take.
size_t most_for(size_t block) {
  return block < kSmallest ? block : block + block / 3;
}

std::string size_text(uint64_t bytes) {
  const double amount = static_cast<double>(bytes);
  if (bytes < (1u << 20)) return fmt::format("{:.2f} KiB", amount / 1024);
  if (bytes < (1u << 30)) return fmt::format("{:.2f} MiB", amount / (1 << 20));
  return fmt::format("{:.2f} GiB", amount / (1 << 30));
}

}  // namespace

Result<uint64_t> CachingAllocator::take(size_t block) {
  const auto kept = kept_.lower_bound(block);
  if (kept != kept_.end() && kept->first <= most_for(block)) {
    const uint64_t address = kept->second;
    in_use_[address] = kept->first;
    kept_.erase(kept);
    return address;
  }
  ++statistics_.device_requests;
  Result<uint64_t> made = gpu_.allocate(block);
  if (!made && !kept_.empty()) {
    empty();
    made = gpu_.allocate(block);
  }
  if (!made) return made;
  statistics_.reserved += block;
  statistics_.most_reserved = std::max(statistics_.most_reserved, statistics_.reserved);
  in_use_[*made] = block;
  return made;
}

Result<uint64_t> CachingAllocator::allocate(size_t bytes) {
  const size_t block = block_size(bytes);
  Result<uint64_t> address = take(block);
  if (!address)
    return Error{fmt::format(
        "CUDA out of memory. Tried to allocate {}. GPU 0 has a total capacity of {} of which {} "
        "is allocated by tensors.",
        size_text(block), size_text(gpu_.properties().memory_bytes),
        size_text(statistics_.allocated))};
  gpu_.set_used(*address, bytes);
  statistics_.allocated += in_use_[*address];
  statistics_.most_allocated = std::max(statistics_.most_allocated, statistics_.allocated);
  return address;
}

void CachingAllocator::free(uint64_t address) {
  const size_t block = in_use_.extract(address).mapped();
  statistics_.allocated -= block;
  kept_.emplace(block, address);
}

void CachingAllocator::empty() {
  for (const auto& [block, address] : kept_) {
    gpu_.free(address);
    statistics_.reserved -= block;
  }
  kept_.clear();
}

void CachingAllocator::reset_peaks() {
  statistics_.most_allocated = statistics_.allocated;
  statistics_.most_reserved = statistics_.reserved;
}

}  // namespace glint::cuda
