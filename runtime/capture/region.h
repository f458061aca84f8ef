// A region: a cached jump of the interpreter. If these guards hold at this (function, pc), run this
// schedule, make these values, and go on at that (frames, pc).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "core/support/diagnostic.h"
#include "core/tensor/generator.h"
#include "core/tensor/grad_mode.h"
#include "ir/graph.h"
#include "ir/kernel.h"
#include "passes/pass_log.h"
#include "runtime/capture/guard_program.h"
#include "runtime/capture/journal.h"
#include "runtime/capture/recipe.h"
#include "runtime/capture/region_gradients.h"
#include "runtime/capture/symbolic_float.h"
#include "runtime/interpreter/frame.h"

namespace glint::capture {

/// A frame as the region leaves it: which registers and cells are live, and by which recipe each.
struct FrameExit {
  std::optional<uint32_t> function;  ///< recipe of the function; none: the entry frame's own
  uint32_t pc = 0;
  std::vector<std::pair<uint32_t, uint32_t>> registers;  ///< register, recipe
  std::vector<std::pair<uint32_t, uint32_t>> cells;
  uint32_t result_register = 0;
};

/// What a region's graph runs on: a compiled schedule, the graph itself node by node, or a callable
/// that a backend written in the script gave.
class Executable {
 public:
  virtual ~Executable() = default;
  /// Fills `outputs`; a message when a check on values failed, an exception may be pending.
  virtual RunStatus run(std::span<const RunInput> inputs, std::span<const int64_t> symbols,
                        std::vector<Tensor>& outputs) = 0;
  /// Whether a run may run script code: then guards and regions may change meanwhile.
  virtual bool runs_script() const { return false; }
  virtual std::vector<StageLine> lines(Stage stage) const { return {}; }
};

/// What one step of a compile cost; `part` of the step before it that is none.
struct StageTime {
  std::string name;
  double milliseconds = 0.0;
  bool part = false;
};

/// What a compile leaves besides its result.
struct CompileTrail {
  std::shared_ptr<const passes::PassLog> passes;  ///< null: no pass ran
  std::vector<StageTime> times;
};

/// The script where a region begins.
struct Beginning {
  runtime::FrameSnapshot frame;
  /// What the frame's cells held, of each; inner functions share them and may have written since.
  std::vector<runtime::Value> cell_values;
  GradState grad_state = {};
  /// What the objects held that the region writes.
  std::vector<SavedState> objects = {};
  /// The same of the `grad`s that it sets: whose, and what it was.
  std::vector<std::pair<Tensor, Tensor>> gradients = {};
};

/// What a region ran on, where the runner keeps it (`:diverge`).
struct LastRun {
  std::vector<Tensor> inputs;
  /// One that the region writes: what it held, and which output is its new value.
  struct Written {
    uint32_t input = 0;
    uint32_t output = 0;
    Tensor before;
  };
  std::vector<Written> written;
  std::vector<double> numbers;  ///< the graph's parameters behind the tensors
  std::vector<runtime::Value> floats;
  std::vector<int64_t> symbols;
  Generator generator;  ///< as it was before the run
  Beginning begin;
  uint64_t number = 0;  ///< counts the runs of all regions
};

struct Region {
  std::string function;
  Span definition;  ///< of the function
  Span begin;       ///< where it begins, if not at the function's beginning
  uint32_t entry_pc = 0;
  uint32_t number = 0;   ///< of its entry point, from 1
  uint32_t compile = 0;  ///< the newest one when it was made
  std::unique_ptr<GuardProgram> guards;
  std::vector<std::string> guard_sources;  ///< text of each guard's source
  std::vector<SourceId> inputs;            ///< the graph's parameters; behind them come its numbers
  RegionFloats floats;
  std::shared_ptr<Executable> executable;  ///< null: no tensor operator in it
  std::shared_ptr<const Graph> graph;
  Device device = {};  ///< where its tensors are
  std::vector<Recipe> recipes;
  std::vector<FrameExit> frames;  ///< the entry frame first
  uint32_t end_step = 0;          ///< the instruction that it ends before, as `OperatorCall` counts
  std::vector<EffectOutput> effects;
  std::vector<JournalEntry> journal;  ///< what it writes to objects from outside
  std::optional<uint32_t> returned;   ///< the recipe of the value, when it ends at a return
  std::vector<InputUpdate> updates;
  std::vector<OutputBase> bases;
  /// Outputs made in inference mode, where the region begins without, or the other way round.
  std::vector<uint32_t> of_other_mode;
  /// Outputs that it writes after they are made, and how often.
  std::vector<std::pair<uint32_t, uint32_t>> written_outputs;
  /// Outputs that are the `.data` of another tensor: they count writes of their own, so many.
  std::vector<std::pair<uint32_t, uint32_t>> counted_apart;
  std::vector<RegionGradients> taped;          ///< histories of outputs
  std::shared_ptr<const JointCut> joint = {};  ///< null: it carries no compiled backward
  /// Whose `grad` is set at the end, and to the value of which recipe.
  std::vector<std::pair<SourceId, uint32_t>> gradients;
  std::optional<GradState> grad_state;  ///< what it leaves, where that is not what it found
  bool draws = false;                   ///< random numbers
  std::optional<Diagnostic> stopped;
  /// Whether it ends where the captured call raised, which others need not.
  bool raises() const { return stopped && stopped->id == DiagnosticId::kBreakException; }
  std::string stopped_in;  ///< the function whose instruction it is: this one, or one that it calls
  /// Calls that it has served; the log's listing of the guards reads it later.
  std::shared_ptr<uint64_t> hits = std::make_shared<uint64_t>(0);
  CompileTrail trail;
  std::unique_ptr<LastRun> last_run;  ///< null: not kept

  /// The graph's output that is the value returned, when nothing else is to be made.
  std::optional<uint32_t> returned_output;

  /// The symbols' values when the region was captured.
  std::vector<int64_t> first_symbols;

  // Scratch of a run, kept so that a hot call allocates nothing but its outputs.
  std::vector<int64_t> symbols;
  std::vector<RunInput> run_inputs;
  std::vector<Tensor> outputs;
  std::vector<runtime::Value> values;
};

}  // namespace glint::capture
