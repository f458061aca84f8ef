// The parameters that a call may name, for Tab: of a function, a class, a bound method, a builtin.
//
//     f(x, |              scale=
//     nn.Linear(3, 4, b|  bias=

#include <fmt/format.h>

#include <cctype>

#include "runtime/interpreter/protocol.h"
#include "runtime/session/parts.h"

namespace glint {
namespace {

using namespace runtime;  // NOLINT: the interpreter's object structs, by their names
using program::ParameterKind;

/// Where the bracket stands that is open at the text's end; npos: there is none. Texts in quotes
/// are passed over.
size_t open_bracket(std::string_view text) {
  std::vector<size_t> open;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (quote != 0) {
      if (c == '\\') ++i;
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '(' || c == '[' || c == '{') {
      open.push_back(i);
    } else if ((c == ')' || c == ']' || c == '}') && !open.empty()) {
      open.pop_back();
    }
  }
  return open.empty() || text[open.back()] != '(' ? std::string_view::npos : open.back();
}

/// The dotted name at a text's end.
std::string_view path_at_end(std::string_view text) {
  size_t begin = text.size();
  auto is_part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' ||
           static_cast<unsigned char>(c) >= 0x80;
  };
  while (begin > 0 && is_part(text[begin - 1])) --begin;
  return text.substr(begin);
}

bool can_be_named(ParameterKind kind) {
  return kind == ParameterKind::kPositional || kind == ParameterKind::kKeywordOnly;
}

void add_names(const auto& parameters, size_t first, std::vector<std::string>& names) {
  for (size_t i = first; i < parameters.size(); ++i)
    if (can_be_named(parameters[i].kind)) names.push_back(parameters[i].name + "=");
}

/// `bound`: how many of the first parameters the call does not give.
void add_names_of(const runtime::Value& callable, size_t bound, std::vector<std::string>& names) {
  if (auto* function = callable.try_as<FunctionObject>())
    return add_names(function->code->parameters, bound, names);
  if (auto* compiled = callable.try_as<CompiledFunctionObject>())
    return add_names_of(compiled->function, bound, names);
  if (auto* method = callable.try_as<BoundMethodObject>())
    return add_names_of(method->function, bound + 1, names);
  if (auto* native = callable.try_as<NativeFunctionObject>())
    return add_names(native->signature.parameters, bound, names);
  if (auto* method = callable.try_as<BoundNativeObject>())
    return add_names(method->function->signature.parameters, bound + 1, names);
  if (auto* cls = callable.try_as<ClassObject>()) {
    if (runtime::Value* init = cls->lookup("__init__"); init && init->is<FunctionObject>())
      return add_names_of(*init, 1, names);
    if (cls->construct) add_names(cls->construct->signature.parameters, 0, names);
    return;
  }
  if (!callable.is(kInstanceKind)) return;
  for (std::string_view name : {"forward", "__call__"})
    if (runtime::Value* called = class_of(callable)->lookup(name); called && names.empty())
      add_names_of(*called, 1, names);
}

}  // namespace

std::vector<std::string> Session::Parts::keyword_names(std::string_view before) {
  std::vector<std::string> names;
  const size_t last = before.find_last_not_of(" \t\n");
  bool at_argument = last != std::string_view::npos && (before[last] == '(' || before[last] == ',');
  const size_t bracket = at_argument ? open_bracket(before) : std::string_view::npos;
  if (bracket == std::string_view::npos) return names;
  const std::string_view path = path_at_end(before.substr(0, bracket));
  // The parameters of a definition are no arguments.
  const std::string_view line = before.substr(before.rfind('\n', bracket) + 1);
  bool defines =
      line.substr(std::min(line.find_first_not_of(' '), line.size())).starts_with("def ");
  if (path.empty() || defines) return names;
  runtime::Value callable = attribute_path(path);
  if (callable.defined()) add_names_of(callable, 0, names);
  return names;
}

}  // namespace glint
