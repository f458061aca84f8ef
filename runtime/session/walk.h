// A walk through a graph, its passes or a kernel: what `:step` goes along, forwards and backwards.
//
//     graph f
//       %mul = multiply %x, 2          reads  %x  float32[3]  1, 2, 3
//                                      gives      float32[3]  2, 4, 6
#pragma once

#include <string>
#include <vector>

namespace glint {

struct WalkStep {
  std::string line;
  std::vector<std::string> details = {};
};

struct Walk {
  std::string title;
  std::vector<WalkStep> steps = {};
  std::string end = {};  ///< what is said behind the last step, if there is something to say
};

}  // namespace glint
