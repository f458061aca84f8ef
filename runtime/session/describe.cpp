// What `?name` shows: how a value is called, what it is, and its documentation.
//
//     ?f          f(x, scale=2.0)          compiled by torch.compile
//                 <repl 3>, line 1
//     ?x          Tensor: float32[6, 8] cpu, contiguous
//     ?torch.sum  the operator's page
#include <fmt/format.h>

#include "ops/documentation.h"
#include "runtime/capture/guard.h"
#include "runtime/interpreter/attributes.h"
#include "runtime/interpreter/protocol.h"
#include "runtime/interpreter/torch_forwarded.h"
#include "runtime/session/operand.h"
#include "runtime/session/parts.h"
#include "runtime/session/session.h"

namespace glint {
namespace {

using namespace runtime;  // NOLINT: the interpreter's object structs, by their names
using program::ParameterKind;
using runtime::Value;

/// `/` and `*` between parameters of different kinds, `*args`, `=default`.
class ParameterList {
 public:
  explicit ParameterList(Interpreter& interpreter) : interpreter_(interpreter) {}

  void add(const std::string& name, ParameterKind kind, const std::string& annotation,
           const Value& default_value) {
    if (last_ == ParameterKind::kPositionalOnly && kind != last_) append("/");
    if (kind == ParameterKind::kKeywordOnly && last_ != kind && last_ != ParameterKind::kStarArgs)
      append("*");
    std::string text = kind == ParameterKind::kStarArgs       ? "*" + name
                       : kind == ParameterKind::kStarKeywords ? "**" + name
                                                              : name;
    if (!annotation.empty()) text += ": " + annotation;
    if (default_value.defined()) {
      std::string shown;
      if (!repr_of(interpreter_, default_value, shown)) interpreter_.take_pending();
      text += (annotation.empty() ? "=" : " = ") + shown;
    }
    append(text);
    last_ = kind;
  }
  std::string finish() {
    if (last_ == ParameterKind::kPositionalOnly) append("/");
    return "(" + text_ + ")";
  }

 private:
  void append(const std::string& part) { text_ += (text_.empty() ? "" : ", ") + part; }

