#include "runtime/interpreter/torch_factory_forms.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/interpreter/torch_operators.h"

namespace glint::runtime {
namespace {

/// What the forms end with, and what may stand before that.
constexpr std::string_view kOptions =
    "torch.dtype dtype = None, torch.layout layout = None, torch.device device = None, bool "
    "pin_memory = False, bool requires_grad = False";
constexpr std::string_view kGenerator = "torch.Generator generator, ";
constexpr std::string_view kOut = "Tensor out = None, ";
constexpr std::string_view kFormat = "torch.memory_format memory_format = None, ";

enum class Tail : uint8_t { kOptions, kOut, kFormat };
struct Form {
  std::string_view function, arguments;
  size_t required;
  Tail tail = Tail::kOut;
  bool with_generator = false;  ///< also a form that must have one, before this one
};
/// In PyTorch's order.
constexpr Form kForms[] = {
    {"arange", "Number end", 1},
    {"arange", "Number start, Number end", 2, Tail::kOptions},
    {"arange", "Number start, Number end, Number step = 1", 2},
    {"eye", "int n", 1},
    {"eye", "int n, int m", 2},
    {"linspace", "Tensor start, Tensor end, int steps", 3},
    {"linspace", "Number start, Tensor end, int steps", 3},
    {"linspace", "Tensor start, Number end, int steps", 3},
    {"linspace", "Number start, Number end, int steps", 3},
    {"rand", "tuple of ints size", 1, Tail::kOut, true},
    {"rand_like", "Tensor input", 1, Tail::kFormat, true},
    {"randint", "int high, tuple of ints size", 2, Tail::kOut, true},
    {"randint", "int low, int high, tuple of ints size", 3, Tail::kOut, true},
    {"randn", "tuple of ints size", 1, Tail::kOut, true},
    {"randn_like", "Tensor input", 1, Tail::kFormat, true},
    {"randperm", "int n", 1, Tail::kOut, true},
};

/// PyTorch says what is wrong with the one form that takes so many arguments, where it is one.
bool is_only_one(std::string_view function, size_t given) {
  size_t possible = 0;
  for (const Form& form : kForms) {
    if (form.function != function) continue;
    possible += form.required <= given ? 1 : 0;
    possible += form.with_generator && form.required + 1 <= given ? 1 : 0;
  }
  return possible == 1;
}

std::string_view start_of(Tail tail) {
  return tail == Tail::kOptions ? "" : tail == Tail::kOut ? kOut : kFormat;
}

/// `int, int, foo=int`: what is named comes in PyTorch's order, the last first.
std::string given_text(const Arguments& arguments) {
  std::vector<std::string> given, named;
  for (size_t i = 0; i < arguments.count; ++i) given.push_back(plain_type(arguments.values[i]));
  for (size_t i = 0; i < arguments.keyword_count; ++i)
    named.push_back(fmt::format("{}={}", arguments.names[i]->text,
                                plain_type(arguments.values[arguments.count + i])));
  std::string_view end = given.empty() && !named.empty() ? ", " : "";
  given.insert(given.end(), named.rbegin(), named.rend());
  return fmt::format("{}{}", fmt::join(given, ", "), end);
}

}  // namespace

std::optional<std::string> factory_forms_text(const NativeFunctionObject& function,
                                              const Arguments& arguments) {
  const std::string& name = function.signature.name;
  auto is_of_name = [&](const Form& form) { return form.function == name; };
  if (function.owner || function.module_name != "torch" || std::ranges::none_of(kForms, is_of_name))
    return std::nullopt;
  if (is_only_one(name, arguments.count + arguments.keyword_count)) return std::nullopt;
  std::string text = fmt::format(
      "{}() received an invalid combination of arguments - got ({}), but expected one of:\n", name,
      given_text(arguments));
  for (const Form& form : kForms) {
    if (!is_of_name(form)) continue;
    auto add = [&](std::string_view generator) {
      text += fmt::format(" * ({}, *, {}{}{})\n", form.arguments, generator, start_of(form.tail),
                          kOptions);
    };
    if (form.with_generator) add(kGenerator);
    add("");
  }
  return text;
}

}  // namespace glint::runtime
