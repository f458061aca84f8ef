#include "ops/gradient.h"

#include <fmt/format.h>

#include "core/support/check.h"
#include "ops/infer.h"

namespace glint::ops {

namespace {

/// `log_softmax` as `LogSoftmax`.
std::string camel_case(std::string_view name) {
  std::string result;
  bool upper = true;
  for (char c : name) {
    if (c == '_') {
      upper = true;
      continue;
    }
    result += upper && c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c;
    upper = false;
  }
  return result;
}

}  // namespace

size_t GradientCall::place_of(std::string_view parameter) const {
  auto found = signature(entry_).find(parameter);
  check(found.has_value(), "a gradient rule names a parameter of its operator");
  return *found;
}

const OpArgument& GradientCall::operator[](std::string_view parameter) const {
  const OpArgument& argument = inputs_.arguments[place_of(parameter)];
  bool missing = false;
  for_each_value(argument, [&](const OpValue& value) { missing = missing || value == OpValue{}; });
  check(!missing, fmt::format("the gradient of {} reads `{}`, which it does not save", entry_.name,
                              parameter));
  return argument;
}

OpValue GradientCall::tensor(std::string_view parameter) const {
  return (*this)[parameter].tensor();
}

std::span<const TensorType> GradientCall::types_of_list(std::string_view parameter) const {
  size_t first = 0, place = place_of(parameter), count = 0;
  for (size_t i = 0; i < place; ++i)
    for_each_value(inputs_.arguments[i], [&](const OpValue&) { ++first; });
  for_each_value(inputs_.arguments[place], [&](const OpValue&) { ++count; });
  return inputs_.types.subspan(first, count);
}

const TensorType& GradientCall::type(std::string_view parameter) const {
  std::span<const TensorType> types = types_of_list(parameter);
  check(part < types.size(), "a gradient rule asks for the type of a tensor");
  return types[types.size() == 1 ? 0 : part];
}

bool GradientCall::is_tensor(std::string_view parameter) const {
  bool value = inputs_.arguments[place_of(parameter)].is_value();
  return value && !types_of_list(parameter).front().scalar;
}

OpValue GradientCall::result(size_t i) const {
  const OpValue& value = inputs_.results[i];
  check(!(value == OpValue{}),
        fmt::format("the gradient of {} reads a result that it does not save", entry_.name));
  return value;
}

bool GradientCall::has_out(size_t i) const {
  return !(inputs_.gradients[i] == OpValue{});
}

OpValue GradientCall::out(size_t i) const {
  if (has_out(i)) return inputs_.gradients[i];
  const TensorType& type = inputs_.result_types[i];
  return b.full(type.sizes, 0, type.dtype);
}

OpValue GradientCall::on_gradient() const {
  std::vector<OpArgument> arguments(inputs_.arguments.begin(), inputs_.arguments.end());
  arguments[0] = out();
  return b.call(entry_.name, arguments);
}

OpValue GradientCall::in_float32(GradientRule rule) const {
  const auto wide = [&](const OpValue& value) {
    return value == OpValue{} ? value : widened(b, value);
  };
  std::vector<OpArgument> arguments;
  for (const OpArgument& argument : inputs_.arguments)
    arguments.push_back(map_argument<OpValue>(argument, wide));
  std::vector<OpValue> results, gradients;
  for (const OpValue& value : inputs_.results) results.push_back(wide(value));
  for (const OpValue& value : inputs_.gradients) gradients.push_back(wide(value));
  const Inputs inputs = {arguments, inputs_.types, results, inputs_.result_types, gradients};
  GradientCall call(b, entry_, inputs);
  call.part = part;
  return rule(call);
}

int64_t GradientCall::dim(std::string_view parameter, std::string_view of) const {
  const OpArgument& argument = inputs_.arguments[place_of(parameter)];
  auto rank = static_cast<int64_t>(type(of).rank());
  int64_t given = argument.get_if<SymInt>()->constant();
  return given < 0 && rank > 0 ? given + rank : std::max<int64_t>(given, 0);
}

std::vector<SymInt> GradientCall::reduced_dims(std::string_view parameter,
                                               std::string_view of) const {
  const OpArgument& argument = inputs_.arguments[place_of(parameter)];
  auto rank = static_cast<int64_t>(type(of).rank());
  std::vector<SymInt> dims;
  auto add = [&](const OpArgument& one) {
    int64_t given = one.get_if<SymInt>()->constant();
    dims.emplace_back(given < 0 ? given + rank : given);
  };
  bool all = argument.is_none() || (argument.is_list() && argument.list().empty());
  if (all)
    for (int64_t i = 0; i < rank; ++i) dims.emplace_back(i);
  else if (rank > 0 && argument.is_list())
    for (const OpArgument& one : argument.list()) add(one);
  else if (rank > 0)
    add(argument);
  return dims;
}

OpValue GradientCall::keep_dims(OpValue reduced, std::string_view parameter) const {
  std::vector<SymInt> sizes = type("input").sizes;
  for (SymInt dim : reduced_dims(parameter)) sizes[static_cast<size_t>(dim.constant())] = 1;
  if (b.rank(reduced) == sizes.size()) return reduced;
  return b.reshape(std::move(reduced), sizes);
}

OpValue GradientCall::zeros_like(std::string_view parameter) const {
  return b.full(type(parameter).sizes, 0, type(parameter).dtype);
}

OpValue GradientCall::base_of_zeros(std::string_view parameter) const {
  return b.expand(b.full({}, 0, type(parameter).dtype), type(parameter).sizes);
}

OpValue extreme_share(OpBuilder& b, OpValue gradient, const char* loses, const OpArgument& mine,
                      const OpArgument& other) {
  OpValue shared = b.where(b.equal(mine, other), b.divide(gradient, 2), gradient);
  return b.where(b.call(loses, {mine, other}), 0, shared);
}

OpValue fit_gradient(OpBuilder& b, OpValue gradient, const TensorType& input) {
  std::vector<SymInt> sizes = b.sizes(gradient);
  size_t extra = sizes.size() - input.rank();
  std::vector<SymInt> dims;
  for (size_t i = 0; i < sizes.size(); ++i) {
    bool broadcast =
        i < extra || (decide_equal(input.sizes[i - extra], 1) && !decide_equal(sizes[i], 1));
    if (broadcast) dims.emplace_back(static_cast<int64_t>(i));
  }
  if (!dims.empty()) gradient = b.sum(gradient, dims, /*keepdim=*/true);
  if (extra > 0) gradient = b.reshape(gradient, input.sizes);
  return b.to(std::move(gradient), input.dtype);
}

const InputGradient* find_gradient(const OpEntry& entry, std::string_view parameter) {
  for (const InputGradient& gradient : entry.gradients)
    if (gradient.rule && parameter == gradient.of) return &gradient;
  return nullptr;
}

bool has_gradients(const OpEntry& entry) {
  return entry.gradients[0].rule != nullptr;
}

bool saves(const InputGradient& gradient, std::string_view name) {
  return has_word(gradient.saves, name);
}

bool has_gradient(const OpEntry& entry, size_t result, DType dtype) {
  return is_floating(dtype) && result < entry.differentiable_results;
}

size_t named_result_count(const OpEntry& entry) {
  return 1 + static_cast<size_t>(std::ranges::count(std::string_view(entry.output_names), ' '));
}

std::string_view result_name(const OpEntry& entry, size_t index) {
  std::string_view names = entry.output_names;
  if (names.empty()) return "result";
  for (; index > 0; --index) names.remove_prefix(names.find(' ') + 1);
  return names.substr(0, names.find(' '));
}

// The arguments are what a record keeps of a call: tensors that no rule reads are undefined.
std::string gradient_name(const OpEntry& entry, Arguments arguments) {
  const OpEntry& functional = entry.functional_form ? *entry.functional_form : entry;
  if (functional.grad_name_of) return functional.grad_name_of(arguments);
  if (*functional.grad_name) return functional.grad_name;
  return camel_case(signature(functional).name) + "Backward0";
}

}  // namespace glint::ops
