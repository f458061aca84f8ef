#include "runtime/device/abstract_call.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <string_view>
#include <utility>

#include "ops/builders.h"
#include "ops/infer.h"
#include "ops/kernels.h"
#include "ops/layout.h"
#include "passes/graph_builder.h"

namespace glint::device {
namespace {

bool is_floating_tensor(const ops::Argument& argument) {
  const Tensor* tensor = argument.get_if<Tensor>();
  return tensor != nullptr && is_floating(tensor->dtype());
}

/// Exponents have forms of their own, and of integers a check.
bool takes_any_power(size_t place, ops::Arguments arguments) {
  return place == 0 || (is_floating_tensor(arguments[0]) &&
                        !ops::has_cheaper_power(ops::as_float(arguments[place])));
}

/// What the entry says of the numbers for a parameter.
const ops::VaryingNumber* varying(const ops::OpEntry& entry, size_t place) {
  const std::string& name = ops::signature(entry).parameters[place].name;
  for (const ops::VaryingNumber& number : entry.numbers.vary)
    if (number.parameter != nullptr && name == number.parameter) return &number;
  return nullptr;
}

/// Whether a number for that parameter is an input: the operator only computes with it.
bool takes_any_number(const ops::OpEntry& entry, size_t place, ops::Arguments arguments) {
  const auto* pointwise = entry.lowers_to<ops::Pointwise>();
  if (pointwise && pointwise->function == ScalarFunction::kPower)
    return takes_any_power(place, arguments);
  if (entry.numbers.fixed) return false;
  if (pointwise && place < ops::operand_count(entry)) return true;
  const ops::VaryingNumber* number = varying(entry, place);
  if (number == nullptr || number->floating == nullptr) return number != nullptr;
  const auto operand = ops::signature(entry).find(number->floating);
  return operand && is_floating_tensor(arguments[*operand]);
}

/// Whether an int fits into whatever is computed: narrower dtypes refuse some, by their value.
bool is_wide(ops::Arguments arguments) {
  return std::ranges::all_of(arguments, [](const ops::Argument& each) {
    const Tensor* tensor = each.get_if<Tensor>();
    return tensor == nullptr || is_floating(tensor->dtype()) || tensor->dtype() == DType::kInt64;
  });
}

/// Whether the lowering covers an argument as it is, `alpha=1`: another value takes more.
bool is_covered(const ops::OpEntry& entry, size_t place, const ops::Argument& argument) {
  if (!entry.lowers_to<ops::Pointwise>() || place < ops::operand_count(entry)) return false;
  return ops::same_plain(argument, ops::signature(entry).parameters[place].default_value);
}

/// Whether an int is never an element: what can be is a number of any kind.
bool counts_places(const ops::OpEntry& entry, size_t place) {
  return ops::signature(entry).parameters[place].types == ops::kTakesInt;
}

/// An int that divides ints is refused where it is 0, by its value.
bool divides_by_zero(const ops::OpEntry& entry, size_t place, const SymInt& number) {
  static constexpr std::string_view kDivide[] = {"divide", "floor_divide", "remainder", "fmod"};
  return place == 1 && number.is(0) && std::ranges::find(kDivide, entry.name) != std::end(kDivide);
}

/// The number that an argument is, if the operator only computes with it.
std::optional<Scalar> varying_number(const ops::OpEntry& entry, size_t place,
                                     ops::Arguments arguments) {
  const ops::Argument& argument = arguments[place];
  const auto* real = argument.get_if<double>();
  const auto* integer = argument.get_if<SymInt>();
  const bool is_number = real != nullptr || (integer && integer->is_constant());
  if (!is_number || !takes_any_number(entry, place, arguments)) return std::nullopt;
  if (is_covered(entry, place, argument)) return std::nullopt;
  if (integer && divides_by_zero(entry, place, *integer)) return std::nullopt;
  if (real != nullptr) return Scalar(*real);
  return counts_places(entry, place) || is_wide(arguments)
             ? std::optional(Scalar(integer->constant()))
             : std::nullopt;
}

/// Whether an argument says how large a tensor is, by how much larger than another, or how far
/// elements move.
bool is_size(const ops::OpEntry& entry, size_t place) {
  const std::string& name = ops::signature(entry).parameters[place].name;
  static constexpr std::string_view kOfInputs[] = {"pad", "shifts", "repeats", "normalized_shape"};
  if (std::ranges::find(kOfInputs, name) != std::end(kOfInputs)) return true;
  constexpr std::string_view kNames[] = {"size", "count", "n", "m", "steps"};
  const std::vector<ops::Parameter>& parameters = ops::signature(entry).parameters;
  const auto takes_tensor = [](const ops::Parameter& each) { return each.name == "input"; };
  return std::ranges::find(kNames, name) != std::end(kNames) &&
         std::ranges::none_of(parameters, takes_tensor);
}

/// A size that may be another one at the next call; 0 and 1 are special.
bool is_varying_size(const ops::Argument& argument) {
  const auto* size = argument.get_if<SymInt>();
  return size != nullptr && size->is_constant() && size->constant() >= 2;
}

/// A tensor of the processor that is one number.
bool is_near_number(const Tensor& tensor) {
  return tensor.defined() && tensor.rank() == 0 && tensor.device().is_cpu();
}

bool names_device(const ops::OpEntry& entry, size_t place, const ops::Argument& argument) {
  const bool may = ops::signature(entry).parameters[place].types & ops::kTakesDevice;
  return may && (argument.get_if<Device>() || argument.get_if<std::string>());
}

/// A number that elements become has to fit their dtype; the graph, which has it as an input, does
/// not tell. Small ones fit all.
void check_filled(const ops::OpEntry& entry, const Scalar& number, ops::Arguments arguments) {
  static constexpr std::string_view kFills[] = {"full", "full_like", "new_full", "fill",
                                                "masked_fill"};
  if (std::abs(number.as_double()) <= 127) return;
  if (std::ranges::find(kFills, entry.name) != std::end(kFills))
    ops::infer(entry, ops::infer_arguments(arguments));
}

}  // namespace

AbstractCall::AbstractCall(const ops::OpEntry& entry, ops::Arguments arguments,
                           const Tensor* target)
    : entry_(entry), arguments_(arguments), target_(target) {
  add_plain(&entry);
  kind_begin_ = key_.size();
  add_plain(default_dtype());
  add_plain(has_target());
  if (target_ != nullptr) add_tensor(*target_);
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::optional<Scalar> number = varying_number(entry, i, arguments);
    roles_.push_back(number ? Role::kNumber : is_size(entry, i) ? Role::kSize : Role::kFixed);
    if (number) {
      check_filled(entry, *number, arguments);
      add_number(*number);
    } else if (roles_.back() == Role::kSize) {
      add_sizes(arguments[i]);
    } else {
      add(arguments[i]);
    }
  }
}

