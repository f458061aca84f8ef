// What scripts hang into the tape: hooks on gradients, functions with a backward of their own, and
// anomaly mode.
//
//     handle = y.register_hook(lambda g: 2 * g)     y's node calls it with y's gradient
//     handle.remove()                               empties the hook: the node skips it
//
// `torch.autograd.Function` is written in the language (library/torch/autograd/function.py); here
// is the one native step under it, which puts a call that has run on the tape.
#include <algorithm>

#include <fmt/format.h>

#include "core/tensor/grad_mode.h"
#include "ops/layout.h"
#include "runtime/autograd/engine.h"
#include "runtime/interpreter/recorded_calls.h"
#include "runtime/interpreter/torch_autograd.h"

namespace glint::runtime {
namespace {

// ---- Hooks -------------------------------------------------------------------------------------

struct HookHandle final : NativeDataObject {
  Ref<autograd::GradientHook> hook;
  HookHandle(ClassObject* of, Ref<autograd::GradientHook> made)
      : NativeDataObject(of), hook(std::move(made)) {}
};

Value handle_remove(NativeCall& call) {
  static_cast<HookHandle*>(call[0].object())->hook->run = nullptr;
  return Value::none();
}

constexpr NativeDefinition kHandleMethods[] = {
    {"remove(self)", handle_remove, kImpure, "takes the hook away"},
};

ClassObject* handle_class(Interpreter& in) {
  const std::string key = "torch.utils.hooks.RemovableHandle";
  if (Value* found = in.modules().find(key)) return found->as<ClassObject>();
  Ref<ClassObject> made =
      in.new_class("RemovableHandle", in.classes().object, kNativeDataKind, "torch.utils.hooks");
  in.add_methods(*made, kHandleMethods);
  in.modules().set(key, Value(made));
  return made.get();
}

std::string hook_name(Interpreter& in, const Value& function) {
  Value name = find_attribute(in, function, intern("__name__"));
  if (in.raised()) in.take_pending();
  return name.defined() && is_str(name) ? std::string(view_of(name)) : "<unknown>";
}

Tensor tensor_of_hook(const Value& given) {
  if (is_tensor(given)) return tensor_of(given);
  throw ops::OpError{"TypeError",
                     fmt::format("expected Variable, but hook returned '{}'", type_name(given))};
}

/// What a hook gives must fit where the gradient goes on to.
void check_replacement(Interpreter& in, const Value& function, const Tensor& was,
                       const Value& given) {
  Tensor now = tensor_of_hook(given);
  auto changed = [&](std::string_view what, const std::string& how) {
    throw ops::OpError{"RuntimeError", fmt::format("hook '{}' has changed the {} of value{}",
                                                   hook_name(in, function), what, how)};
  };
  if (was.dtype() != now.dtype())
    changed("type", fmt::format(" (was {} got {})", ops::tensor_type_name(was.dtype()),
                                ops::tensor_type_name(now.dtype())));
  if (!std::ranges::equal(was.sizes(), now.sizes())) changed("size", "");
}

/// A hook that calls a script's function with a tensor; None leaves the gradient as it is.
Ref<autograd::GradientHook> hook_of(Interpreter& in, const Value& function) {
  auto hook = make_ref<autograd::GradientHook>();
  hook->run = [&in, function](const Tensor& tensor) {
    Value given = in.call(function, {value_of(tensor)});
    if (given.is_undefined()) throw autograd::Interrupted();
    if (given.is_none()) return Tensor();
    check_replacement(in, function, tensor, given);
    return tensor_of(given);
  };
  return hook;
}

/// One that is told of a leaf whose gradient is there: what it gives is nobody's.
Ref<autograd::GradientHook> accumulated_hook_of(Interpreter& in, const Value& function) {
  auto hook = make_ref<autograd::GradientHook>();
  hook->run = [&in, function](const Tensor& tensor) {
    Value given = in.call(function, {value_of(tensor)});
    if (given.is_undefined()) throw autograd::Interrupted();
    if (given.is_none()) return Tensor();
    if (&tensor_of_hook(given).impl() != &tensor.impl())
      throw ops::OpError{"RuntimeError", "Tensor post accumulate grad hooks should return None."};
    return Tensor();
  };
  return hook;
}

Value tensor_register_hook(NativeCall& call) {
  Tensor self = tensor_of(call[0]);
  if (!self.requires_grad())
    return call.raise("RuntimeError",
                      "cannot register a hook on a tensor that doesn't require gradient");
  Ref<autograd::GradientHook> hook = hook_of(call.interpreter, call[1]);
  autograd::add_hook(self, hook);
  if (!begin_to_watch(call.interpreter, self)) return Value();
  return Value(make_ref<HookHandle>(handle_class(call.interpreter), std::move(hook)));
}

Value tensor_register_accumulated_hook(NativeCall& call) {
  Tensor self = tensor_of(call[0]);
  if (!self.requires_grad())
    return call.raise("RuntimeError",
                      "cannot register a hook on a tensor that doesn't require gradient");
  if (!autograd::is_leaf(self))
    return call.raise("RuntimeError",
                      "post accumulate grad hooks cannot be registered on non-leaf tensors");
  Ref<autograd::GradientHook> hook = accumulated_hook_of(call.interpreter, call[1]);
  autograd::make_meta(self).accumulated_hooks.push_back(hook);
  return Value(make_ref<HookHandle>(handle_class(call.interpreter), std::move(hook)));
}

// ---- Functions with a backward of their own ----------------------------------------------------

const std::vector<Value>& items(const Value& tuple) {
  return tuple.as<TupleObject>()->items;
}

/// Calls the script's `backward(saved, gradients)`: a tuple with one gradient an input.
std::vector<Tensor> call_backward(Interpreter& in, const Value& function,
                                  const std::vector<Tensor>& saved,
                                  const std::vector<Tensor>& gradients) {
  std::vector<Value> saved_values, gradient_values;
  for (const Tensor& tensor : saved) saved_values.push_back(value_of(tensor));
  for (const Tensor& tensor : gradients) gradient_values.push_back(value_of(tensor));
  Value given = in.call(function, {Value(make_tuple(std::move(saved_values))),
                                   Value(make_tuple(std::move(gradient_values)))});
  if (given.is_undefined()) throw autograd::Interrupted();
  std::vector<Tensor> results;
  for (const Value& item : items(given))
    results.push_back(is_tensor(item) ? tensor_of(item) : Tensor());
  return results;
}

int32_t place_among(const std::vector<Value>& values, const Value& wanted) {
  for (size_t i = 0; i < values.size(); ++i)
    if (values[i].identical(wanted)) return static_cast<int32_t>(i);
  return -1;
}

void save_tensor(autograd::CustomCall& custom, const Value& value,
                 const std::vector<Value>& outputs) {
  Tensor tensor = is_tensor(value) ? tensor_of(value) : Tensor();
  int32_t result = place_among(outputs, value);
  if (tensor.defined()) autograd::check_may_save(tensor);
  uint32_t version = tensor.defined() && !tensor.is_pending() ? tensor.version() : 0;
  if (result >= 0) tensor = autograd::without_history(tensor);
  custom.saved.push_back({std::move(tensor), version});
  custom.saved_result.push_back(result);
}

/// An input that the function gives back as it is: a view of it, or detached from it.
Tensor shown_input(const Tensor& input, bool flows) {
  Tensor shown = autograd::without_history(input);
  if (flows) remember_base(shown.impl(), input.impl(), autograd::version_of(input));
  return shown;
}

/// `record_function(name, backward, inputs, outputs, saved, constant, written, materialize)`: the
/// outputs, as results of a node with one edge an input. `constant` are outputs without a gradient,
/// `written` inputs that the function changed and gives back.
Value native_record_function(NativeCall& call) {
  Interpreter& in = call.interpreter;
  const auto& inputs = items(call[2]);
  const auto& outputs = items(call[3]);
  autograd::CustomCall custom;
  custom.name = view_of(call[0]);
  custom.materializes = call[7].is_bool() && call[7].as_bool();
  custom.backward = [&in, function = call[1]](std::vector<Tensor> saved,
                                              std::vector<Tensor> gradients) {
    return call_backward(in, function, saved, gradients);
  };
  try {
    for (const Value& value : items(call[4])) save_tensor(custom, value, outputs);
  } catch (const ops::OpError& error) {
    return raise_op_error(in, error);
  }
  std::vector<autograd::Edge> edges;
  for (const Value& value : inputs) {
    edges.push_back(autograd::edge_of(tensor_of(value)));
    custom.types.push_back(autograd::saved_type(tensor_of(value)));
  }
  auto node = make_ref<autograd::Node>(std::move(custom));
  node->edges = std::move(edges);
  std::vector<Value> results;
  for (const Value& value : outputs) {
    Tensor result = tensor_of(value);
    bool was_written = place_among(items(call[6]), value) >= 0;
    bool given_back = place_among(inputs, value) >= 0 && !was_written;
    bool flows = is_floating(result.dtype()) && place_among(items(call[5]), value) < 0;
    if (given_back) result = shown_input(result, flows);
    auto output = static_cast<uint32_t>(node->outputs.size());
    node->outputs.push_back(autograd::saved_type(result));
    if (flows && result->base && !was_written) result->view_origin = ViewOrigin::kFunction;
    if (flows) autograd::set_history(result, node, output);
    results.push_back(value_of(result));
  }
  return Value(make_tuple(std::move(results)));
}

// ---- Anomaly mode ------------------------------------------------------------------------------

Value native_anomaly(NativeCall& call) {
  const autograd::AnomalyMode& mode = autograd::anomaly_mode();
  return Value(make_tuple({Value(mode.enabled), Value(mode.checks_nan)}));
}
Value native_set_anomaly(NativeCall& call) {
  autograd::anomaly_mode() = {truth(call.interpreter, call[0]) == 1,
                              truth(call.interpreter, call[1]) == 1};
  return Value::none();
}

constexpr Effects kReads{.pure = true, .reads_value = true};

constexpr NativeDefinition kMethods[] = {
    {"register_hook(self, hook)",
     tensor_register_hook,
     {.impure = true, .watches_gradient = true},
     "calls a function with each gradient that arrives"},
    {"register_post_accumulate_grad_hook(self, hook)", tensor_register_accumulated_hook, kImpure,
     "calls a function with a leaf whose grad has been added to"},
};
constexpr NativeDefinition kFunctions[] = {
    {"record_function(name, backward, inputs, outputs, saved, constant, written, materialize, /)",
     native_record_function, kImpure, "puts a call with its own backward on the tape"},
    {"anomaly_mode()", native_anomaly, kReads, "whether anomaly mode is on, and looks for NaN"},
    {"set_anomaly_mode(mode, check_nan, /)", native_set_anomaly, kImpure, "sets that"},
};

}  // namespace

void install_hooks(Interpreter& in) {
  in.add_methods(*in.classes().tensor, kMethods);
}

void fill_native_functions(Interpreter& in, ModuleObject& module) {
  in.add_functions(module, kFunctions);
}

}  // namespace glint::runtime
