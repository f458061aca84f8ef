#include "runtime/autograd/record.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "core/support/check.h"
#include "core/tensor/accelerator.h"
#include "core/tensor/grad_mode.h"
#include "core/tensor/show_memory.h"
#include "ops/builders.h"
#include "ops/call.h"
#include "ops/device_calls.h"
#include "ops/gradient.h"
#include "ops/infer.h"
#include "runtime/autograd/builder.h"
#include "runtime/autograd/engine.h"

namespace glint::autograd {

namespace {

/// What an entry's rules say, by position: worked out once for each entry.
struct RecordPlan {
  struct Rule {
    size_t parameter = 0;
    uint32_t saved_parameters = 0;  ///< a bit each
    uint32_t saved_results = 0;
  };
  std::vector<Rule> rules;
};

const RecordPlan& plan_of(const ops::OpEntry& entry) {
  static auto* plans = new std::vector<std::unique_ptr<RecordPlan>>(ops::op_table().size());
  auto& plan = (*plans)[static_cast<size_t>(&entry - ops::op_table().data())];
  if (plan) return *plan;
  plan = std::make_unique<RecordPlan>();
  const ops::Signature& signature = ops::signature(entry);
  for (const ops::InputGradient& gradient : entry.gradients) {
    if (!gradient.rule) continue;
    RecordPlan::Rule rule;
    auto place = signature.find(gradient.of);
    check(place.has_value(), "a gradient rule is for a parameter of its operator");
    rule.parameter = *place;
    for (size_t i = 0; i < signature.parameters.size(); ++i)
      if (ops::saves(gradient, signature.parameters[i].name)) rule.saved_parameters |= 1U << i;
    for (size_t i = 0; i < ops::named_result_count(entry); ++i)
      if (ops::saves(gradient, ops::result_name(entry, i))) rule.saved_results |= 1U << i;
    plan->rules.push_back(rule);
  }
  return *plan;
}

bool any_requires_grad(const ops::Argument& argument) {
  if (const Tensor* tensor = argument.get_if<Tensor>()) return tensor->requires_grad();
  if (!argument.is_list()) return false;
  bool any = false;
  for_each_value(argument, [&](const Tensor& tensor) { any = any || tensor.requires_grad(); });
  return any;
}

/// Which parameters and results the rules of the inputs that require gradients read.
RecordPlan::Rule saved_by(const RecordPlan& plan, ops::Arguments arguments) {
  RecordPlan::Rule all;
  for (const RecordPlan::Rule& rule : plan.rules) {
    if (!any_requires_grad(arguments[rule.parameter])) continue;
    all.saved_parameters |= rule.saved_parameters;
    all.saved_results |= rule.saved_results;
  }
  return all;
}

/// Edges, types and saved values of the arguments; numbers are always kept. `traced`: the call ran
/// in a trace.
void record_arguments(Node& node, OperatorCall& call, ops::Arguments arguments, uint32_t saved,
                      bool traced) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    call.arguments.push_back(arguments[i]);
    if (call.entry->numbers.kept && (saved >> i & 1) && ops::is_number(arguments[i]))
      call.saves_any = true;
    for_each_value(call.arguments.back(), [&](Tensor& tensor) {
      node.edges.push_back(edge_of(tensor));
      call.types.push_back(saved_type(tensor));
      if (traced && !tensor.is_pending()) call.types.back().traced = tensor;
      call.versions.push_back(version_of(tensor));
      if (saved >> i & 1) {
        check_may_save(tensor);
        call.saves_any = true;
      } else if (!traced || !stands_for_number(tensor)) {
        tensor = Tensor();
      }
    });
  }
}

/// Lets the results of a call whose derivative nobody knows remember that.
void record_unknown(const ops::OpEntry& entry, ops::Arguments arguments,
                    std::vector<Tensor>& results) {
  auto flows = [](const Tensor& result) { return is_floating(result.dtype()); };
  if (std::ranges::none_of(results, flows)) return;
  auto node = make_ref<Node>(NotDifferentiable{
      "NotImplemented",
      fmt::format("derivative for aten::{} is not implemented", ops::signature(entry).name)});
  for (const ops::Argument& argument : arguments)
    for_each_value(argument, [&](const Tensor& tensor) { node->edges.push_back(edge_of(tensor)); });
  for (const Tensor& result : results) node->outputs.push_back(saved_type(result));
  for (size_t i = 0; i < results.size(); ++i)
    if (flows(results[i])) set_history(results[i], node, static_cast<uint32_t>(i));
}

