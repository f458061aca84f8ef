// Runs compiled functions: looks up regions, captures new ones, steps eagerly over what broke one.
//
//     call f(x):   region at (f, 0)?   guards hold: run it, go on where it ends
//                  none:               trace from there, compile, keep it
//                  ends before an instruction that cannot be traced: that one runs eagerly, then
//                  the next region begins behind it
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/support/whose.h"
#include "runtime/capture/options.h"
#include "runtime/capture/region.h"
#include "runtime/capture/script_stretch.h"
#include "runtime/capture/trace.h"
#include "runtime/interpreter/interpreter.h"

namespace glint::capture {

/// The regions that begin at one (function, pc).
struct EntryPoint {
  std::vector<std::unique_ptr<Region>> regions;
  VaryingSizes varying;
  uint32_t captures = 0;
  /// Nothing to gain here, or compiled too often: runs eagerly from here on.
  bool eager = false;
  bool returns = false;  ///< one of the regions goes on to a return
  /// What ended the newest region early, even one that was not worth keeping.
  std::optional<DiagnosticId> ended_by;
  /// Nothing but Python lies between here and this instruction, at which a region would end.
  std::optional<uint32_t> stretch_end;
  /// A call took another way than such a stretch: what holds no operator has guards then, too.
  bool forks = false;
  /// Captures that came to nothing, as the call raised: they say nothing of other calls.
  uint32_t raising_calls = 0;
};

using EntryPoints = std::map<std::pair<const program::Code*, uint32_t>, EntryPoint>;

/// What capture keeps of one `torch.compile`.
struct CompileRecord final : RefCounted {
  CompileOptions options;
  EntryPoints entry_points;
  runtime::Value callable;
  /// Made by a command that looks at a call, `:explain f(x)`: what the script compiles of that
  /// function goes before.
  bool beside = false;
  /// The function and entry point of a call by position, found once: what a hot call needs.
  runtime::FunctionObject* direct_function = nullptr;
  EntryPoint* direct_entry = nullptr;
  /// Where the function is the `forward` of a module's class: the class's version; else 0.
  uint32_t direct_class_version = 0;
  uint32_t calls = 0;    ///< since the last capture
  bool wrapped = false;  ///< made by `torch.compile`, not by compiling every call
  bool told_of_anomaly_mode = false;
  /// Calls whose tensors all have at most so many elements run eagerly: see `Runner::weigh`.
  int64_t eager_up_to = 0;
  /// Arguments by position of the first calls that differ in their types and sizes, where
  /// `Runner::keep_calls` asked for them.
  std::map<std::string, std::vector<runtime::Value>> samples;
  std::set<std::string> samples_left_out;  ///< the types of those that were too many
  /// See `EntryPoint`.
  std::optional<uint32_t> stretch_end(const program::Code& code, uint32_t pc) const {
    auto found = entry_points.find({&code, pc});
    return found == entry_points.end() ? std::nullopt : found->second.stretch_end;
  }
};

/// The last run of a region, for `:diverge`.
struct KeptRun {
  std::string title;  ///< the region's: see `region_title`
  std::shared_ptr<const Graph> graph;
  std::shared_ptr<const passes::PassLog> passes;  ///< null: no pass ran
  LastRun on;
  std::optional<ScriptStretch> script;  ///< what the region was made of
  /// What the script's own backend made of it; null where none did. Kept, as its code may reset.
  std::shared_ptr<Executable> own_backend = {};
  Device device = {};  ///< where the region's tensors are
};

/// What `explain` and `:explain` tell.
struct CallSummary {
  uint32_t graphs = 0;
  std::vector<runtime::Value> graph_modules;  ///< each as a script's own backend gets it
  uint32_t operators = 0;
  struct Break {
    Diagnostic what;
    std::string function;
  };
  struct GuardText {
    std::string kind, source, expectation;
  };
  std::vector<Break> breaks;
  std::vector<std::vector<std::string>> operators_of_graph;
  std::vector<GuardText> guards;
  std::vector<std::string> journal;  ///< what is written to objects from outside
};

/// Counts a call of some kind for as long as it is under way.
class UnderWay {
 public:
  explicit UnderWay(uint32_t& calls) : calls_(calls) { ++calls_; }
  ~UnderWay() { --calls_; }
  UnderWay(const UnderWay&) = delete;
  UnderWay& operator=(const UnderWay&) = delete;