  Interpreter& interpreter_;
  std::string text_;
  ParameterKind last_ = ParameterKind::kPositional;
};

std::string signature_of(Interpreter& interpreter, const FunctionObject& function) {
  ParameterList list(interpreter);
  const auto& parameters = function.code->parameters;
  size_t positional = 0;
  for (const auto& parameter : parameters)
    positional += parameter.kind == ParameterKind::kPositional ||
                  parameter.kind == ParameterKind::kPositionalOnly;
  size_t first_default = positional - function.defaults.size();
  for (size_t i = 0; i < parameters.size(); ++i) {
    Value given;
    if (i < positional && i >= first_default) given = function.defaults[i - first_default];
    if (parameters[i].kind == ParameterKind::kKeywordOnly && function.keyword_defaults)
      if (Value* found = function.keyword_defaults->find(parameters[i].name)) given = *found;
    list.add(parameters[i].name, parameters[i].kind, parameters[i].annotation, given);
  }
  return std::string(function.qualified_name->view()) + list.finish();
}

std::string signature_of(Interpreter& interpreter, const NativeFunctionObject& native) {
  ParameterList list(interpreter);
  for (const NativeParameter& parameter : native.signature.parameters)
    list.add(parameter.name, parameter.kind, {}, parameter.default_value);
  return native.signature.name + list.finish();
}

/// Where a function's text is: `script.py, line 3`.
std::string place_of(const SourceMap& sources, const FunctionObject& function) {
  const Span& span = function.code->span;
  return fmt::format("{}, line {}", sources.name(span.source), span.line);
}

std::optional<std::string> operator_page(const NativeFunctionObject& native) {
  if (native.owner && native.owner->name->view() == "Tensor")
    return ops::doc_page("Tensor." + native.signature.name);
  if (native.module_name == "torch" || native.module_name == "torch.nn.functional")
    return ops::doc_page(native.module_name + "." + native.signature.name);
  return std::nullopt;
}

/// What stands above the documentation.
std::string heading(Interpreter& interpreter, const SourceMap& sources, const Value& object) {
  if (auto* function = object.try_as<FunctionObject>())
    return fmt::format("{}\n{}", signature_of(interpreter, *function),
                       place_of(sources, *function));
  if (auto* compiled = object.try_as<CompiledFunctionObject>())
    return heading(interpreter, sources, compiled->function) + "\ncompiled by torch.compile";
  if (auto* bound = object.try_as<BoundMethodObject>())
    return heading(interpreter, sources, bound->function);
  if (auto* native = object.try_as<NativeFunctionObject>())
    return signature_of(interpreter, *native);
  if (auto* bound = object.try_as<BoundNativeObject>())
    return signature_of(interpreter, *bound->function);
  if (auto* cls = object.try_as<ClassObject>()) {
    std::string text = fmt::format("class {}", cls->name->view());
    std::vector<std::string_view> bases;
    for (const Ref<ClassObject>& base : cls->bases)
      if (base->base) bases.push_back(base->name->view());
    if (!bases.empty()) text += fmt::format("({})", fmt::join(bases, ", "));
    Value* init = cls->dict->find("__init__");
    auto* function = init ? init->try_as<FunctionObject>() : nullptr;
    return function ? fmt::format("{}\n{}", text, heading(interpreter, sources, *init)) : text;
  }
  if (object.is(kTensorKind))
    return fmt::format("{}: {}", type_name(object), capture::actual(object));
  std::string shown;
  if (!repr_of(interpreter, object, shown)) interpreter.take_pending();
  constexpr size_t kMost = 80;
  if (shown.size() > kMost) shown = shown.substr(0, kMost) + "...";
  return fmt::format("{}: {}", type_name(object), shown);
}

/// The whole page of a value.
std::string page_of(Interpreter& interpreter, const SourceMap& sources, const Value& object) {
  auto* native = object.try_as<NativeFunctionObject>();
  if (auto* bound = object.try_as<BoundNativeObject>()) native = bound->function.get();
  if (native)
    if (std::optional<std::string> page = operator_page(*native)) return *page;
  if (native && native->owner && native->owner->name->view() == "Tensor")
    if (Value function = library_function(interpreter, native->signature.name); function.defined())
      return page_of(interpreter, sources, function);
  std::string text = heading(interpreter, sources, object) + "\n";
  runtime::Value doc = native ? runtime::Value(make_str(native->doc))
                              : get_attribute(interpreter, object, intern("__doc__"));
  if (doc.is_undefined()) interpreter.take_pending();
  if (auto* words = doc.try_as<StrObject>(); words && !words->view().empty())
    text += fmt::format("\n{}\n", words->view());
  return text;
}

}  // namespace

std::optional<std::string> Session::describe(const std::string& expression) {
  auto path_of = [this](std::string_view path) { return parts_->attribute_path(path); };
  runtime::Value object = operand(parts_->interpreter, expression, path_of, Items::kOfAll);
  if (object.is_undefined()) return std::nullopt;
  return page_of(parts_->interpreter, parts_->sources, object);
}

runtime::Value Session::Parts::library_object(const std::string& name) {
  for (std::string_view package : {"", "torch.", "torch.nn.", "torch.nn.functional."}) {
    runtime::Value object = library_path(fmt::format("{}{}", package, name));
    if (object.defined()) return object;
  }
  return runtime::Value();
}

std::optional<std::string> Session::describe_library(const std::string& name) {
  runtime::Value object = parts_->library_object(name);
  if (object.is_undefined()) return std::nullopt;
  return page_of(parts_->interpreter, parts_->sources, object);
}

std::string Session::Parts::help_on(const runtime::Value& object) {
  auto* text = object.try_as<StrObject>();
  if (!text) return page_of(interpreter, sources, object);
  runtime::Value named = library_path(text->view());
  if (named.defined()) return page_of(interpreter, sources, named);
  return fmt::format("nothing is called `{}` here\n", text->view());
}

}  // namespace glint
