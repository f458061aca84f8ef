#include "runtime/capture/region_gradients.h"

#include "core/tensor/copy.h"
#include "core/tensor/grad_mode.h"
#include "ops/op.h"
#include "runtime/autograd/record.h"
#include "runtime/capture/executable.h"

namespace glint::capture {
namespace {

class LazyBackward final : public autograd::CompiledBackward {
 public:
  LazyBackward(BackwardPlan plan, const CaptureContext& context,
               std::function<void(const BackwardPlan&, const std::string&)> failed)
      : plan_(std::move(plan)), context_(context), failed_(std::move(failed)) {}

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
    ShapeEnvironment::Scope scope(plan_.shapes);
    if (context_.log) {
      plan_.about.compile = context_.log->begin_compile();
      Artifact shown = plan_.about;
      shown.stage = Stage::kGraph;
      shown.lines = [graph = plan_.graph] { return graph_lines(*graph); };
      context_.log->add(std::move(shown));
    }
    auto compiled = compile_graph(plan_.graph, plan_.backend, context_, plan_.about, trail_);
    if (compiled) {
      executable_ = std::move(*compiled);
      return;
    }
    failed_(plan_, compiled.error().message);
    executable_ = eager_executable(plan_.graph);
  }

  BackwardPlan plan_;
  const CaptureContext& context_;
  std::function<void(const BackwardPlan&, const std::string&)> failed_;
  CompileTrail trail_;
  std::unique_ptr<Executable> executable_;  ///< null until it first runs
};

}  // namespace

std::shared_ptr<autograd::CompiledBackward> make_backward(
    BackwardPlan plan, const CaptureContext& context,
    std::function<void(const BackwardPlan&, const std::string&)> failed) {
  return std::make_shared<LazyBackward>(std::move(plan), context, std::move(failed));
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