 private:
  uint32_t& calls_;
};

class Runner final : public runtime::RegionRunner {
 public:
  Runner(runtime::Interpreter& interpreter, CaptureContext& context)
      : interpreter_(interpreter), context_(context) {}

  runtime::Value enter(
      runtime::Interpreter& interpreter, runtime::CompiledFunctionObject& function,
      std::span<const runtime::Value> positional,
      std::span<const std::pair<runtime::StrObject*, runtime::Value>> keywords) override;

  runtime::Value enter(
      runtime::Interpreter& interpreter, runtime::FunctionObject& function,
      std::span<const runtime::Value> positional,
      std::span<const std::pair<runtime::StrObject*, runtime::Value>> keywords) override;

  /// Runs statements typed at the REPL as a call is run: their regions read and write the module's
  /// variables. Undefined: an exception is pending.
  runtime::Value run_statements(std::shared_ptr<const program::Code> code,
                                runtime::ModuleObject& module);

  /// Wraps a callable; `beside`: see `CompileRecord`.
  runtime::Value compile(runtime::Value callable, CompileOptions options, bool beside = false);
  /// What calls the record's function, by the regions that the record has.
  runtime::Value compiled_by(const Ref<CompileRecord>& record) const;
  void set_stance(Stance stance);
  /// Forgets all regions: `torch._dynamo.reset()`.
  void reset();
  /// Collects a summary while set.
  void set_summary(CallSummary* summary) { summary_ = summary; }
  const SourceMap* sources() const { return context_.sources; }
  /// Why no region fitted when something was compiled again last, each on its own.
  std::string misses(std::string_view between = "\n") const;
  uint32_t compiles() const { return compiles_; }
  /// From now on the arguments of calls are kept, one of each type: for `glint bench`.
  void keep_calls(bool on) { keeps_calls_ = on; }
  bool keeps_calls() const { return keeps_calls_; }
  /// From now on what each region ran on last is kept: the tensors themselves, which no region
  /// writes. What the script writes into one later is what `:diverge` then sees.
  void keep_inputs(bool on) { keeps_inputs_ = on; }
  bool keeps_inputs() const { return keeps_inputs_; }
  /// Of each region of the function (see `region_of`), or of the function that ran last, in the
  /// order in which they ran: where several begin at one place, of the one that ran last.
  std::vector<KeptRun> kept_runs(const Whose& whose) const;
  /// What each part of a call costs that a region serves, measured on its last run: of the regions
  /// that `kept_runs` gives.
  std::vector<StageLine> call_times(const Whose& whose) const;
  const std::vector<Ref<CompileRecord>>& records() const { return records_; }
  /// Whose a compile was, by its number in the log; null: nobody's.
  const CompileRecord* compiled_for(uint32_t compile) const;
  /// Whether it is not so that all that the record compiled is of others.
  bool may_be(const Whose& whose, const CompileRecord& record) const;
  /// The name of the function that a call of it runs, as its regions have it.
  std::string name_of(const CompileRecord& record);
  /// The newest region with a graph, of the function that is named; null if there is none.
  const Region* region_of(const Whose& whose) const;
  /// The regions of `kept_runs`.
  std::vector<const Region*> newest_runs(const Whose& whose) const;
  /// All regions with a graph of the function, oldest first.
  std::vector<const Region*> regions_of(const Whose& whose) const;
  /// The last region that was compiled or hit.
  const Region* last_region() const { return last_region_; }

