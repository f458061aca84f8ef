// Binding: Python's positional and keyword arguments to one argument a parameter.
//
//     bind(sum, {x, 1}, {keepdim: True})   gives   {x, 1, True, None}
//
// 1. Positional arguments fill parameters from the left; ints that follow a `*size: int` become
//    its list. 2. Keywords fill by name. 3. Defaults fill the rest. Each argument's type is checked
// against the parameter's when it is placed. Messages are those of PyTorch's argument parser.
#include <fmt/format.h>

#include <algorithm>

#include "core/support/check.h"
#include "ops/call.h"

namespace glint::ops {

namespace {

bool is_int_list(const Argument& argument) {
  for (const Argument& item : argument.list())
    if (!item.get_if<SymInt>()) return false;
  return true;
}

bool is_tensor_list(const Argument& argument) {
  for (const Argument& item : argument.list())
    if (!item.is_value()) return false;
  return true;
}

bool accepts(uint16_t types, const Argument& argument) {
  switch (argument.value.index()) {
    case 0:
      return types & kTakesNone;
    case 1:
      return types & (kTakesBool | kTakesNumber);
    case 2:
      return types & (kTakesInt | kTakesFloat | kTakesNumber | kTakesSize);
    case 3:
      return types & (kTakesFloat | kTakesNumber);
    case 4:
      return types & (kTakesString | kTakesDevice);
    case 5:
      return types & kTakesDType;
    case 6:
      return types & kTakesDevice;
    case 7: {
      if (types & kTakesTensor) return true;
      // A 0-dim integer tensor passes for an int, as its __index__ says.
      return false;
    }
    default:
      return ((types & kTakesSize) && is_int_list(argument)) ||
             ((types & kTakesTensors) && is_tensor_list(argument));
  }
}

/// What PyTorch calls the type that it wanted.
std::string_view wanted_name(const Parameter& parameter) {
  uint16_t types = parameter.types;
  // A 0-dim tensor passes for the number that fills.
  if (parameter.name == "fill_value") return "Number";
  if (types & kTakesTensor) return "Tensor";
  if (types & kTakesTensors) return "tuple of Tensors";
  if (types & kTakesSize) return "tuple of ints";
  if (types & kTakesNumber) return "Number";
  if (types & kTakesInt) return "int";
  if (types & kTakesFloat) return "float";
  if (types & kTakesBool) return "bool";
  if (types & kTakesDType) return "torch.dtype";
  if (types & kTakesDevice) return "torch.device";
  return "str";
}

/// `found`: what there was instead, `not int`.
[[noreturn]] void type_error(const Signature& signature, const Parameter& parameter,
                             std::optional<size_t> position, std::string_view found) {
  std::string where = position ? fmt::format(" (position {})", *position) : "";
  throw OpError{"TypeError", fmt::format("{}(): argument '{}'{} must be {}, {}", signature.name,
                                         parameter.name, where, wanted_name(parameter), found)};
}

/// A list with an element that does not fit, in the words of PyTorch's parser and of `torch.cat`.
[[noreturn]] void element_error(const Signature& signature, const Parameter& parameter,
                                std::optional<size_t> position, const Argument::List& list) {
  bool tensors = parameter.types & kTakesTensors;
  auto fits = [&](const Argument& item) {
    return tensors ? item.is_value() : item.get_if<SymInt>() != nullptr;
  };
  auto wrong = std::ranges::find_if_not(list, fits);
  auto at = static_cast<size_t>(wrong - list.begin());
  std::string_view got = python_type_name(*wrong);
  if (tensors)
    throw OpError{"TypeError",
                  fmt::format("expected Tensor as element {} in argument 0, but got {}", at, got)};
  if (at == 0)
    type_error(signature, parameter, position,
               fmt::format("but found element of type {} at pos 0", got));
  throw OpError{"TypeError",
                fmt::format("{}(): argument '{}' failed to unpack the object at pos {} with error "
                            "\"type must be tuple of ints,but got {}\"",
                            signature.name, parameter.name, at + 1, got)};
}

size_t positional_limit(const Signature& signature) {
  size_t count = 0;
  while (count < signature.parameters.size() && !signature.parameters[count].keyword_only) ++count;
  return count;
}

/// Whether ints from here on are the elements of this parameter's list.
bool spreads(const Parameter& parameter, const Argument& argument) {
  return parameter.variadic && argument.get_if<SymInt>();
}

Argument gather_ints(const Signature& signature, const Parameter& parameter, Arguments rest,
                     size_t position) {
  Argument::List ints;
  for (const Argument& argument : rest) {
    if (!argument.get_if<SymInt>())
      type_error(signature, parameter, position, fmt::format("not {}", python_type_name(argument)));
    ints.push_back(argument);
    ++position;
  }
  return ints;
}

struct Binder {
  const Signature& signature;
  CallStyle style;
  const Argument* places[BoundArguments::kMost] = {};
  Argument gathered;

