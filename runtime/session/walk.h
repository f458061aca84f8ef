// A walk through a graph, its passes or a kernel: what `:step` goes along, forwards and backwards.
//
//     graph f
//       %mul = multiply %x, 2          reads  %x  float32[3]  1, 2, 3
//                                      gives      float32[3]  2, 4, 6
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace glint {

struct WalkStep {
  std::string line;
  std::vector<std::string> details = {};
  std::string above = {};  ///< a line over it, of which it is the first step; empty: none
  bool is_seen = false;    ///< by others: a barrier, a shuffle, a store of a warp
};

struct Walk {
  std::string title;
  std::vector<WalkStep> steps = {};
  uint64_t first = 1;    ///< the number of the first step that is there
  std::string all = {};  ///< how many steps there are in all; empty: those that are there
  std::string end = {};  ///< what is said behind the last step, if there is something to say
};

}  // namespace glint