 private:
  /// The last run of a backward, for `:step f.backward`.
  struct KeptBackward {
    Artifact about;
    KeptRun run;
  };
  void keep_backward(const BackwardRun& run);
  std::vector<KeptRun> kept_backwards(const Whose& whose) const;
  Ref<CompileRecord> add_record();
  /// A new compile's number in the log, which is this record's.
  uint32_t begin_compile(const CompileRecord& record);

  enum class Outcome : uint8_t {
    kReturned,
    kContinues,
    kRaised,
    kGoesOnEagerly  ///< a check on values failed, and nothing of the region has happened
  };

  /// Whether no region begins in it where every call is compiled: the library's functions are part
  /// of the script's regions, but for the `forward` of its modules.
  bool is_library(const program::Code& code) const;
  runtime::Value call(CompileRecord& record, const runtime::Value& compiled,
                      std::span<const runtime::Value> positional,
                      std::span<const std::pair<runtime::StrObject*, runtime::Value>> keywords);
  /// A call of what `direct_function` names, by position; none: it must be called otherwise.
  std::optional<runtime::Value> call_direct(CompileRecord& record, const runtime::Value& compiled,
                                            std::span<const runtime::Value> positional);
  /// What is behind `call_direct`: a row of values for each parameter of `direct_function`.
  std::optional<runtime::Value> call_with_registers(CompileRecord& record,
                                                    std::span<const runtime::Value> registers);
  /// Notes what a call of `compiled` came to, where a later one may go there at once.
  static void note_direct(CompileRecord& record, const runtime::Value& compiled,
                          runtime::FunctionObject& function);
  runtime::Value run_function(CompileRecord& record, runtime::FunctionObject& function,
                              std::vector<runtime::Value>& registers);
  /// The value of a region that runs to a return and whose guards hold: needs no frame at all.
  /// Undefined if there is none, or if it raised.
  runtime::Value run_whole(EntryPoint& point, const EntryState& state);
  runtime::Value run_frames(CompileRecord& record, runtime::Frame* base);
  runtime::Value call_uncompiled(
      runtime::FunctionObject& function, std::span<const runtime::Value> positional,
      std::span<const std::pair<runtime::StrObject*, runtime::Value>> keywords);
  /// One region from the frame on top: one whose guards hold, or a new one.
  Outcome run_or_capture(CompileRecord& record, EntryPoint& point, runtime::Frame*& base,
                         runtime::Frame* top, runtime::Value& result);
  /// What a stance but the default one has instead of a capture.
  Outcome go_on_uncompiled(const EntryPoint& point, runtime::Frame* base,
                           const runtime::Frame& top);
  /// What the setting `error_on_recompile` has instead of another capture.
  Outcome refuse_recompile(runtime::Frame* base, const runtime::Frame& top);
  std::string_view file_of(const program::Code& code) const;
  /// Which guard failed, as PyTorch's errors have it.
  std::string recompile_reason() const;
  /// The first region whose guards hold.
  static Region* find(EntryPoint& point, const EntryState& state);
  /// Notes why no region fits.
  void explain_miss(EntryPoint& point, const EntryState& state);
  Outcome execute(Region& region, runtime::Frame*& base, runtime::Value& result);
  /// Runs the region on what its guards found: leaves its `values`, or its `outputs` where one of
  /// those is all that is returned. False: a check failed, or an exception is pending.
  /// `dying` gets what the region writes over: that may end, and run script code, when the caller
  /// needs nothing of the region any more.
  bool run_region(Region& region, std::vector<runtime::Value>& dying);
  /// Runs the region's code. False: it faulted, or raised. `drawn_from` becomes the generator as it
  /// was, where the code draws from it.
  bool launch(Region& region, GuardProgram::Held& held, std::optional<Generator>& drawn_from);
  /// Runs what the script's own backend made. The region's slots point into `held` from then on.
  RunStatus run_script_backend(Region& region, GuardProgram::Held& held);
  /// The `grad`s that the region will set, as they are.
  static void keep_gradients(Region& region);
  /// The objects that the region will write, as they are; its beginning is a new one.
  static void keep_objects(Region& region);
  Beginning beginning_at(runtime::Frame& frame) const;
  static LastRun& last_run_of(Region& region);
  /// Where a region begins that needs no frame.
  void keep_beginning(Region& region, const EntryState& state);
  /// The region's, to be filled: what an earlier run began with goes to `dropped_`.
  Beginning& new_beginning(Region& region);
  /// Lets go of `dropped_`, behind a run: what dies may run script code, and change what the guards
  /// of a region have found for its run.
  void let_go();
  /// Whether one more region may begin here; says why not
  /// (an exception is then pending under `fullgraph=True`).
  bool may_capture(const CompileRecord& record, const EntryPoint& point,
                   const std::string& function);
  Outcome capture(CompileRecord& record, EntryPoint& point, runtime::Frame*& base,
                  runtime::Frame* entry, runtime::Value& result);
  /// Cuts a backward off for outputs that are on the tape: the forward's graph. Nothing, and an
  /// obstacle, where that cannot be done.
  std::optional<Graph> cut_backward(const CompileRecord& record, Region& region, Trace& trace,
                                    std::string& obstacle);
  /// The gradients of outputs that have gone backward inside the region, and can no more.
  void tape_spent(const CompileRecord& record, Region& region, Trace& trace) const;
  BackwardPlan backward_plan(const CompileRecord& record, const Region& region, Trace& trace,
                             Graph graph, std::optional<Replay> replay);
  /// The `grad`s that the region sets.
  bool write_gradients(Trace& trace, RecipeWriter& writer, Region& region);
  /// `entry_pc`: where the frame stood when the trace began.
  std::unique_ptr<Region> make_region(CompileRecord& record, EntryPoint& point, Trace& trace,
                                      runtime::Frame* entry, uint32_t entry_pc,
                                      std::string& obstacle, bool& check_failed);
  /// The region's run in the call that it was captured in. False: a check failed.
  bool run_first(Region& region, Trace& trace);
  Outcome keep_region(EntryPoint& point, std::unique_ptr<Region> region, bool check_failed);
  void summarise(const Region& region);
  /// Takes a trace back: the frame is as it was, those above it are gone, and so are its writes.
  void go_back(Trace& trace, runtime::Frame& entry, const Beginning& before,
               const Generator& generator);
  /// An exception has left the frame where a trace began: what is pending and can still be seen is
  /// computed. False: a check on values fails, which eager execution would have come to first.
  bool settle(Trace& trace);
  /// The entry frame anew, at its beginning and without the exception; null where it cannot be
  /// made.
  runtime::Frame* begin_again(const Beginning& before, const Generator& generator);
  bool write_exit(Trace& trace, RecipeWriter& writer, runtime::Frame* entry, Region& region);
  void compile_region(CompileRecord& record, Region& region, Trace& trace,
                      std::shared_ptr<const Graph> graph, bool is_kept);
  /// The graph as a `torch.fx.GraphModule`; undefined where an exception is pending.
  runtime::Value graph_module(const Graph& graph, const Trace& trace);
  std::unique_ptr<Executable> custom_executable(CompileRecord& record, const Graph& graph,
                                                Trace& trace);
  /// Decides whether a function that breaks pays for small tensors, once it has run some times.
  void weigh(CompileRecord& record);
  void keep_sample(CompileRecord& record, std::span<const runtime::Value> arguments);
  /// What it is about to write over, of its inputs.
  void keep_written(Region& region, std::span<const RunInput> inputs);
  /// What it runs on; where it begins is kept already.
  void keep_run(Region& region, std::span<const RunInput> inputs, std::span<const int64_t> symbols,
                const Generator& generator);
  /// What each step of making the region cost; `since_capture` milliseconds went by for all but
  /// those of the text.
  std::vector<StageLine> time_lines(const Region& region, double since_capture) const;
  static Artifact artifact_of(const Region& region, Stage stage,
                              std::function<std::vector<StageLine>()> lines);
  void add_artifact(const Region& region, Stage stage, std::vector<StageLine> lines);
  /// The graph of forward and backward before the cut, under a name of its own.
  void log_joint(const Region& region);
  /// What keeps a region from being kept, as the graph break that it is.
  static Diagnostic break_by(const Region& region, const std::string& obstacle);
  void log_region(const Region& region, const std::string& obstacle);
  /// Which guard of the region failed, and what is otherwise than it expects.
  static std::string failure_text(const Region& region, size_t guard);
  /// Notes which sizes and numbers are not what the region expects.
  void note_varying(EntryPoint& point, const Region& region);
  /// The instruction where a region ended, where that is a branch on a tensor that is there now.
  bool take_branch(runtime::Frame& frame);
  Outcome step_eagerly(CompileRecord& record, runtime::Frame* base, runtime::Value& result);
  runtime::Value run_eagerly(runtime::Frame* base);
  /// Raises `torch._dynamo.exc.BackendCompilerFailed`, or falls back under `suppress_errors`.
  void user_backend_failed(const CompileRecord& record, Region& region,
                           std::shared_ptr<const Graph> graph);
  /// An integer of `torch._dynamo.config`, if the script has loaded that.
  int64_t configured(std::string_view name, int64_t otherwise);
  /// Raises an exception of `torch._dynamo.exc`.
  void raise_compile_error(std::string_view name, const std::string& message);
  std::string unsupported_text(const Diagnostic& stopped, const std::string& function) const;
  /// One warning of each kind a session, or a session and what it is about.
  void warn_once(DiagnosticId id, const std::string& text, const std::string& about = "");
  /// Compiled code does not run in anomaly mode: said once of each function.
  void report_anomaly_mode(CompileRecord& record, const program::Code& code);
  /// No more regions begin where `newest` does: a warning, if the script asked for compiling.
  void report_limit(const CompileRecord& record, const Region& newest, const std::string& function,
                    int64_t limit);
  /// Writes the graph to a file; says how to run that.
  std::string repro_of(const Graph& graph) const;
  void fall_back(const std::string& function, const std::string& message, const Graph& graph);
  void fall_back(const std::string& function, DiagnosticId id, const std::string& message,
                 const Graph& graph);

