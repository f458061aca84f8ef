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
  if (bytes <= 1024) return fmt::format("{} bytes", bytes);
  if (bytes <= (1u << 20)) return fmt::format("{:.2f} KiB", amount / 1024);
  if (bytes <= (1u << 30)) return fmt::format("{:.2f} MiB", amount / (1 << 20));
  return fmt::format("{:.2f} GiB", amount / (1 << 30));
}

}  // namespace

void Amount::add(uint64_t amount) {
  current += amount;
  added += amount;
  peak = std::max(peak, current);
}

void Amount::remove(uint64_t amount) {
  current -= amount;
  removed += amount;
}

Result<uint64_t> CachingAllocator::ask(size_t block) {
  ++statistics_.device_requests;
  if (block > limit_ || statistics_.reserved.current > limit_ - block)
    return Error{"the process has had all that it may"};
  return gpu_.allocate(block);
}

Result<uint64_t> CachingAllocator::take(size_t block) {
  const auto kept = kept_.lower_bound(block);
  if (kept != kept_.end() && kept->first <= most_for(block)) {
    const uint64_t address = kept->second;
    in_use_[address] = kept->first;
    kept_.erase(kept);
    return address;
  }
  Result<uint64_t> made = ask(block);
  if (!made && !kept_.empty()) {
    ++statistics_.retries;
    empty();
    made = ask(block);
  }
  if (!made) return made;
  statistics_.reserved.add(block);
  statistics_.segments.add(1);
  in_use_[*made] = block;
  return made;
}

Error CachingAllocator::out_of_memory(size_t block) const {
  const uint64_t capacity = gpu_.properties().memory_bytes;
  const std::string allowed =
      limit_ < capacity ? fmt::format("{} allowed; ", size_text(limit_)) : std::string();
  const uint64_t unused = statistics_.reserved.current - statistics_.allocated.current;
  return Error{fmt::format(
      "CUDA out of memory. Tried to allocate {}. GPU 0 has a total capacity of {} of which {} is "
      "free. {}Of the allocated memory {} is allocated by PyTorch, and {} is reserved by PyTorch "
      "but unallocated.",
      size_text(block), size_text(capacity), size_text(gpu_.free_bytes()), allowed,
      size_text(statistics_.allocated.current), size_text(unused))};
}

Result<uint64_t> CachingAllocator::allocate(size_t bytes) {
  const size_t block = block_size(bytes);
  Result<uint64_t> address = take(block);
  if (!address) {
    ++statistics_.failures;
    return out_of_memory(block);
  }
  gpu_.set_used(*address, bytes);
  statistics_.allocated.add(in_use_[*address]);
  statistics_.blocks.add(1);
  return address;
}

void CachingAllocator::free(uint64_t address) {
  const size_t block = in_use_.extract(address).mapped();
  statistics_.allocated.remove(block);
  statistics_.blocks.remove(1);
  kept_.emplace(block, address);
}

void CachingAllocator::empty() {
  if (before_giving_back_ != nullptr) before_giving_back_();
  for (const auto& [block, address] : kept_) {
    gpu_.free(address);
    statistics_.reserved.remove(block);
    statistics_.segments.remove(1);
  }
  kept_.clear();
}

void CachingAllocator::reset_peaks() {
  for (Amount* each :
       {&statistics_.allocated, &statistics_.reserved, &statistics_.blocks, &statistics_.segments})
    each->reset_peak();
}

}  // namespace glint::cuda
