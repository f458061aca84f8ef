// Calls of operators on tensors that require gradients: the interpreter's side of the tape
// (runtime/autograd). Operators run through the interpreter, so that an active tracer sees them.
#pragma once

#include "core/tensor/grad_mode.h"
#include "ops/call.h"
#include "runtime/autograd/record.h"
#include "runtime/interpreter/interpreter.h"
#include "runtime/interpreter/torch_values.h"

namespace glint::runtime {

class InterpreterRunner final : public autograd::OperatorRunner {
 public:
  explicit InterpreterRunner(Interpreter& in) : in_(in) {}
  std::vector<Tensor> run(const ops::OpEntry& entry, ops::Arguments arguments) override;
  TensorType type(const Tensor& tensor) override;
  bool runs_at_once() const override { return !in_.tracer(); }
  void differentiating(const autograd::Node* node) override;
  std::string where() override { return in_.stack_text(); }
  void warn(const std::string& message) override;

 private:
  Interpreter& in_;
};

/// A UserWarning of the script's line that is at work, while a trace runs too: a compiled line says
/// it once. False where it became an exception.
bool warn_script(Interpreter& in, std::string_view message);
/// What PyTorch says where a tensor is made of a tensor by this call; false as above.
bool warn_of_copy(Interpreter& in, std::string_view call);

/// Whether a value is a tensor that requires a gradient, or a list with one, so deep.
bool requires_grad(const Value& value, int levels);
/// Whether a tensor among the values, or in a list among them (nested as deep as arguments may be),
/// requires a gradient. Each call of an operator asks.
inline bool any_requires_grad(std::span<const Value> arguments) {
  for (const Value& value : arguments) {
    if (!value.is_object()) continue;
    bool any = value.is(kTensorKind) ? glint::requires_grad(*value.as<TensorImpl>())
                                     : requires_grad(value, kArgumentLevels);
    if (any) return true;
  }
  return false;
}
/// Runs and records; undefined if it raised, or the trace stops here.
Value call_recorded(Interpreter& in, const ops::OpEntry& entry, std::span<const Value> arguments);

/// Runs a call with its arguments as they are, and records it where that is asked for.
inline Value call_as_given(Interpreter& in, const ops::OpEntry& entry,
                           std::span<const Value> arguments) {
  if (grad_mode() && any_requires_grad(arguments)) return call_recorded(in, entry, arguments);
  return in.call_unrecorded(entry, arguments);
}

/// Called where a script begins to watch a tensor's gradient: false if it raised.
bool begin_to_watch(Interpreter& in, const Tensor& tensor);

/// Values as an operator's arguments, their data at hand; false if it raised.
bool bind_values(Interpreter& in, const ops::OpEntry& entry, std::span<const Value> arguments,
                 ops::BoundArguments& bound);
/// One value of an operator's results: a tensor, a tuple or a list, as the entry says.
Value value_of_outputs(const ops::OpEntry& entry, std::vector<Value> results);

}  // namespace glint::runtime
