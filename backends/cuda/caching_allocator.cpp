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

Result<std::optional<uint64_t>> CachingAllocator::ask(size_t block) {
  ++statistics_.device_requests;
  if (block > limit_ || statistics_.reserved.current > limit_ - block)
    return std::optional<uint64_t>();
  return gpu_.allocate(block);
}

Result<std::optional<uint64_t>> CachingAllocator::take(size_t block) {
  if (!waiting_.empty()) keep_finished(false);
  const GpuStream stream = gpu_.stream_in_use();
  KeptBlocks& here = kept_[stream];
  const auto kept = here.lower_bound(block);
  if (kept != here.end() && kept->first <= most_for(block)) {
    const uint64_t address = kept->second;
    in_use_[address] = {kept->first, stream};
    here.erase(kept);
    return std::optional(address);
  }
  Result<std::optional<uint64_t>> made = ask(block);
  if (made && !*made && statistics_.blocks.current < statistics_.segments.current) {
    ++statistics_.retries;
    empty();
    made = ask(block);
  }
  if (!made || !*made) return made;
  statistics_.reserved.add(block);
  statistics_.segments.add(1);
  in_use_[**made] = {block, stream};
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
  const Result<std::optional<uint64_t>> address = take(block);
  if (!address) return address.error();
  if (!*address) {
    ++statistics_.failures;
    return out_of_memory(block);
  }
  gpu_.set_used(**address, bytes);
  statistics_.allocated.add(in_use_[**address].size);
  statistics_.blocks.add(1);
  return **address;
}

void CachingAllocator::note_use(uint64_t address, GpuStream stream) {
  const auto found = in_use_.find(address);
  if (found == in_use_.end() || found->second.stream == stream) return;
  std::vector<GpuStream>& known = found->second.also_used;
  if (std::ranges::find(known, stream) == known.end()) known.push_back(stream);
}

void CachingAllocator::free(uint64_t address) {
  const Block block = in_use_.extract(address).mapped();
  statistics_.allocated.remove(block.size);
  statistics_.blocks.remove(1);
  if (block.also_used.empty()) return keep(address, block);
  WaitingBlock waiting{address, block};
  for (const GpuStream stream : block.also_used)
    if (auto event = gpu_.record(stream)) waiting.uses.push_back(std::move(*event));
  waiting_.push_back(std::move(waiting));
}

void CachingAllocator::keep_finished(bool waits) {
  std::erase_if(waiting_, [&](const WaitingBlock& each) {
    for (const auto& use : each.uses) {
      // What fails here fails again at the next call that waits.
      if (waits) (void)use->wait();
      if (!waits && !use->passed()) return false;
    }
    keep(each.address, each.block);
    return true;
  });
}

void CachingAllocator::empty() {
  if (before_giving_back_ != nullptr) before_giving_back_();
  keep_finished(true);
  for (const auto& [stream, blocks] : kept_) {
    for (const auto& [size, address] : blocks) {
      gpu_.free(address);
      statistics_.reserved.remove(size);
      statistics_.segments.remove(1);
    }
  }
  kept_.clear();
}

void CachingAllocator::reset_peaks() {
  for (Amount* each :
       {&statistics_.allocated, &statistics_.reserved, &statistics_.blocks, &statistics_.segments})
    each->reset_peak();
}

}  // namespace glint::cuda