  size_t shown_position(size_t i) const { return style == CallStyle::kMethod ? i : i + 1; }

  void place_positional(Arguments positional) {
    size_t limit = positional_limit(signature);
    for (size_t i = 0; i < positional.size(); ++i) {
      bool several = i == 0 || style == CallStyle::kMethod;
      bool variadic = i < limit && several && spreads(signature.parameters[i], positional[i]);
      if (variadic) {
        const Parameter& parameter = signature.parameters[i];
        gathered = gather_ints(signature, parameter, positional.subspan(i), shown_position(i));
        places[i] = &gathered;
        return;
      }
      if (i >= limit) too_many(limit, positional.size());
      place(i, positional[i], shown_position(i));
    }
  }

  void place(size_t i, const Argument& argument, std::optional<size_t> position) {
    const Parameter& parameter = signature.parameters[i];
    bool lone = parameter.variadic && argument.get_if<SymInt>();
    if (lone || !accepts(parameter.types, argument)) {
      bool list = argument.is_list() && (parameter.types & (kTakesSize | kTakesTensors));
      if (list) element_error(signature, parameter, position, argument.list());
      type_error(signature, parameter, position, fmt::format("not {}", python_type_name(argument)));
    }
    places[i] = &argument;
  }

  void place_keyword(const KeywordArgument& keyword) {
    auto found = signature.find(keyword.name);
    // NumPy's names are understood too.
    if (!found && keyword.name == "axis") found = signature.find("dim");
    if (!found && keyword.name == "keepdims") found = signature.find("keepdim");
    if (!found && keyword.name == "self") found = 0;
    if (!found)
      throw OpError{"TypeError", fmt::format("{}() got an unexpected keyword argument '{}'",
                                             signature.name, keyword.name)};
    if (places[*found])
      throw OpError{"TypeError", fmt::format("{}() got multiple values for argument '{}'",
                                             signature.name, keyword.name)};
    place(*found, keyword.value, std::nullopt);
  }

  [[noreturn]] void too_many(size_t limit, size_t given) const {
    size_t self = style == CallStyle::kMethod ? 1 : 0;
    throw OpError{"TypeError",
                  fmt::format("{}() takes {} positional argument{} but {} {} given", signature.name,
                              limit - self, limit - self == 1 ? "" : "s", given - self,
                              given - self == 1 ? "was" : "were")};
  }

  void check_required() const {
    std::vector<std::string> missing;
    for (size_t i = 0; i < signature.parameters.size(); ++i)
      if (signature.parameters[i].required && !places[i])
        missing.push_back(fmt::format("\"{}\"", signature.parameters[i].name));
    if (missing.empty()) return;
    throw OpError{"TypeError",
                  fmt::format("{}() missing {} required positional arguments: {}", signature.name,
                              missing.size(), fmt::join(missing, ", "))};
  }
};

}  // namespace

std::string_view python_type_name(const Argument& argument) {
  constexpr std::string_view kNames[] = {"NoneType",    "bool",         "int",    "float", "str",
                                         "torch.dtype", "torch.device", "Tensor", "tuple"};
  return kNames[argument.value.index()];
}

BoundArguments bind(const OpEntry& entry, Arguments positional,
                    std::span<const KeywordArgument> keywords, CallStyle style) {
  const Signature& parsed = signature(entry);
  check(parsed.parameters.size() <= BoundArguments::kMost, "an operator has at most 12 parameters");
  Binder binder{.signature = parsed, .style = style, .places = {}, .gathered = {}};
  binder.place_positional(positional);
  for (const KeywordArgument& keyword : keywords) binder.place_keyword(keyword);
  BoundArguments bound;
  for (size_t i = 0; i < parsed.parameters.size(); ++i) {
    const Parameter& parameter = parsed.parameters[i];
    if (!binder.places[i] && parameter.required) binder.check_required();
    bound.push_back(binder.places[i] ? *binder.places[i] : parameter.default_value);
  }
  return bound;
}

void wrong_type(const OpEntry& entry, size_t position, std::string_view type_name,
                CallStyle style) {
  const Signature& parsed = signature(entry);
  size_t at = std::min(position, parsed.parameters.size() - 1);
  size_t shown = style == CallStyle::kMethod ? position : position + 1;
  type_error(parsed, parsed.parameters[at], shown, fmt::format("not {}", type_name));
}

void wrong_type(const OpEntry& entry, std::string_view keyword, std::string_view type_name) {
  const Signature& parsed = signature(entry);
  auto found = parsed.find(keyword);
  if (!found)
    throw OpError{"TypeError", fmt::format("{}() got an unexpected keyword argument '{}'",
                                           parsed.name, keyword)};
  type_error(parsed, parsed.parameters[*found], std::nullopt, fmt::format("not {}", type_name));
}

}  // namespace glint::ops
