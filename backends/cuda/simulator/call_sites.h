// Where inlined code was called from. PTX says of a place only who inlined it, and of that place
// the same once, in front of its first use:
//
//     .loc 1 88 5                                              acc = warp_total(acc);
//     .loc 1 65 3, function_name $f4, inlined_at 1 88 5          total.merge(total.across(step));
//     .loc 1 58 22, function_name $f5, inlined_at 1 65 3           { return {from_lane(...)}; }
//     .loc 1 36 3, function_name $f6, inlined_at 1 58 22             __shfl_xor_sync(...)
//     ...
//     .loc 1 36 3, function_name $f6, inlined_at 1 58 22       the same call, in a copy of the loop
//
// all of which belong to line 88 of the entry. A function that the entry calls at several places
// has its inner places once for each; a copy of the code (an unrolled or unswitched loop) repeats
// the last lines alone. So the uses of each place are counted by the calls that they belong to, and
// where the entry goes back to a line before those, they are dealt out again in the same order.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "backends/cuda/simulator/module.h"

namespace glint::simulator {

/// A place in the source, as `.loc` has it.
struct SourcePlace {
  SourceLine line;
  uint32_t column = 0;
  auto operator<=>(const SourcePlace&) const = default;
};

class CallSites {
 public:
  /// The lines that the code behind a `.loc` belongs to; what nobody inlined is the entry's own.
  /// Asked for each `.loc` in turn.
  CodeLines lines_at(SourcePlace place, std::optional<SourcePlace> inlined_at);

 private:
  /// How often in a row a place was used for a call at one line of the entry.
  struct Run {
    CodeLines lines;
    uint32_t uses = 0;
  };
  struct Site {
    std::vector<Run> runs;
    size_t at = 0;       ///< the run that the next use belongs to
    uint32_t dealt = 0;  ///< of that run, in a copy of the code
    bool is_copy = false;
  };

  void go_back_to(SourceLine line);
  CodeLines use(Site& site);
  void define(SourcePlace place, const CodeLines& lines);

  std::map<SourcePlace, Site> sites_;
};

}  // namespace glint::simulator
