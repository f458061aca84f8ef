// What one instruction of a kernel did in a launch, summed over all warps.
//
//     ld.global.f32: executed 128, lanes 4096, requests 128, sectors 512, bytes 16384
//     every byte of each 32-byte sector was asked for: efficiency 1
#pragma once

#include <cstdint>

namespace glint::simulator {

struct Counts {
  uint64_t executed = 0;         ///< by warps
  uint64_t lanes = 0;            ///< by lanes
  uint64_t branches = 0;         ///< of these, conditional branches, by warps
  uint64_t divergent = 0;        ///< of these, those whose lanes parted
  uint64_t requests = 0;         ///< accesses of global memory, by warps
  uint64_t sectors = 0;          ///< 32-byte pieces of global memory that they moved
  uint64_t bytes = 0;            ///< bytes that their lanes asked for, each once
  uint64_t shared_accesses = 0;  ///< accesses of shared memory, by warps
  uint64_t shared_passes = 0;    ///< turns that its banks took
  uint64_t shared_least = 0;     ///< turns without any conflict

  Counts& operator+=(const Counts& other);
  /// Turns that bank conflicts cost.
  uint64_t bank_conflicts() const { return shared_passes - shared_least; }
  /// The part of the moved bytes that was asked for; 1 where nothing moved.
  double efficiency() const {
    return sectors == 0 ? 1.0 : static_cast<double>(bytes) / (32.0 * static_cast<double>(sectors));
  }
};

inline Counts& Counts::operator+=(const Counts& other) {
  executed += other.executed;
  lanes += other.lanes;
  branches += other.branches;
  divergent += other.divergent;
  requests += other.requests;
  sectors += other.sectors;
  bytes += other.bytes;
  shared_accesses += other.shared_accesses;
  shared_passes += other.shared_passes;
  shared_least += other.shared_least;
  return *this;
}

}  // namespace glint::simulator
