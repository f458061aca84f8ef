// Where a wrong result comes from: every stage of a region runs on the same inputs, and the first
// whose result differs from that of the stage before it all is named.
//
//     eager       the script's own code for the region, as the interpreter runs it
//     graph       what was captured, node by node
//     simplify    the graph as that pass left it        (each pass that changed something)
//     lower       the loop nests as that pass left them
//     interp      the schedule, by the reference backend
//     cpu         the schedule, as machine code; of tensors on a GPU `cuda`, by its kernels
//
// Of a region on a GPU the reference backend runs loop nests on copies of the inputs. Results may
// differ by rounding: as much as the operators of the graph allow. The first stage that runs is
// what the others are held against.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/support/result.h"
#include "core/tensor/tensor.h"
#include "ops/op.h"
#include "runtime/capture/runner.h"
#include "runtime/interpreter/interpreter.h"

namespace glint {

struct DivergeStage {
  std::string name;
  std::function<Result<std::vector<Tensor>>()> run;
  std::string obstacle = {};  ///< why it is not run
};

/// How a stage's result compares with the first one's.
struct StageVerdict {
  enum class Kind : uint8_t { kReference, kAgrees, kDiffers, kFailed, kNotRun };
  std::string name;
  Kind kind = Kind::kAgrees;
  double largest = 0.0;  ///< the largest difference
  /// Of kDiffers: `output 0 [1, 2] is 3.5, was 3`. Of kFailed and kNotRun: why.
  std::string detail;
};

/// The stages of a kept run, in order. They look at `run` and `interpreter` when they are run.
std::vector<DivergeStage> stages_of(const capture::KeptRun& run, runtime::Interpreter& interpreter);

/// Runs the stages; each starts from the same random numbers, `run` leaves the generator alone.
std::vector<StageVerdict> compare_stages(const std::vector<DivergeStage>& stages,
                                         const ops::Tolerance& tolerance,
                                         const Generator& generator);

/// The widest tolerance of the graph's operators.
ops::Tolerance tolerance_of(const Graph& graph);

/// A table of the stages and one line that names the first that differs, or says that none does of
/// those that were run.
std::string divergence_text(const std::string& region, const std::vector<StageVerdict>& verdicts);

}  // namespace glint