void AbstractCall::add_number(const Scalar& number) {
  const DType dtype = number.is_int() ? DType::kInt64 : DType::kFloat64;
  numbers_.push_back({dtype, ops::Element(number, dtype)});
  add_plain(uint8_t{0xff});  // no argument's kind
  add_plain(dtype);
}

/// A launch has its number with it, and nothing is moved.
void AbstractCall::add_near_number(const Tensor& tensor) {
  add_plain(tensor.dtype());
  add_number(tensor.item());
}

/// One number, or a list of them.
void AbstractCall::add_sizes(const ops::Argument& argument) {
  const std::span<const ops::Argument> all = argument.is_list()
                                                 ? std::span<const ops::Argument>(argument.list())
                                                 : std::span(&argument, 1);
  if (argument.is_list()) add_plain(all.size());
  std::vector<int>& symbols = listed_sizes_.emplace_back();
  for (const ops::Argument& each : all) {
    const bool varies = is_varying_size(each);
    const size_t place = all.size() - 1 - symbols.size();
    symbols.push_back(varies ? symbol_for(each.get_if<SymInt>()->constant(), place, symbols) : -1);
    if (!varies) {
      add(each);
      continue;
    }
    add_plain(uint8_t{0xfe});  // no argument's kind
    add_plain(symbols.back());
  }
}

/// A size's argument with symbols in the place of numbers; `chosen`: which.
Argument AbstractCall::written_sizes(const ops::Argument& argument, const std::vector<int>& chosen,
                                     const std::vector<SymInt>& symbols) {
  const auto written = [&](const ops::Argument& each, int which) {
    if (which >= 0) return Argument(symbols[static_cast<size_t>(which)]);
    return ops::map_argument<Value>(each, [](const Tensor&) { return Value{}; });
  };
  if (!argument.is_list()) return written(argument, chosen[0]);
  Argument::List items;
  for (size_t i = 0; i < chosen.size(); ++i)
    items.push_back(written(argument.list()[i], chosen[i]));
  return Argument(std::move(items));
}

void AbstractCall::add(const ops::Argument& argument) {
  add_plain(static_cast<uint8_t>(argument.value.index()));
  std::visit(
      [this]<class T>(const T& value) {
        if constexpr (std::is_same_v<T, Tensor>) {
          if (is_near_number(value))
            add_near_number(value);
          else
            add_argument(value);
        } else if constexpr (std::is_same_v<T, ops::Argument::List>) {
          add_plain(value.size());
          for (const ops::Argument& item : value) add(item);
        } else if constexpr (std::is_same_v<T, std::string>) {
          add_plain(value.size());
          key_ += value;
        } else if constexpr (std::is_same_v<T, SymInt>) {
          add_plain(value.key());
        } else if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, double> ||
                             std::is_same_v<T, DType>) {
          add_plain(value);
        }
      },
      argument.value);
}

/// The sizes of one tensor have a symbol each, so that it does not matter which of them happen to
/// be equal; those of two share it where they are in the same place, counted from the right as
/// operands are spread, or else where they are equal. `taken`: what the tensor, or list, has
/// already.
int AbstractCall::symbol_for(int64_t size, size_t place, const std::vector<int>& taken) {
  const auto is_free = [&](int which) {
    return which >= 0 && symbols_[static_cast<size_t>(which)] == size &&
           std::ranges::find(taken, which) == taken.end();
  };
  for (const AbstractTensor& each : tensors_)
    if (place < each.sizes.size())
      if (const int which = each.sizes[each.sizes.size() - 1 - place]; is_free(which)) return which;
  for (int which = 0; std::cmp_less(which, symbols_.size()); ++which)
    if (is_free(which)) return which;
  symbols_.push_back(size);
  return static_cast<int>(symbols_.size() - 1);
}

