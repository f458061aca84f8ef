// How much of a device's memory was asked for, is kept, and went back: PyTorch's numbers.
//
//     MemoryStatistics statistics;
//     statistics.add(&MemoryAmounts::allocated_bytes, MemoryPool::kSmall, 512);
//     statistics.all.allocated_bytes.peak            // 512, and in `small` too
#pragma once

#include <algorithm>
#include <cstdint>

namespace glint::cuda {

/// Something that is taken and given back: how much there is, was at most, and ever went in and
/// out.
struct Amount {
  uint64_t current = 0;
  uint64_t peak = 0;
  uint64_t added = 0;
  uint64_t removed = 0;

  void add(uint64_t amount) {
    current += amount;
    added += amount;
    peak = std::max(peak, current);
  }
  void remove(uint64_t amount) {
    current -= amount;
    removed += amount;
  }
};

struct MemoryAmounts {
  Amount allocation;            ///< blocks in use
  Amount allocated_bytes;       ///< their bytes
  Amount requested_bytes;       ///< what was asked for, before it was rounded
  Amount active;                ///< blocks in use, or that another stream may still use
  Amount active_bytes;          ///< their bytes
  Amount segment;               ///< what is taken from the device, used or kept
  Amount reserved_bytes;        ///< its bytes
  Amount inactive_split;        ///< free parts of a segment of which another part is used
  Amount inactive_split_bytes;  ///< their bytes: they cannot go back to the device
};

enum class MemoryPool : uint8_t { kSmall, kLarge };

struct MemoryStatistics {
  MemoryAmounts all, large, small;
  uint64_t device_allocations = 0;
  uint64_t device_frees = 0;
  uint64_t waits = 0;     ///< how often all streams were waited for, to have memory back
  uint64_t retries = 0;   ///< how often the device was asked again, with an empty cache
  uint64_t failures = 0;  ///< how often in vain

  using Metric = Amount MemoryAmounts::*;
  void add(Metric metric, MemoryPool pool, uint64_t amount) {
    (all.*metric).add(amount);
    (of(pool).*metric).add(amount);
  }
  void remove(Metric metric, MemoryPool pool, uint64_t amount) {
    (all.*metric).remove(amount);
    (of(pool).*metric).remove(amount);
  }
  void reset_peaks();
  /// As PyTorch does: what ever went in and out, the retries and the failures.
  void reset_accumulated();

 private:
  MemoryAmounts& of(MemoryPool pool) { return pool == MemoryPool::kSmall ? small : large; }
};

/// All of them, in the order of their names in PyTorch.
struct NamedMetric {
  const char* name;
  MemoryStatistics::Metric metric;
};
inline constexpr NamedMetric kMemoryMetrics[] = {
    {"active", &MemoryAmounts::active},
    {"active_bytes", &MemoryAmounts::active_bytes},
    {"allocated_bytes", &MemoryAmounts::allocated_bytes},
    {"allocation", &MemoryAmounts::allocation},
    {"inactive_split", &MemoryAmounts::inactive_split},
    {"inactive_split_bytes", &MemoryAmounts::inactive_split_bytes},
    {"requested_bytes", &MemoryAmounts::requested_bytes},
    {"reserved_bytes", &MemoryAmounts::reserved_bytes},
    {"segment", &MemoryAmounts::segment},
};

inline void MemoryStatistics::reset_accumulated() {
  for (MemoryAmounts* amounts : {&all, &large, &small})
    for (const auto& [name, metric] : kMemoryMetrics)
      (amounts->*metric).added = (amounts->*metric).removed = 0;
  retries = failures = 0;
}

inline void MemoryStatistics::reset_peaks() {
  for (MemoryAmounts* amounts : {&all, &large, &small})
    for (const auto& [name, metric] : kMemoryMetrics)
      (amounts->*metric).peak = (amounts->*metric).current;
}

}  // namespace glint::cuda
