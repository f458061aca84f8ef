#include "runtime/interpreter/recorded_calls.h"

#include "core/support/check.h"
#include "ops/infer.h"
#include "runtime/autograd/expand.h"
#include "runtime/interpreter/torch_values.h"

namespace glint::runtime {
namespace {

/// As `to_argument`; what only the tracer knows keeps its meaning where an argument can carry it.
bool traced_argument(Tracer& tracer, const Value& value, ops::Argument& out,
                     int levels = kArgumentLevels) {
  if (std::optional<SymInt> size = tracer.size_of(value)) {
    out = ops::Argument(*size);
    return true;
  }
  const std::vector<Value>* items = items_of(value);
  if (!items || levels == 0) return to_argument(tracer.plain(value), out, levels);
  if (!tracer.reads_items(value)) return false;
  ops::Argument::List list(items->size());
  for (size_t i = 0; i < items->size(); ++i)
    if (!traced_argument(tracer, (*items)[i], list[i], levels - 1)) return false;
  out = ops::Argument(std::move(list));
  return true;
}

/// The other way round.
Value traced_value(Tracer& tracer, const ops::Argument& argument) {
  if (const SymInt* size = argument.get_if<SymInt>(); size && !size->is_constant())
    return tracer.value_of_size(*size);
  if (const Tensor* tensor = argument.get_if<Tensor>())
    if (Value number = tracer.value_of_number(*tensor); number.defined()) return number;
  if (!argument.is_list()) return from_argument(argument);
  std::vector<Value> items;
  for (const ops::Argument& item : argument.list()) items.push_back(traced_value(tracer, item));
  return Value(make_list(std::move(items)));
}

}  // namespace

std::vector<Tensor> InterpreterRunner::run(const ops::OpEntry& entry, ops::Arguments arguments) {
  if (!in_.tracer()) {
    bool ready = true;
    for (const ops::Argument& argument : arguments)
      for_each_value(argument, [&](const Tensor& tensor) {
        ready = ready && (!tensor.is_pending() || in_.demand_value(tensor));
      });
    if (!ready) throw autograd::Interrupted();
    return ops::call_eager(entry, arguments).to_vector();
  }
  std::vector<Value> values;
  for (const ops::Argument& argument : arguments)
    values.push_back(traced_value(*in_.tracer(), argument));
  Value result = in_.call_unrecorded(entry, values);
  if (result.is_undefined()) throw autograd::Interrupted();
  if (result.is(kTensorKind)) return {tensor_of(result)};
  std::vector<Tensor> tensors;
  const auto& items =
      result.is<ListObject>() ? result.as<ListObject>()->items : result.as<TupleObject>()->items;
  for (const Value& item : items) tensors.push_back(tensor_of(item));
  return tensors;
}

TensorType InterpreterRunner::type(const Tensor& tensor) {
  if (in_.tracer())
    if (std::optional<TensorType> known = in_.tracer()->type(tensor)) return *known;
  return *ops::infer_argument(ops::Argument(tensor)).get_if<TensorType>();
}

void InterpreterRunner::differentiating(const autograd::Node* node) {
  if (in_.tracer()) in_.tracer()->differentiating(node);
}

void InterpreterRunner::warn(const std::string& message) {
  if (!warn_script(in_, message)) throw autograd::Interrupted();
}

bool warn_script(Interpreter& in, std::string_view message) {
  const TracerScope untraced(in, nullptr);
  Value module = in.import_module("warnings");
  return module.defined() &&
         in.call_method(module, "warn", {str_value(std::string(message))}).defined();
}

bool warn_of_copy(Interpreter& in, std::string_view call) {
  return warn_script(in, fmt::format("To copy construct from a tensor, it is recommended to use "
                                     "sourceTensor.detach().clone() or "
                                     "sourceTensor.detach().clone().requires_grad_(True), rather "
                                     "than {}.",
                                     call));
}

bool requires_grad(const Value& value, int levels) {
  if (value.is(kTensorKind)) return glint::requires_grad(*value.as<TensorImpl>());
  const std::vector<Value>* items = levels > 0 ? items_of(value) : nullptr;
  if (!items) return false;
  auto inside = [levels](const Value& item) { return requires_grad(item, levels - 1); };
  return std::ranges::any_of(*items, inside);
}

/// What is no argument is refused, in the usual words, by the call itself.
static Value refused(Interpreter& in, const ops::OpEntry& entry, std::span<const Value> arguments) {
  Value result = in.call_unrecorded(entry, arguments);
  check(result.is_undefined(), "a call that cannot be recorded raises");
  return result;
}

Value call_recorded(Interpreter& in, const ops::OpEntry& entry, std::span<const Value> arguments) {
  ops::BoundArguments bound;
  for (size_t i = 0; i < arguments.size(); ++i) {
    Tensor number = in.tracer() ? in.tracer()->number_of(entry, i, arguments) : Tensor();
    ops::Argument one(number);
    bool known = number.defined() ? true
                 : in.tracer()    ? traced_argument(*in.tracer(), arguments[i], one)
                                  : to_argument(arguments[i], one);
    if (!known) return refused(in, entry, arguments);
    bound.push_back(std::move(one));
  }
  InterpreterRunner runner(in);
  try {
    std::vector<Value> results;
    for (const Tensor& tensor : autograd::call_operator(runner, entry, bound))
      results.push_back(value_of(tensor));
    return value_of_outputs(entry, std::move(results));
  } catch (const ops::OpError& error) {
    return raise_op_error(in, error);
  } catch (const autograd::Interrupted&) {
    return Value();
  }
}

bool begin_to_watch(Interpreter& in, const Tensor& tensor) {
  if (in.tracer()) return true;
  InterpreterRunner runner(in);
  try {
    autograd::look_into_maker(runner, tensor);
    return true;
  } catch (const ops::OpError& error) {
    raise_op_error(in, error);
  } catch (const autograd::Interrupted&) {
  }
  return false;
}

}  // namespace glint::runtime