bool AbstractCall::reads_target() const {
  return has_target() && std::ranges::find(places_, size_t{0}) != places_.end();
}

void AbstractCall::add_argument(const Tensor& tensor) {
  const bool is_target = target_ != nullptr && show_same_elements(tensor, *target_);
  add_plain(is_target);
  places_.push_back(is_target ? 0 : tensors_.size());
  if (!is_target) add_tensor(tensor);
}

void AbstractCall::add_tensor(const Tensor& tensor) {
  AbstractTensor made{&tensor.impl(), {}, {}};
  add_plain(tensor.dtype());
  add_plain(static_cast<uint8_t>(tensor.rank()));
  for (const int64_t size : tensor.sizes()) {
    const size_t place = static_cast<size_t>(tensor.rank()) - 1 - made.sizes.size();
    const int which = size < 2 ? static_cast<int>(-1 - size) : symbol_for(size, place, made.sizes);
    made.sizes.push_back(which);
    add_plain(which);
  }
  add_layout(tensor, made);
  tensors_.push_back(std::move(made));
}

/// Row-major; dense in another order; or any strides, which then are constants.
void AbstractCall::add_layout(const Tensor& tensor, AbstractTensor& made) {
  made.row_major = has_row_major_strides(tensor);
  if (made.row_major) {
    key_ += 'r';
    return;
  }
  const bool ordered = is_dense(tensor) &&
                       std::ranges::none_of(tensor.sizes(), [](int64_t size) { return size < 2; });
  if (!ordered) {
    key_ += 's';
    for (const int64_t stride : tensor.strides()) add_plain(stride);
    return;
  }
  key_ += 'd';
  made.order.resize(static_cast<size_t>(tensor.rank()));
  std::iota(made.order.begin(), made.order.end(), uint8_t{0});
  std::ranges::sort(made.order,
                    [&](uint8_t a, uint8_t b) { return tensor.stride(a) < tensor.stride(b); });
  for (const uint8_t dim : made.order) add_plain(dim);
}

std::vector<RunInput> AbstractCall::inputs() const {
  std::vector<RunInput> inputs;
  for (const AbstractTensor& each : tensors_) inputs.push_back({each.tensor, nullptr});
  for (const Number& number : numbers_) inputs.push_back({nullptr, number.value.bytes});
  return inputs;
}

TensorType AbstractCall::type_of(const AbstractTensor& tensor,
                                 const std::vector<SymInt>& symbols) const {
  TensorType type = TensorType::tensor(tensor.tensor->dtype, {});
  for (const int size : tensor.sizes)
    type.sizes.push_back(size < 0 ? SymInt(-1 - size) : symbols[static_cast<size_t>(size)]);
  if (tensor.row_major) return type;
  if (tensor.order.empty()) {
    type.strides.assign(tensor.tensor->strides.begin(), tensor.tensor->strides.end());
    return type;
  }
  type.strides.resize(type.sizes.size());
  SymInt step = 1;
  for (const uint8_t dim : tensor.order) {
    type.strides[dim] = step;
    step *= type.sizes[dim];
  }
  return type;
}

std::vector<Argument> AbstractCall::write_graph(Graph& graph, ShapeEnvironment& shapes) const {
  std::vector<SymInt> symbols;
  for (const int64_t size : symbols_) symbols.push_back(shapes.new_symbol(size));
  passes::GraphBuilder builder(graph, {});
  std::vector<Value> tensors, numbers;
  for (const AbstractTensor& each : tensors_)
    tensors.push_back(graph.add_parameter("x", type_of(each, symbols)));
  for (const Number& number : numbers_)
    numbers.push_back(graph.add_parameter("number", TensorType::number(number.dtype)));
  std::vector<Argument> written;
  size_t tensor = 0, number = 0, sizes = 0;
  const auto next_tensor = [&](const Tensor& given) {
    if (!is_near_number(given)) return tensors[places_[tensor++]];
    const std::initializer_list<Argument> full = {
        Argument(Argument::List()), Argument(numbers[number++]), Argument(given.dtype()),
        Argument(), Argument(false)};
    return Value{builder.append(*ops::find_op("full"), std::vector<Argument>(full)), 0};
  };
  for (size_t i = 0; i < arguments_.size(); ++i) {
    if (roles_[i] == Role::kNumber) {
      written.emplace_back(numbers[number++]);
    } else if (roles_[i] == Role::kSize) {
      written.push_back(written_sizes(arguments_[i], listed_sizes_[sizes++], symbols));
    } else if (names_device(entry_, i, arguments_[i])) {
      written.emplace_back();  // the whole graph is on one
    } else {
      written.push_back(ops::map_argument<Value>(arguments_[i], next_tensor));
    }
  }
  return written;
}

}  // namespace glint::device
