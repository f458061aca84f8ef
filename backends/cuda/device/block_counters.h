// Where the blocks of a launch count which of them is the last: it combines what all have left.
//
//     unsigned* counters: 0 0 0 ...     before a launch
//     atomicInc(counters, blocks - 1)   by each block; the last one sets it to 0 again
//     unsigned* counters: 0 0 0 ...     behind it
//
// A stream runs one launch after the other, so that all of its launches share counters that are
// cleared once: clearing them before each launch takes longer than a small launch itself.
#pragma once

#include <cstdint>
#include <exception>

namespace glint::cuda {

/// The address of kBlockCounters of the stream in use. They stay for as long as the process runs:
/// records have their address.
uint64_t block_counters();
/// Stands around launches: one that is ended half-way, by a fault that the device tells at once or
/// by Ctrl-C, may leave counts behind; then all counters are cleared before they are used again.
class CountedLaunches {
 public:
  CountedLaunches() : exceptions_(std::uncaught_exceptions()) {}
  ~CountedLaunches();
  CountedLaunches(const CountedLaunches&) = delete;
  CountedLaunches& operator=(const CountedLaunches&) = delete;

 private:
  int exceptions_;
};

}  // namespace glint::cuda
