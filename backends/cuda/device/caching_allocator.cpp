#include "backends/cuda/device/caching_allocator.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace glint::cuda {
namespace {

constexpr size_t kUnit = 512;
constexpr size_t kMegabyte = size_t{1} << 20;
constexpr size_t kMostOfSmall = kMegabyte;  ///< what the small pool serves
constexpr size_t kSmallSegment = 2 * kMegabyte;
constexpr size_t kLargeSegment = 20 * kMegabyte;
constexpr size_t kOwnSegment = 10 * kMegabyte;  ///< such a request has one of its own
constexpr size_t kSegmentUnit = 2 * kMegabyte;

/// What no bytes are handed out as: an empty tensor takes no memory.
constexpr uint64_t kNoBytes = kUnit;

size_t round_up(size_t bytes, size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

MemoryPool pool_of(size_t size) {
  return size <= kMostOfSmall ? MemoryPool::kSmall : MemoryPool::kLarge;
}

size_t segment_size(size_t size) {
  if (size <= kMostOfSmall) return kSmallSegment;
  return size < kOwnSegment ? kLargeSegment : round_up(size, kSegmentUnit);
}

/// Whether what is left of a block is worth a block.
bool is_block(size_t left, MemoryPool pool) {
  return pool == MemoryPool::kSmall ? left >= kUnit : left > kMostOfSmall;
}

std::string size_text(uint64_t bytes) {
  const double amount = static_cast<double>(bytes);
  if (bytes <= 1024) return fmt::format("{} bytes", bytes);
  if (bytes <= (1u << 20)) return fmt::format("{:.2f} KiB", amount / 1024);
  if (bytes <= (1u << 30)) return fmt::format("{:.2f} MiB", amount / (1 << 20));
  return fmt::format("{:.2f} GiB", amount / (1 << 30));
}

}  // namespace

bool CachingAllocator::BestFit::operator()(const Block* a, const Block* b) const {
  return std::tie(a->stream, a->size, a->segment, a->offset) <
         std::tie(b->stream, b->size, b->segment, b->offset);
}
bool CachingAllocator::BestFit::operator()(const Block* a, const Need& b) const {
  return std::tie(a->stream, a->size) < std::tie(b.stream, b.size);
}

CachingAllocator::Block* CachingAllocator::new_block() {
  if (spare_.empty()) return &blocks_.emplace_back();
  Block* const block = spare_.back();
  spare_.pop_back();
  return block;
}

// ---- Taking ------------------------------------------------------------------------------------

Result<uint64_t> CachingAllocator::allocate(size_t bytes) {
  if (bytes == 0) return kNoBytes;
  if (!waiting_.empty()) take_back_finished(false);
  const Need need{gpu_.stream_in_use(), round_up(bytes, kUnit)};
  const auto found = find(need, pool_of(need.size));
  if (!found) return found.error();
  if (!*found) {
    ++statistics_.failures;
    return out_of_memory(segment_size(need.size));
  }
  // First what may fail: the block is a free one until then.
  const uint64_t address = gpu_.hand_out((***found)->segment, (***found)->offset, bytes);
  in_use_[address] = take(**found, need.size, bytes);
  return address;
}

auto CachingAllocator::find(Need need, MemoryPool pool)
    -> Result<std::optional<FreeBlocks::iterator>> {
  FreeBlocks& blocks = free_of(pool);
  const auto fitting = blocks.lower_bound(need);
  if (fitting != blocks.end() && (*fitting)->stream == need.stream) return std::optional(fitting);
  auto made = add_segment(need, pool);
  if (!made || *made) return made;
  ++statistics_.retries;
  empty();
  return add_segment(need, pool);
}

auto CachingAllocator::add_segment(Need need, MemoryPool pool)
    -> Result<std::optional<FreeBlocks::iterator>> {
  const size_t size = segment_size(need.size);
  if (size > limit_ || statistics_.all.reserved_bytes.current > limit_ - size)
    return std::optional<FreeBlocks::iterator>();
  const Result<std::optional<uint64_t>> made = gpu_.allocate(size);
  if (!made) return made.error();
  if (!*made) return std::optional<FreeBlocks::iterator>();
  ++statistics_.device_allocations;
  statistics_.add(&MemoryAmounts::segment, pool, 1);
  statistics_.add(&MemoryAmounts::reserved_bytes, pool, size);
  Block* const block = new_block();
  *block = {.segment = **made, .size = size, .stream = need.stream, .pool = pool};
  block->place = free_of(pool).insert(block).first;
  return std::optional(block->place);
}

CachingAllocator::Block* CachingAllocator::take(FreeBlocks::iterator place, size_t size,
                                                size_t requested) {
  Block* block = *place;
  const MemoryPool pool = block->pool;
  if (is_block(block->size - size, pool)) {
    block = split(*block, size);
  } else {
    free_of(pool).erase(place);
    if (block->is_part()) {
      statistics_.remove(&MemoryAmounts::inactive_split, pool, 1);
      statistics_.remove(&MemoryAmounts::inactive_split_bytes, pool, block->size);
    }
  }
  block->is_used = true;
  block->requested = requested;
  statistics_.add(&MemoryAmounts::allocation, pool, 1);
  statistics_.add(&MemoryAmounts::allocated_bytes, pool, block->size);
  statistics_.add(&MemoryAmounts::active, pool, 1);
  statistics_.add(&MemoryAmounts::active_bytes, pool, block->size);
  statistics_.add(&MemoryAmounts::requested_bytes, pool, requested);
  return block;
}

CachingAllocator::Block* CachingAllocator::split(Block& rest, size_t size) {
  Block* const block = new_block();
  const bool was_part = rest.is_part();
  *block = {.segment = rest.segment,
            .offset = rest.offset,
            .size = size,
            .stream = rest.stream,
            .pool = rest.pool,
            .before = rest.before,
            .after = &rest};
  if (block->before != nullptr) block->before->after = block;
  rest.before = block;
  rest.offset += size;
  rest.size -= size;
  put_in_order(rest);
  if (was_part) {
    statistics_.remove(&MemoryAmounts::inactive_split_bytes, rest.pool, size);
  } else {
    statistics_.add(&MemoryAmounts::inactive_split, rest.pool, 1);
    statistics_.add(&MemoryAmounts::inactive_split_bytes, rest.pool, rest.size);
  }
  return block;
}

void CachingAllocator::put_in_order(Block& block) {
  FreeBlocks& blocks = free_of(block.pool);
  const BestFit is_before;
  const auto after = std::next(block.place);
  const bool fits = (block.place == blocks.begin() || is_before(*std::prev(block.place), &block)) &&
                    (after == blocks.end() || is_before(&block, *after));
  if (!fits) block.place = blocks.insert(blocks.extract(block.place)).position;
}

Error CachingAllocator::out_of_memory(size_t segment) const {
  const uint64_t capacity = gpu_.properties().memory_bytes;
  const std::string allowed =
      limit_ < capacity ? fmt::format("{} allowed; ", size_text(limit_)) : std::string();
  const uint64_t allocated = statistics_.all.allocated_bytes.current;
  const uint64_t unused = statistics_.all.reserved_bytes.current - allocated;
  return Error{fmt::format(
      "CUDA out of memory. Tried to allocate {}. GPU 0 has a total capacity of {} of which {} is "
      "free. {}Of the allocated memory {} is allocated by PyTorch, and {} is reserved by PyTorch "
      "but unallocated.",
      size_text(segment), size_text(capacity), size_text(gpu_.free_bytes()), allowed,
      size_text(allocated), size_text(unused))};
}

// ---- Giving back -------------------------------------------------------------------------------

void CachingAllocator::note_use(uint64_t address, GpuStream stream) {
  const auto found = in_use_.find(address);
  if (found == in_use_.end() || found->second->stream == stream) return;
  std::vector<GpuStream>& known = found->second->also_used;
  if (std::ranges::find(known, stream) == known.end()) known.push_back(stream);
}

void CachingAllocator::free(uint64_t address) {
  const auto found = in_use_.find(address);
  if (found == in_use_.end()) return;  // no bytes
  Block* const block = found->second;
  in_use_.erase(found);
  statistics_.remove(&MemoryAmounts::allocation, block->pool, 1);
  statistics_.remove(&MemoryAmounts::allocated_bytes, block->pool, block->size);
  if (block->also_used.empty()) return give_back(block);
  WaitingBlock waiting{block};
  for (const GpuStream stream : std::exchange(block->also_used, {}))
    if (auto event = gpu_.record(stream)) waiting.uses.push_back(std::move(*event));
  waiting_.push_back(std::move(waiting));
}

void CachingAllocator::take_back_finished(bool waits) {
  std::erase_if(waiting_, [&](const WaitingBlock& each) {
    for (const auto& use : each.uses) {
      // What fails here fails again at the next call that waits.
      if (waits) (void)use->wait();
      if (!waits && !use->passed()) return false;
    }
    give_back(each.block);
    return true;
  });
}

void CachingAllocator::absorb(Block& block, Block* neighbour) {
  if (neighbour == block.before) {
    block.before = neighbour->before;
    block.offset = neighbour->offset;
    if (block.before != nullptr) block.before->after = &block;
  } else {
    block.after = neighbour->after;
    if (block.after != nullptr) block.after->before = &block;
  }
  block.size += neighbour->size;
  spare_.push_back(neighbour);
}

CachingAllocator::Block* CachingAllocator::add_free(Block* block) {
  const auto is_free = [](const Block* each) { return each != nullptr && !each->is_used; };
  Block* const before = is_free(block->before) ? block->before : nullptr;
  Block* const after = is_free(block->after) ? block->after : nullptr;
  block->is_used = false;
  if (before == nullptr && after == nullptr) {
    block->place = free_of(block->pool).insert(block).first;
    return block;
  }
  // A neighbour grows, in its place among the free ones.
  Block* const grown = after != nullptr ? after : before;
  absorb(*grown, block);
  if (after != nullptr && before != nullptr) {
    free_of(grown->pool).erase(before->place);
    absorb(*grown, before);
  }
  put_in_order(*grown);
  return grown;
}

void CachingAllocator::give_back(Block* block) {
  const MemoryPool pool = block->pool;
  const size_t size = block->size;
  const auto unused = [](const Block* each) {
    return uint64_t{each != nullptr && !each->is_used ? 1u : 0u};
  };
  const uint64_t merged = unused(block->before) + unused(block->after);
  statistics_.remove(&MemoryAmounts::active, pool, 1);
  statistics_.remove(&MemoryAmounts::active_bytes, pool, size);
  statistics_.remove(&MemoryAmounts::requested_bytes, pool, block->requested);
  const Block& made = *add_free(block);
  // Of free parts that cannot go back there are fewer by each neighbour that is one with it, and
  // more by the block itself, if something of the segment is still used.
  if (!made.is_part()) {
    statistics_.remove(&MemoryAmounts::inactive_split, pool, merged);
    statistics_.remove(&MemoryAmounts::inactive_split_bytes, pool, made.size - size);
    return;
  }
  if (merged == 0) statistics_.add(&MemoryAmounts::inactive_split, pool, 1);
  if (merged == 2) statistics_.remove(&MemoryAmounts::inactive_split, pool, 1);
  statistics_.add(&MemoryAmounts::inactive_split_bytes, pool, size);
}

void CachingAllocator::empty() {
  if (before_giving_back_ != nullptr) before_giving_back_();
  ++statistics_.waits;
  take_back_finished(true);
  release(large_);
  release(small_);
}

void CachingAllocator::release(FreeBlocks& blocks) {
  std::erase_if(blocks, [&](Block* block) {
    if (block->is_part()) return false;
    gpu_.free(block->segment);
    ++statistics_.device_frees;
    statistics_.remove(&MemoryAmounts::segment, block->pool, 1);
    statistics_.remove(&MemoryAmounts::reserved_bytes, block->pool, block->size);
    spare_.push_back(block);
    return true;
  });
}

}  // namespace glint::cuda
