#include "runtime/capture/region_gradients.h"

#include <fmt/format.h>

#include "core/tensor/copy.h"
#include "core/tensor/grad_mode.h"
#include "ops/op.h"
#include "runtime/autograd/record.h"
#include "runtime/capture/executable.h"

namespace glint::capture {
namespace {

class LazyBackward final : public autograd::CompiledBackward {
 public:
  LazyBackward(Graph graph, std::string backend, const CaptureContext& context, Artifact about)
      : graph_(std::make_shared<const Graph>(std::move(graph))),
        backend_(std::move(backend)),
        context_(context),
        about_(std::move(about)) {}

  std::vector<Tensor> run(std::span<const Tensor> saved, std::span<const int64_t> symbols,
                          std::span<const Tensor> tangents) override {
    if (grad_mode())
      throw ops::OpError{"RuntimeError",
                         "torch.compile with aot_autograd does not currently support double "
                         "backward"};
    if (!executable_) compile();
    std::vector<Tensor> held(saved.begin(), saved.end());
    for (const Tensor& tangent : tangents) held.push_back(contiguous(tangent));
    std::vector<RunInput> inputs;
    for (const Tensor& each : held) inputs.push_back({&each.impl(), nullptr});
    std::vector<Tensor> gradients;
    if (RunStatus fault = run_executable(*executable_, inputs, symbols, gradients))
      throw ops::OpError{"RuntimeError", std::string(*fault)};
    return gradients;
  }

 private:
  void compile() {
    if (context_.log) {
      about_.compile = context_.log->begin_compile();
      Artifact shown = about_;
      shown.stage = Stage::kGraph;
      shown.lines = [graph = graph_] { return graph_lines(*graph); };
      context_.log->add(std::move(shown));
    }
    auto compiled = compile_graph(graph_, backend_, context_, about_, trail_);
    if (compiled) {
      executable_ = std::move(*compiled);
      return;
    }
    if (context_.warn)
      context_.warn(fmt::format("glint: {} the backward of `{}` runs eagerly: {}",
                                info(DiagnosticId::kFallbackBackend).code, about_.function,
                                compiled.error().message));
    executable_ = eager_executable(graph_);
  }

  std::shared_ptr<const Graph> graph_;
  std::string backend_;
  const CaptureContext& context_;
  Artifact about_;
  CompileTrail trail_;
  std::unique_ptr<Executable> executable_;  ///< null until it first runs
};

}  // namespace

std::shared_ptr<autograd::CompiledBackward> make_backward(Graph graph, std::string backend,
                                                          const CaptureContext& context,
                                                          Artifact about) {
  return std::make_shared<LazyBackward>(std::move(graph), std::move(backend), context,
                                        std::move(about));
}

void attach_history(const RegionGradients& gradients, std::span<const RunInput> inputs,
                    std::span<const int64_t> symbols, std::span<const Tensor> outputs) {
  autograd::CompiledCall call;
  call.backward = gradients.backward;
  call.symbols.assign(symbols.begin(), symbols.end());
  for (const passes::SavedValue& saved : gradients.saved) {
    // An output is kept without its history: the node must not keep itself alive.
    Tensor tensor = saved.is_input ? Tensor(Ref<TensorImpl>(inputs[saved.index].tensor))
                                   : autograd::without_history(outputs[saved.index]);
    uint32_t version = tensor.version();
    call.saved.push_back({std::move(tensor), version});
  }
  bool went_backward = !gradients.backward;
  auto node = make_ref<autograd::Node>(std::move(call));
  node->released = went_backward;
  for (uint32_t input : gradients.inputs)
    node->edges.push_back(autograd::edge_of(Tensor(Ref<TensorImpl>(inputs[input].tensor))));
  for (uint32_t output : gradients.outputs)
    node->outputs.push_back(autograd::saved_type(outputs[output]));
  for (size_t i = 0; i < gradients.outputs.size(); ++i)
    autograd::set_history(outputs[gradients.outputs[i]], node, static_cast<uint32_t>(i));
}

}  // namespace glint::capture
