#include "runtime/interpreter/native.h"

#include <algorithm>
#include <charconv>

#include "core/support/check.h"
#include "runtime/interpreter/machine.h"

namespace glint::runtime {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

Value default_of(std::string_view text) {
  if (text == "None") return Value::none();
  if (text == "True") return Value(true);
  if (text == "False") return Value(false);
  if (text == "...") return Value();
  if (text == "()") return Value(make_tuple({}));
  if (text.size() >= 2 && (text.front() == '\'' || text.front() == '"')) {
    std::string content;
    for (size_t i = 1; i + 1 < text.size(); ++i) {
      if (text[i] == '\\' && i + 2 < text.size()) {
        ++i;
        content += text[i] == 'n' ? '\n' : text[i] == 't' ? '\t' : text[i];
      } else {
        content += text[i];
      }
    }
    return Value(intern(content));
  }
  int64_t integer;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), integer);
  if (error == std::errc() && end == text.data() + text.size()) return Value(integer);
  double real;
  auto parsed = std::from_chars(text.data(), text.data() + text.size(), real);
  check(parsed.ec == std::errc(), "a native's default is not understood");
  return Value(real);
}

/// Splits at commas that stand in no quotes or brackets.
std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  size_t begin = 0;
  int depth = 0;
  char quote = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    char c = i < text.size() ? text[i] : ',';
    if (quote) {
      if (c == quote) quote = 0;
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == '(' || c == '[') {
      ++depth;
    } else if (c == ')' || c == ']') {
      --depth;
    } else if (c == ',' && (depth == 0 || i == text.size())) {
      std::string_view part = trimmed(text.substr(begin, i - begin));
      if (!part.empty()) parts.push_back(part);
      begin = i + 1;
    }
  }
  return parts;
}

}  // namespace

NativeSignature parse_signature(std::string_view text) {
  using program::ParameterKind;
  NativeSignature signature;
  size_t open = text.find('('), close = text.rfind(')');
  check(open != std::string_view::npos && close != std::string_view::npos,
        "a native's signature lacks its brackets");
  signature.name = std::string(trimmed(text.substr(0, open)));
  ParameterKind kind = ParameterKind::kPositional;
  for (std::string_view part : split(text.substr(open + 1, close - open - 1))) {
    if (part == "/") {
      for (auto& parameter : signature.parameters) parameter.kind = ParameterKind::kPositionalOnly;
      continue;
    }
    if (part == "*") {
      kind = ParameterKind::kKeywordOnly;
      continue;
    }
    NativeParameter parameter;
    if (part.starts_with("**")) {
      parameter.kind = ParameterKind::kStarKeywords;
      part.remove_prefix(2);
    } else if (part.starts_with("*")) {
      parameter.kind = ParameterKind::kStarArgs;
      kind = ParameterKind::kKeywordOnly;
      part.remove_prefix(1);
    } else {
      parameter.kind = kind;
    }
    size_t equals_sign = part.find('=');
    parameter.name = std::string(trimmed(part.substr(0, equals_sign)));
    if (equals_sign != std::string_view::npos) {
      parameter.has_default = true;
      parameter.default_value = default_of(trimmed(part.substr(equals_sign + 1)));
    }
    signature.parameters.push_back(std::move(parameter));
  }
  signature.simple = true;
  signature.simple_only = true;
  for (const auto& parameter : signature.parameters) {
    bool positional = parameter.kind == ParameterKind::kPositional ||
                      parameter.kind == ParameterKind::kPositionalOnly;
    if (parameter.kind != ParameterKind::kPositionalOnly) signature.simple_only = false;
    if (!positional) {
      signature.simple = false;
      continue;
    }
    ++signature.positional;
    if (!parameter.has_default) ++signature.required;
  }
  signature.complete = completes_itself(signature);
  return signature;
}

bool completes_itself(const NativeSignature& signature) {
  auto behind = std::span(signature.parameters).subspan(signature.positional);
  return std::ranges::all_of(behind, [](const NativeParameter& parameter) {
    return parameter.kind == program::ParameterKind::kKeywordOnly && parameter.has_default;
  });
}

NativeFunctionObject::NativeFunctionObject(const NativeDefinition& definition)
    : Container(kKind),
      signature(parse_signature(definition.signature)),
      function(definition.function),
      effects(definition.effects),
      doc(definition.doc) {}

Ref<NativeFunctionObject> make_native(const NativeDefinition& definition) {
  return make_ref<NativeFunctionObject>(definition);
}

Value NativeCall::raise(std::string_view exception, std::string message) const {
  return interpreter.raise(exception, std::move(message));
}

Value make_resumable(NativeCall& call, std::unique_ptr<Resumable> state) {
  Machine::begun(call.interpreter) = std::move(state);
  return Value();
}

}  // namespace glint::runtime
