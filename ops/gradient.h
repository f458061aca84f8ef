// Gradient rules: how an operator's entry says what its inputs' gradients are.
//
//     .gradients = {{"input", "other", [](GradientCall& g) { return g.b.multiply(g.out(),
//     g["other"]); }},
//                   {"other", "input", [](GradientCall& g) { return g.b.multiply(g.out(),
//                   g["input"]); }}},
//
// reads: the gradient of `mul` for its parameter `input` is the gradient of its result times
// `other`, whose value is therefore saved when the operator runs; likewise the other way round. A
// rule is written against `OpBuilder`: the same text runs on tensors (eager backward), on traced
// tensors (the graph) and, where derivatives of derivatives are wanted, records what it does.
//
// A rule does not care about broadcasting or promotion: its result is summed down to the sizes of
// the input and converted to its dtype (`fit_gradient`). A composite without rules needs none:
// recording runs its decomposition, whose operators have them.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "ir/op_builder.h"
#include "ops/op.h"

namespace glint::ops {

/// What one rule is given. Values that the rule did not declare to be saved are not there: asking
/// for one is an InternalError, and the test over the table asks every rule.
class GradientCall {
 public:
  /// One argument a parameter, in the signature's order. Tensors that are not saved are empty
  /// values, whose types stand in `types`: one a tensor among the arguments, lists included, in
  /// order.
  struct Inputs {
    OpArguments arguments;
    std::span<const TensorType> types;
    std::span<const OpValue> results;  ///< those not saved are empty
    std::span<const TensorType> result_types;
    std::span<const OpValue> gradients;  ///< of the results; empty where none arrived
  };
  GradientCall(OpBuilder& builder, const OpEntry& entry, const Inputs& inputs)
      : b(builder), entry_(entry), inputs_(inputs) {}

  OpBuilder& b;
  /// Of a rule for a list of tensors: which of them the gradient is for.
  size_t part = 0;

  /// An argument: a saved tensor, or a number, list, string as it was given.
  const OpArgument& operator[](std::string_view parameter) const;
  /// A saved tensor argument.
  OpValue tensor(std::string_view parameter) const;
  /// The type of a tensor argument, saved or not; of a list, of its `part`.
  const TensorType& type(std::string_view parameter) const;
  std::vector<SymInt> sizes(std::string_view parameter) const { return type(parameter).sizes; }
  /// How many tensors a list argument has, and their types.
  std::span<const TensorType> types_of_list(std::string_view parameter) const;
  bool is_tensor(std::string_view parameter) const;
  bool is_none(std::string_view parameter) const { return (*this)[parameter].is_none(); }

  /// A saved result.
  OpValue result(size_t i = 0) const;
  const TensorType& result_type(size_t i = 0) const { return inputs_.result_types[i]; }
  size_t result_count() const { return inputs_.result_types.size(); }
  /// The gradient of a result; zeros where none arrived.
  OpValue out(size_t i = 0) const;
  /// What the rules of several inputs have in common: made by the first of them that asks.
  template <class Make>
  const std::vector<OpValue>& shared(Make make) {
    if (shared_.empty()) shared_ = make();
    return shared_;
  }
  /// The operator on the gradient instead of its first argument, of which it is a linear function.
  OpValue on_gradient() const;
  /// A rule of the same call that computes in float32 what is of 16 bits, and is rounded at its
  /// end, as one kernel of PyTorch's is.
  OpValue in_float32(GradientRule rule) const;
  bool has_out(size_t i) const;

  /// A dimension argument, wrapped to be at least 0; of a 0-dim tensor, 0.
  int64_t dim(std::string_view parameter, std::string_view of = "input") const;
  /// The dimensions that a reduction with this argument (an int, a list, None for all) removes.
  std::vector<SymInt> reduced_dims(std::string_view parameter, std::string_view of = "input") const;
  /// A reduction's result, or its gradient, back at the rank of the input: `keepdim` undone.
  OpValue keep_dims(OpValue reduced, std::string_view parameter = "dim") const;
  OpValue zeros_like(std::string_view parameter) const;
  /// The same seen from one element, for operators that copy it and write into the copy.
  OpValue base_of_zeros(std::string_view parameter) const;

 private:
  size_t place_of(std::string_view parameter) const;

  const OpEntry& entry_;
  const Inputs& inputs_;
  std::vector<OpValue> shared_;
};

/// `GradientCall::in_float32`, as a rule.
template <GradientRule kRule>
OpValue rounded_once(GradientCall& g) {
  return g.in_float32(kRule);
}

/// Of a maximum (`loses` is "less") or minimum ("greater") of two, the gradient of one: all of it
/// where it is chosen, half of it where both are equal, 0 where it loses.
OpValue extreme_share(OpBuilder& b, OpValue gradient, const char* loses, const OpArgument& mine,
                      const OpArgument& other);

/// Sums a gradient down to the sizes of what it is the gradient of, and converts it.
OpValue fit_gradient(OpBuilder& b, OpValue gradient, const TensorType& input);

/// The rule for a parameter; null if the operator has none.
const InputGradient* find_gradient(const OpEntry& entry, std::string_view parameter);
bool has_gradients(const OpEntry& entry);
/// Whether `names`, the `saves` of a rule, has a word.
bool saves(const InputGradient& gradient, std::string_view name);
/// Whether a gradient flows into a result of this dtype.
bool has_gradient(const OpEntry& entry, size_t result, DType dtype);
/// How many results a call may have whose names a rule can save.
size_t named_result_count(const OpEntry& entry);
/// The name of a saved result in `saves`: "result", or the part of a named tuple.
std::string_view result_name(const OpEntry& entry, size_t index);
/// The name in `grad_fn`: `MulBackward0`.
std::string gradient_name(const OpEntry& entry, Arguments arguments);

}  // namespace glint::ops
