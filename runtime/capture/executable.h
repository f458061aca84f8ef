// Turns a region's graph into something that runs, by the backend that was asked for, and says in
// the stage log what each stage made.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/result.h"
#include "ir/graph.h"
#include "ops/op.h"
#include "runtime/capture/options.h"
#include "runtime/capture/region.h"

namespace glint {
class Backend;
}

namespace glint::capture {

/// Where the tensors of a run are: on the device of one that is not the processor's.
Device device_of(std::span<const RunInput> inputs);

/// Runs a graph node by node; `run` does each operator's work. `device`: where it makes tensors of
/// nothing.
using RunOperator = std::function<std::vector<Tensor>(const Node& node, const ops::OpEntry& entry,
                                                      ops::Arguments arguments)>;
std::vector<Tensor> run_nodes(const Graph& graph, Device device, std::span<const RunInput> inputs,
                              std::span<const int64_t> symbols, const RunOperator& run);

/// Runs a graph node by node through the eager kernels: the backend `eager`, and what every region
/// falls back to.
std::unique_ptr<Executable> eager_executable(std::shared_ptr<const Graph> graph, Device device);

/// What is known of a graph besides itself.
struct GraphContext {
  std::shared_ptr<const JointCut> joint = {};  ///< what it is the forward of, if it is
  std::vector<InputUpdate> updates = {};       ///< outputs that are new values of inputs
  Device device = {};                          ///< where its tensors are
  bool records_launches = false;               ///< see `BackendOptions`
  bool tunes_kernels = false;                  ///< on a GPU
};

/// The new value of a tensor from outside, which counts as one write; a kernel may have put it
/// there already.
void write_update(const Tensor& target, const Tensor& value);

/// Compiles for a built-in backend: `cpu`, `interp`, `aot_eager`, `eager`; what is on a GPU is run
/// there by `cuda`, whichever of the two with kernels was asked for. The artifacts of passes,
/// kernels and machine code go to the log, each as `about` with its own stage and lines; `trail`
/// gets what the passes did and what each step cost.
Result<std::unique_ptr<Executable>> compile_graph(std::shared_ptr<const Graph> graph,
                                                  const std::string& backend,
                                                  const CaptureContext& context, Artifact about,
                                                  CompileTrail& trail, GraphContext known = {});

/// Runs it. Too little memory is a failed check: eager execution then raises it, in its place.
/// Where Ctrl-C or a crash ended it, an exception is pending.
RunStatus run_executable(Executable& executable, std::span<const RunInput> inputs,
                         std::span<const int64_t> symbols, std::vector<Tensor>& outputs);

struct BackendInfo {
  std::string_view name;
  std::string_view meaning;
  /// What runs the kernels; null: there are none, the graph runs node by node.
  const Backend& (*backend)() = nullptr;
  bool makes_machine_code = false;
};
/// The built-in backends; `inductor` stands for one of them.
std::span<const BackendInfo> backend_table();

/// `cpu` for `inductor`; nothing for a name that no backend has.
std::optional<std::string> resolve_backend(const std::string& name, const CaptureContext& context);

}  // namespace glint::capture
