// `OpBuilder`: what decompositions and gradient rules are written against.
//
// The same text either runs at once on tensors or appends nodes to a graph, depending on the
// builder it is given:
//
//     OpValue gelu(OpBuilder& b, OpValue x) {
//       OpValue inner = b.erf(b.multiply(x, std::numbers::sqrt2 / 2));
//       return b.multiply(b.multiply(x, 0.5), b.add(inner, 1.0));
//     }
//
// A Python number in place of a tensor is a number for type promotion too. `call` reaches every
// operator by name; the named helpers are shorthand for the common ones.
#pragma once

#include <initializer_list>
#include <string_view>
#include <vector>

#include "core/support/ref_counted.h"
#include "ir/argument.h"
#include "ir/graph.h"
#include "ir/tensor_type.h"

namespace glint {

/// A tensor, as a builder hands it out: an eager builder fills `object` (a TensorImpl), a graph
/// builder `value`. Rules only pass it on and ask the builder for its type.
struct OpValue {
  Ref<RefCounted> object;
  Value value;
  bool operator==(const OpValue&) const = default;
};

using OpArgument = BasicArgument<OpValue>;
using OpNamedArgument = BasicNamedArgument<OpValue>;

class OpBuilder {
 public:
  virtual ~OpBuilder() = default;

  /// Calls an operator: arguments by position, then by name. Gives all its outputs.
  virtual std::vector<OpValue> call_all(std::string_view target, std::vector<OpArgument> positional,
                                        std::vector<OpNamedArgument> named) = 0;
  /// dtype, sizes, strides, device.
  virtual TensorType type(const OpValue& value) = 0;

  /// Calls an operator with one output.
  OpValue call(std::string_view target, std::vector<OpArgument> positional,
               std::vector<OpNamedArgument> named = {});

  DType dtype(const OpValue& x) { return type(x).dtype; }
  std::vector<SymInt> sizes(const OpValue& x) { return type(x).sizes; }
  size_t rank(const OpValue& x) { return type(x).rank(); }

  OpValue add(OpArgument x, OpArgument y) { return binary("add", x, y); }
  OpValue subtract(OpArgument x, OpArgument y) { return binary("subtract", x, y); }
  OpValue multiply(OpArgument x, OpArgument y) { return binary("multiply", x, y); }
  OpValue divide(OpArgument x, OpArgument y) { return binary("divide", x, y); }
  OpValue power(OpArgument x, OpArgument y) { return binary("power", x, y); }
  /// x * y + z, rounded once; of floats.
  OpValue fma(OpArgument x, OpArgument y, OpArgument z) {
    return call("fma", {std::move(x), std::move(y), std::move(z)});
  }
  OpValue maximum(OpArgument x, OpArgument y) { return binary("maximum", x, y); }
  OpValue minimum(OpArgument x, OpArgument y) { return binary("minimum", x, y); }
  OpValue equal(OpArgument x, OpArgument y) { return binary("equal", x, y); }
  OpValue less(OpArgument x, OpArgument y) { return binary("less", x, y); }
  OpValue greater(OpArgument x, OpArgument y) { return binary("greater", x, y); }
  OpValue where(OpArgument condition, OpArgument x, OpArgument y) {
    return call("where", {std::move(condition), std::move(x), std::move(y)});
  }

  OpValue negative(OpValue x) { return unary("negative", x); }
  OpValue exp(OpValue x) { return unary("exp", x); }
  OpValue log(OpValue x) { return unary("log", x); }
  OpValue sqrt(OpValue x) { return unary("sqrt", x); }
  OpValue rsqrt(OpValue x) { return unary("rsqrt", x); }
  OpValue reciprocal(OpValue x) { return unary("reciprocal", x); }
  OpValue tanh(OpValue x) { return unary("tanh", x); }
  OpValue sigmoid(OpValue x) { return unary("sigmoid", x); }
  OpValue erf(OpValue x) { return unary("erf", x); }
  OpValue relu(OpValue x) { return unary("relu", x); }

  /// Converts to a dtype; the same value when it has that dtype.
  OpValue to(OpValue x, DType dtype);
  OpValue sum(OpValue x, std::vector<SymInt> dims, bool keepdim = false) {
    return reduce("sum", x, dims, keepdim);
  }
  OpValue mean(OpValue x, std::vector<SymInt> dims, bool keepdim = false) {
    return reduce("mean", x, dims, keepdim);
  }
  OpValue amax(OpValue x, std::vector<SymInt> dims, bool keepdim = false) {
    return reduce("amax", x, dims, keepdim);
  }
  OpValue reshape(OpValue x, std::vector<SymInt> sizes) { return call("reshape", {x, sizes}); }
  OpValue expand(OpValue x, std::vector<SymInt> sizes) { return call("expand", {x, sizes}); }
  OpValue permute(OpValue x, std::vector<SymInt> dims) { return call("permute", {x, dims}); }
  OpValue unsqueeze(OpValue x, SymInt dim) { return call("unsqueeze", {x, dim}); }
  OpValue squeeze(OpValue x, SymInt dim) { return call("squeeze", {x, dim}); }
  OpValue full(std::vector<SymInt> sizes, OpArgument value, DType dtype);

 private:
  OpValue unary(std::string_view target, OpValue x) { return call(target, {std::move(x)}); }
  OpValue binary(std::string_view target, OpArgument x, OpArgument y) {
    return call(target, {std::move(x), std::move(y)});
  }
  OpValue reduce(std::string_view target, OpValue x, std::vector<SymInt> dims, bool keepdim);
};

}  // namespace glint
