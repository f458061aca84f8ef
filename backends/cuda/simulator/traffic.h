// What an access of one warp costs the memory it goes to.
//
//     32 lanes, 4 bytes each, side by side:    4 sectors of global memory; 1 turn of shared memory
//     32 lanes, 4 bytes each, 128 bytes apart: 32 sectors; 32 turns (all in bank 0)
//     32 lanes, the same 4 bytes:              1 sector; 1 turn, and 32 of atomic updates
#pragma once

#include <cstdint>

namespace glint::simulator {

struct GlobalTraffic {
  uint32_t sectors = 0;  ///< different 32-byte pieces
  uint32_t bytes = 0;    ///< different bytes
};
/// Of the lanes of `mask`, each with `size` bytes at an address that is a multiple of it.
GlobalTraffic global_traffic(const uint64_t* addresses, uint32_t mask, uint32_t size);

struct SharedTraffic {
  uint32_t passes = 0;  ///< turns that the 32 banks of 4 bytes take
  uint32_t least = 0;   ///< turns that they would take without conflicts
};
/// Of 8 and 16 bytes a lane, half and quarter warps take turns of their own. Lanes that update one
/// word atomically have it one after the other: each `alone`.
SharedTraffic shared_traffic(const uint64_t* addresses, uint32_t mask, uint32_t size, bool alone);

}  // namespace glint::simulator
