// The stretch of the script that became a region, to be run once more by the interpreter alone.
//
//     def f(x):
//         y = x + 1        region 1: from the call to the print
//         print("hi")
//         return y * 2     region 2: from there, with the registers as they were, to the return
//
// 1. The entry's frame is built again: registers, what its cells held then, and what the objects
//    held that the region writes. Afterwards cells and objects hold again what they hold now.
// 2. Everything that the region's guards look at must be as it was: then the script goes the way of
//    the region, on which nothing else is written, and no iterator that began before is advanced.
// 3. It runs as many instructions as the region has, in callees too, and must then stand in the
//    frames that the region leaves.
// 4. The region's outputs are read from registers and cells of those frames, and from what the
//    region writes, by the recipes that the region leaves its values by. A draw or a check whose
//    result the script drops is seen as it is called.
#pragma once

#include <string>
#include <vector>

#include "core/support/result.h"
#include "runtime/capture/region.h"
#include "runtime/interpreter/interpreter.h"

namespace glint::capture {

struct ScriptStretch {
  Beginning begin;  ///< as the last run of the region found it
  uint32_t end_step = 0;
  std::vector<FrameExit> frames;
  std::vector<Recipe> recipes;
  std::vector<EffectOutput> effects;
  std::vector<JournalEntry> journal;
  std::vector<runtime::Value> targets;  ///< of the journal's entries; undefined for cells
  /// Tensors that the region writes: whose new value is which output.
  std::vector<std::pair<Tensor, uint32_t>> updates;
  /// Tensors whose `grad` it sets, and by which recipe.
  std::vector<std::pair<Tensor, uint32_t>> gradients;
  size_t output_count = 0;
  /// Why it cannot be run once more; empty: it can.
  std::string obstacle;
};

/// As things are now: the obstacle may be that something has changed since the region ran.
ScriptStretch stretch_of(const Region& region);

/// Runs it, without compiled code: the region's outputs, those undefined that the script holds
/// nowhere; none at all where it went another way. An exception is an error.
Result<std::vector<Tensor>> run_stretch(runtime::Interpreter& interpreter,
                                        const ScriptStretch& stretch);

}  // namespace glint::capture