  runtime::Interpreter& interpreter_;
  CaptureContext& context_;
  std::vector<Ref<CompileRecord>> records_;  ///< none is ever dropped
  std::map<uint32_t, const CompileRecord*> compiled_for_;
  CallSummary* summary_ = nullptr;
  std::string last_recompile_;             ///< why the newest region did not fit
  std::vector<std::string> older_misses_;  ///< why those before it did not
  const Region* last_region_ = nullptr;
  uint32_t compiles_ = 0;
  bool keeps_calls_ = false;
  /// Of functions compiled with `disable=True`, at work now; and where the stance is kForceEager.
  uint32_t disabled_calls_ = 0;
  Stance stance_ = Stance::kDefault;
  /// Of functions marked `torch.compiler.disable`, at work now: what they call is not compiled for
  /// the mere reason that every call is.
  uint32_t marked_calls_ = 0;
  bool keeps_inputs_ = false;
  uint64_t kept_runs_ = 0;
  std::map<uint32_t, KeptBackward> kept_backwards_;  ///< by compile
  std::vector<runtime::Value> dropped_;
  std::vector<runtime::Value> dying_;  ///< what the regions at work have written over
  std::vector<SavedState> dropped_objects_;
  /// What `reset` dropped while regions were at work, until the next one that finds none at work.
  std::vector<EntryPoints> retired_;
  /// Calls under way that will read their regions again behind script code that they run.
  uint32_t at_work_ = 0;
  std::set<std::pair<DiagnosticId, std::string>> warned_;
};

/// Adds `torch.compile`, `torch._dynamo`'s natives; the session calls it once.
void install(Runner& runner);

}  // namespace glint::capture
