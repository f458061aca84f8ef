// The stretch of the script that became a region, to be run once more by the interpreter alone.
//
//     def f(x):
//         y = x + 1        region 1: from the call to the print
//         print("hi")
//         return y * 2     region 2: from there, with the registers as they were, to the return
//
// What the region's outputs are in the script is read from the registers where the stretch ends, by
// the recipes that the region leaves its values by.
#pragma once

#include <string>
#include <vector>

#include "core/support/result.h"
#include "runtime/capture/region.h"
#include "runtime/interpreter/interpreter.h"

namespace glint::capture {

struct ScriptStretch {
  runtime::FrameSnapshot entry;  ///< as the last run of the region found it
  FrameExit exit;
  std::vector<Recipe> recipes;
  size_t output_count = 0;
  /// Why it cannot be run once more; empty: it can.
  std::string obstacle;
};

ScriptStretch stretch_of(const Region& region);

/// Runs it, without compiled code: the region's outputs, those undefined that no variable of the
/// function is; none at all where the script now goes another way. An exception is an error.
Result<std::vector<Tensor>> run_stretch(runtime::Interpreter& interpreter,
                                        const ScriptStretch& stretch);

}  // namespace glint::capture
