// How many warps of a kernel one multiprocessor holds at once, by what each block asks for.
//
//     occupancy(find_architecture("sm_80"), {256, 40, 4096})
//     registers: 40 a thread, 1280 a warp -> 51 warps, 6 blocks;  6 * 8 / 64 = 75 %, by registers
#pragma once

#include <cstdint>
#include <string_view>

namespace glint::simulator {

/// An A100's, as which the simulated device counts.
inline constexpr uint32_t kMultiprocessors = 108;

/// The limits of a multiprocessor.
struct Architecture {
  std::string_view name;  ///< `sm_80`
  uint32_t warps;
  uint32_t blocks;
  uint32_t registers;
  uint32_t shared_bytes;
  uint32_t block_shared_bytes;  ///< the most that one block may ask for
};
/// The row of a target; of one that is not known, the nearest older one.
const Architecture& find_architecture(std::string_view target);

struct BlockNeeds {
  uint32_t threads = 0;
  uint32_t registers = 0;  ///< of a thread
  uint32_t shared_bytes = 0;
};
struct Occupancy {
  uint32_t blocks = 0;
  uint32_t warps = 0;
  double part = 0;         ///< of the warps that there could be
  std::string_view limit;  ///< `registers`, `shared memory`, `warps` or `blocks`
};
Occupancy occupancy(const Architecture& architecture, const BlockNeeds& needs);

}  // namespace glint::simulator
