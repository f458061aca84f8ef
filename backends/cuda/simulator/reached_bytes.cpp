#include "backends/cuda/simulator/reached_bytes.h"

#include <bit>

namespace glint::simulator {
namespace {

constexpr uint64_t kWordBits = 64;
constexpr uint64_t kOffsetMask = (1ull << kRegionBits) - 1;

size_t region_number(uint64_t address) {
  return (address >> kRegionBits) - 1;
}

void add(std::atomic<uint64_t>& word, uint64_t bits) {
  if ((word.load(std::memory_order_relaxed) & bits) != bits)
    word.fetch_or(bits, std::memory_order_relaxed);
}

}  // namespace

ReachedBytes::ReachedBytes(const Memory& memory)
    : memory_(memory), regions_(memory.region_count()) {}

ReachedBytes::~ReachedBytes() {
  for (const auto& each : regions_) delete each.load();
}

ReachedBytes::Bits& ReachedBytes::bits_of(size_t region) {
  Bits* known = regions_[region].load(std::memory_order_acquire);
  if (known != nullptr) return *known;
  const uint64_t bytes = memory_.region((region + 1) << kRegionBits)->size;
  auto made = std::make_unique<Bits>((bytes + kWordBits - 1) / kWordBits);
  // Another block may have come first.
  if (regions_[region].compare_exchange_strong(known, made.get())) return *made.release();
  return *known;
}

void ReachedBytes::note(uint64_t address, uint32_t size, AccessKind kind) {
  Bits& bits = bits_of(region_number(address));
  const uint64_t offset = address & kOffsetMask;
  const uint64_t those = ((1ull << size) - 1) << offset % kWordBits;
  if (kind != AccessKind::kStore) add(bits.read[offset / kWordBits], those);
  if (kind != AccessKind::kLoad) add(bits.written[offset / kWordBits], those);
}

template <class F>
uint64_t ReachedBytes::count(const F& words_of) const {
  uint64_t total = 0;
  for (const auto& region : regions_) {
    const Bits* bits = region.load();
    if (bits == nullptr) continue;
    for (const std::atomic<uint64_t>& word : words_of(*bits))
      total += static_cast<uint64_t>(std::popcount(word.load(std::memory_order_relaxed)));
  }
  return total;
}

uint64_t ReachedBytes::read() const {
  return count([](const Bits& bits) -> const Words& { return bits.read; });
}
uint64_t ReachedBytes::written() const {
  return count([](const Bits& bits) -> const Words& { return bits.written; });
}

}  // namespace glint::simulator
