// Writes every operator's samples and results as a Python script that PyTorch checks.
//
//     dump_operators > samples.py; python tests/oracle/check_operators.py samples.py
//
// A line is `case(name, place, function, arguments, results)`; a tensor is written with its
// storage, sizes and strides, so that PyTorch meets the same layouts.
#include <cmath>

#include <fmt/format.h>

#include "ops/call.h"
#include "ops/samples.h"

namespace glint::ops {
namespace {

std::string number_text(const Tensor& x, int64_t i) {
  std::string text;
  visit_dtype(x.dtype(), [&]<class T>() {
    T value = reinterpret_cast<const T*>(x.storage()->data())[i];
    if constexpr (std::is_same_v<T, bool>)
      text = value ? "1" : "0";
    else if constexpr (std::is_integral_v<T>)
      text = fmt::format("{}", int64_t(value));
    else if (std::isnan(double(value)))
      text = "nan";
    else if (std::isinf(double(value)))
      text = double(value) > 0 ? "inf" : "-inf";
    else
      text = fmt::format("{:#.17g}", double(value));
  });
  return text;
}

std::string dims_text(IntSpan dims) {
  return fmt::format("[{}]", fmt::join(dims, ","));
}

std::string tensor_text(const Tensor& x) {
  int64_t last = x.offset();
  for (int64_t k = 0; k < x.rank(); ++k) last += std::max<int64_t>(x.size(k) - 1, 0) * x.stride(k);
  std::vector<std::string> elements;
  for (int64_t i = 0; x.numel() > 0 && i <= last; ++i) elements.push_back(number_text(x, i));
  return fmt::format("T({},{},{},{},[{}])", dtype_name(x.dtype()), dims_text(x.sizes()),
                     dims_text(x.strides()), x.offset(), fmt::join(elements, ","));
}

std::string argument_text(const Argument& argument) {
  if (argument.is_none()) return "None";
  if (const bool* value = argument.get_if<bool>()) return *value ? "True" : "False";
  if (const SymInt* value = argument.get_if<SymInt>()) return value->text();
  if (const double* value = argument.get_if<double>())
    return std::isinf(*value) ? "inf" : fmt::format("float({:.17g})", *value);
  if (const std::string* value = argument.get_if<std::string>()) return fmt::format("'{}'", *value);
  if (const DType* value = argument.get_if<DType>()) return std::string(dtype_name(*value));
  if (argument.is_value()) return tensor_text(argument.tensor());
  std::vector<std::string> items;
  for (const Argument& item : argument.list()) items.push_back(argument_text(item));
  return fmt::format("[{}]", fmt::join(items, ","));
}

/// Required arguments by position, others that are not defaults by name.
std::string call_text(const OpEntry& entry, const Sample& sample) {
  const Signature& parsed = signature(entry);
  std::vector<std::string> parts;
  for (size_t i = 0; i < sample.arguments.size(); ++i) {
    const Parameter& parameter = parsed.parameters[i];
    std::string text = argument_text(sample.arguments[i]);
    if (parameter.required)
      parts.push_back(fmt::format("('',{})", text));
    else if (text != argument_text(parameter.default_value))
      parts.push_back(fmt::format("('{}',{})", parameter.name, text));
  }
  return fmt::format("[{}]", fmt::join(parts, ","));
}

std::string first_word(std::string_view words) {
  return std::string(words.substr(0, words.find(' ')));
}

void dump(const OpEntry& entry) {
  std::string place = "torch", function = first_word(entry.torch);
  if (function.empty()) place = "F", function = first_word(entry.functional);
  if (function.empty()) place = "Tensor", function = first_word(entry.method);
  if (function.empty() || entry.effects.random || entry.functional_form) return;
  for (const Sample& sample : entry.samples(entry)) {
    Outputs outputs = call_eager(entry, sample.arguments);
    std::vector<std::string> results;
    for (size_t i = 0; i < outputs.size(); ++i) results.push_back(tensor_text(outputs[i]));
    fmt::print("case('{}','{}','{}',{},[{}])\n", entry.name, place, function,
               call_text(entry, sample), fmt::join(results, ","));
  }
}

}  // namespace
}  // namespace glint::ops

int main() {
  for (const glint::ops::OpEntry& entry : glint::ops::op_table()) glint::ops::dump(entry);
}