/// What an operator without rules is made of, of operators that have some; or null.
ops::Decomposition recorded_form(const ops::OpEntry& entry) {
  if (ops::has_gradients(entry) || entry.lacks_derivative) return nullptr;
  return entry.recorded ? entry.recorded : entry.decomposition;
}

std::vector<Tensor> call_decomposed(OperatorRunner& runner, const ops::OpEntry& entry,
                                    ops::Decomposition form, ops::Arguments arguments) {
  RecordingBuilder builder(runner);
  // Its parts may make tensors of nothing: where the call is.
  const DefaultDeviceScope scope(accelerator_named ? ops::device_of(entry, arguments)
                                                   : Device::cpu());
  std::vector<OpArgument> converted;
  for (const ops::Argument& argument : arguments)
    converted.push_back(ops::map_argument<OpValue>(argument, ops::eager_value));
  std::vector<Tensor> results;
  for (const OpValue& value :
       form(builder, ops::complete_arguments(entry, std::move(converted), {})))
    results.push_back(ops::eager_tensor(value));
  for (const Tensor& result : results) ops::forget_inner_base(arguments, result);
  return results;
}

}  // namespace

void check_may_save(const Tensor& tensor) {
  if (!tensor->inference) return;
  throw ops::OpError{
      "RuntimeError",
      "Inference tensors cannot be saved for backward. Please do not use Tensors created in "
      "inference mode in computation tracked by autograd. To work around this, you can make a "
      "clone to get a normal tensor and use it in autograd, or use `torch.no_grad()` instead of "
      "`torch.inference_mode()`."};
}

bool wants_record(ops::Arguments arguments) {
  if (!grad_mode()) return false;
  for (const ops::Argument& argument : arguments)
    if (any_requires_grad(argument)) return true;
  return false;
}

std::vector<Tensor> call_operator(OperatorRunner& runner, const ops::OpEntry& entry,
                                  ops::Arguments arguments) {
  // A view is one of its first argument: another has but the sizes (`x.view_as(other)`).
  const bool is_view = entry.lowers_to<ops::View>() != nullptr;
  if (!entry.differentiable || !wants_record(is_view ? arguments.first(1) : arguments))
    return runner.run(entry, arguments);
  if (entry.functional_form) return call_in_place(runner, entry, arguments);
  if (const ops::Decomposition form = recorded_form(entry))
    if (auto results = call_decomposed(runner, entry, form, arguments); !results.empty())
      return results;
  std::vector<Tensor> results = runner.run(entry, arguments);
  if (results.empty()) return results;  // nothing has a history: `x.unbind()` of no rows
  if (ops::has_gradients(entry)) {
    record(entry, arguments, results);
    if (anomaly_mode().enabled)
      if (AutogradMeta* meta = meta_of(results[0]); meta && meta->node)
        meta->node->origin = runner.where();
  } else {
    record_unknown(entry, arguments, results);
  }
  return results;
}

void record(const ops::OpEntry& entry, ops::Arguments given, std::vector<Tensor>& results) {
  std::vector<ops::Argument> arguments = ops::complete_arguments<Tensor>(
      entry, std::vector<ops::Argument>(given.begin(), given.end()), {});
  RecordPlan::Rule saved = saved_by(plan_of(entry), arguments);
  auto node = make_ref<Node>(OperatorCall());
  auto& call = std::get<OperatorCall>(node->work);
  call.entry = &entry;
  if (const ops::View* view = entry.lowers_to<ops::View>())
    call.copied = view->may_copy && !results[0].is_pending() && !results[0]->base;
  record_arguments(*node, call, arguments, saved.saved_parameters, results[0].is_pending());
  for (size_t i = 0; i < results.size(); ++i) {
    // An operator that gives its argument back (nothing to do) gives a tensor of its own here.
    for (const ops::Argument& argument : arguments)
      if (argument.is_value() && argument.tensor().is_same(results[i]))
        results[i] = without_history(results[i]);
    node->outputs.push_back(saved_type(results[i]));
    bool keep = saved.saved_results >> i & 1;
    call.results.push_back(keep ? SavedTensor{without_history(results[i]), version_of(results[i])}
                                : SavedTensor{});
    call.saves_any = call.saves_any || keep;
  }
  for (size_t i = 0; i < results.size(); ++i)
    if (ops::has_gradient(entry, i, results[i].dtype()))
      set_history(results[i], node, static_cast<uint32_t>(i));
}

Tensor without_history(const Tensor& tensor) {
  Tensor result(make_ref<TensorImpl>());
  show_memory(result.impl(), tensor.impl());
  result->traced = tensor->traced;
  return result;
}

}  // namespace glint::autograd
