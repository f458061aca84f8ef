// Where an instruction stands for who wrote the script.
//
//     self.fc1(x)                                 7:19, a line of the script
//       -> F.linear(input, self.weight, ...)      36:15 of linear.py, a line of the library
//
// A node that the library makes came from both: the script's place goes first, as the one that its
// writer knows, the library's behind it. A region that begins in the library, as that of a compiled
// `nn.Linear`, has no line of a script, and its nodes have the library's alone.
#pragma once

#include <string>
#include <vector>

#include "core/support/source_map.h"
#include "runtime/interpreter/frame.h"

namespace glint::capture {

struct ScriptPlaces {
  std::vector<Span> spans = {Span()};  ///< the script's, then the library's; never empty
  std::string function;                ///< that the first of them is in

  /// To the instruction at which a frame is at work; `outermost` is the depth of the region's.
  void move_to(const runtime::Frame& frame, uint32_t outermost, const SourceMap* sources);
};

}  // namespace glint::capture
