// Where something is wrong, as the reader of a text looks for it: first in the text itself, then
// who called that line, and which line of a header it was in the end.
//
//     glint.cu:14: misaligned: an access of 4 bytes reads ...
//         h[i] = __hadd2(h[i], one);
//       called from glint.cu:20
//         add(h, one);
//       in cuda_fp16.h:5122
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "backends/cuda/simulator/module.h"

namespace glint::simulator {

struct Program;

struct SourceTrail {
  std::string file;
  uint32_t line = 0;         ///< the innermost of the text; 0: no line is known
  std::string quote;         ///< the line itself, where the text is at hand
  uint32_t called_from = 0;  ///< a line of the entry; 0: that is the one above
  std::string caller_quote;
  std::string header;  ///< `cuda_fp16.h:5122`: of code that was inlined there; else empty

  /// A message, with this around it.
  std::string text(std::string_view message) const;
};

/// Of lines that are none, the kernel's own first line, where the text is at hand.
SourceTrail trail_of(const Program& program, const CodeLines& lines);
/// Of one instruction; where it has no line, of the last one before it that has.
SourceTrail trail_of(const Program& program, uint32_t instruction);

}  // namespace glint::simulator
