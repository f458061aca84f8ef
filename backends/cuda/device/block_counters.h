// Where the blocks of a launch count which of them is the last: it combines what all have left.
//
//     unsigned* counters: 0 0 0 ...     before a launch
//     atomicInc(counters, blocks - 1)   by each block; the last one sets it to 0 again
//     unsigned* counters: 0 0 0 ...     behind it
//
// A stream runs one launch after the other, so that all of its launches share counters that are
// cleared once: a launch that had to clear its own would be two.
#pragma once

#include <cstdint>

namespace glint::cuda {

/// The address of kBlockCounters of the stream in use. They stay for as long as the process runs: records
/// have their address.
uint64_t block_counters();
/// A launch was ended half-way: all are cleared before they are used again.
void forget_block_counts();

}  // namespace glint::cuda
