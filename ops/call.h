// Calling an operator: Python's arguments to bound arguments, and bound arguments to tensors.
//
//     const OpEntry& add = *find_torch("add");
//     Argument positional[] = {x, 2.5};
//     BoundArguments bound = ops::bind(add, positional, {}, CallStyle::kFunction);   // x, 2.5,
//     alpha=1 Outputs outputs = call_eager(add, bound);
//
// `bind` checks number, names and types and raises PyTorch's messages. A caller that knows its
// arguments (the interpreter's `x + y`) skips it: `Argument bound[] = {x, y, 1}` in the order of
// the signature is all that `call_eager` needs; for an operator such as `x + y` trailing
// parameters that have a default may be left off.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <new>
#include <span>
#include <string_view>
#include <vector>

#include "core/support/check.h"
#include "ops/op.h"

namespace glint::ops {

/// The arguments of one call, in the object itself: no call of an operator allocates for them.
class BoundArguments {
 public:
  static constexpr size_t kMost = 12;

  BoundArguments() = default;
  /// `count` times None, to be assigned.
  explicit BoundArguments(size_t count) {
    for (size_t i = 0; i < count; ++i) push_back(Argument());
  }
  BoundArguments(const BoundArguments&) = delete;
  BoundArguments& operator=(const BoundArguments&) = delete;
  BoundArguments(BoundArguments&& other) noexcept {
    for (size_t i = 0; i < other.size_; ++i) push_back(std::move(other[i]));
  }
  ~BoundArguments() { std::destroy_n(data(), size_); }

  void push_back(Argument argument) {
    check(size_ < kMost, "an operator has at most 12 parameters");
    new (data() + size_++) Argument(std::move(argument));
  }
  /// One more None, to be assigned.
  Argument& emplace_back() {
    check(size_ < kMost, "an operator has at most 12 parameters");
    return *new (data() + size_++) Argument();
  }
  size_t size() const { return size_; }
  Argument* data() { return reinterpret_cast<Argument*>(memory_); }
  const Argument* data() const { return reinterpret_cast<const Argument*>(memory_); }
  Argument& operator[](size_t i) { return data()[i]; }
  const Argument& operator[](size_t i) const { return data()[i]; }
  operator Arguments() const { return {data(), size_}; }

 private:
  size_t size_ = 0;
  alignas(Argument) std::byte memory_[kMost * sizeof(Argument)];
};

/// A function's first argument has position 1; so has the argument after a method's `self`.
enum class CallStyle : uint8_t { kFunction, kMethod };

struct KeywordArgument {
  std::string_view name;
  Argument value;
};

/// One argument a parameter, defaults filled in. Throws OpError.
BoundArguments bind(const OpEntry& entry, Arguments positional,
                    std::span<const KeywordArgument> keywords,
                    CallStyle style = CallStyle::kFunction);

/// For a Python object that is no `Argument` at all: throws the TypeError that names its type.
[[noreturn]] void wrong_type(const OpEntry& entry, size_t position, std::string_view type_name,
                             CallStyle style = CallStyle::kFunction);
[[noreturn]] void wrong_type(const OpEntry& entry, std::string_view keyword,
                             std::string_view type_name);

/// Runs an operator now. Throws OpError. In-place forms give their first argument back.
Outputs call_eager(const OpEntry& entry, Arguments arguments);
/// Runs a composite operator by operator, for kernels that do not cover all arguments.
Outputs run_decomposition(const OpEntry& entry, Arguments arguments);

/// A result that shows memory of the decomposition's own is nobody's view: `x.roll(1)` is a slice
/// of a concatenation, which nobody else has. Views of arguments stay views.
void forget_inner_base(Arguments arguments, const Tensor& result);
/// The same for the common case of one output.
Tensor call_eager_one(const OpEntry& entry, Arguments arguments);
/// By name, for C++ code and tests: `call_eager("sum", {x, 1, true})`; missing ones are defaults.
Tensor call_eager(std::string_view name, std::initializer_list<Argument> arguments);

/// A builder that executes at once: decompositions on tensors.
OpValue eager_value(const Tensor& tensor);
Tensor eager_tensor(const OpValue& value);
OpBuilder& eager_builder();

/// Python's name of an argument's type: `Tensor`, `int`, `float`, `tuple`, `NoneType`.
std::string_view python_type_name(const Argument& argument);

/// The tensor of nested lists' values, given flat: what `torch.tensor([[1, 2], [3, 4]])` makes.
Tensor tensor_from_values(std::span<const Scalar> values, IntSpan sizes,
                          std::optional<DType> dtype = std::nullopt);

}  // namespace glint::ops
