// Whose stages a name asks for: `:graph k1` is about the function that the variable `k1` holds.
//
//     k1 = torch.compile(lambda x: x + 1)      k1, k2: two records of two functions, both logged as
//     k2 = torch.compile(lambda x: x * 2)      `<lambda>`
//
// 1. The value is followed to the function that a call of it runs, with the arguments that it is
//    bound to (a module's `self`), and to the record of the `torch.compile` on the way, if any.
// 2. Of the records that have stages in the log, those of that code which belong to another
//    closure, another module or another `torch.compile` are ruled out; and, whoever is asked for,
//    what `:explain` and `:bench` compiled beside what the script itself compiles of the function.
// A name that no variable has is looked up in the log as it is.

#include <algorithm>
#include <map>

#include "runtime/capture/callee.h"
#include "runtime/session/operand.h"
#include "runtime/session/parts.h"
#include "runtime/session/session.h"

namespace glint {
namespace {

using capture::CompileRecord;
using runtime::CompiledFunctionObject;
using runtime::FunctionObject;

/// What a call of a value comes to.
struct Target {
  Ref<FunctionObject> function;           ///< null: it is no function of a script
  std::vector<runtime::Value> bound;      ///< innermost first
  const CompileRecord* record = nullptr;  ///< of the outermost `torch.compile`
};

Target target_of(runtime::Interpreter& interpreter, runtime::Value object) {
  Target target;
  while (object.defined()) {
    object = capture::unwrap_module(interpreter, object);
    if (auto* compiled = object.try_as<CompiledFunctionObject>()) {
      if (!target.record) target.record = static_cast<CompileRecord*>(compiled->record.get());
      object = runtime::Value(compiled->function);
      continue;
    }
    if (auto* function = object.try_as<FunctionObject>()) {
      target.function = Ref<FunctionObject>(function);
      break;
    }
    capture::Callee callee = capture::callee_of(interpreter, object);
    if (callee.function.is_undefined()) interpreter.take_pending();
    if (callee.function.identical(object)) break;
    target.bound.insert(target.bound.begin(), callee.bound.begin(), callee.bound.end());
    object = callee.function;
  }
  return target;
}

/// Whether what a record compiles is what is asked for; a method of a class is that of each object.
bool is_meant(const Target& asked, const Target& compiled) {
  if (asked.function.get() != compiled.function.get()) return false;
  auto same = [](const runtime::Value& a, const runtime::Value& b) { return a.identical(b); };
  return asked.bound.empty() || compiled.bound.empty() ||
         std::ranges::equal(asked.bound, compiled.bound, same);
}

/// A record that has stages in the log: what it compiles, and by which compiles.
struct Logged {
  const CompileRecord* record;
  Span definition;  ///< of the function of its first stage
  Target target;    ///< of no function, where `:mode compiled` compiles whatever is called
  std::set<uint32_t> compiles = {};
};

std::vector<Logged> logged_records(Session::Parts& parts) {
  std::map<const CompileRecord*, Logged> found;
  for (const Artifact& artifact : parts.log.artifacts()) {
    const CompileRecord* record = parts.runner.compiled_for(artifact.compile);
    if (!record) continue;
    auto [place, is_new] = found.try_emplace(record, Logged{record, artifact.definition, {}});
    if (is_new) place->second.target = target_of(parts.interpreter, record->callable);
    place->second.compiles.insert(artifact.compile);
  }
  std::vector<Logged> all;
  for (auto& [record, logged] : found) all.push_back(std::move(logged));
  return all;
}

/// Whether the record is of a command, and the script has compiled the function too.
bool is_beside(const Logged& logged, const std::vector<Logged>& all) {
  if (!logged.record->beside) return false;
  return std::ranges::any_of(all, [&](const Logged& other) {
    if (other.record->beside) return false;
    return other.target.function ? is_meant(logged.target, other.target)
                                 : logged.definition == other.definition;
  });
}

/// Whether the record has the code that is asked for, but is not it.
bool is_another(const Target& asked, const Logged& logged) {
  if (!logged.target.function || logged.target.function->code != asked.function->code) return false;
  const bool through_another =
      asked.record && !logged.record->beside && logged.record != asked.record;
  return through_another || !is_meant(asked, logged.target);
}

}  // namespace

Whose Session::Parts::whose_of(const runtime::Value& object) {
  Whose whose;
  Target asked;
  if (object.defined()) asked = target_of(interpreter, object);
  if (asked.function) {
    whose.name = asked.function->code->qualified_name;
    whose.definition = asked.function->code->span;
  }
  const std::vector<Logged> all = logged_records(*this);
  for (const Logged& each : all)
    if (is_beside(each, all) || (asked.function && is_another(asked, each)))
      whose.others.insert(each.compiles.begin(), each.compiles.end());
  return whose;
}

bool Session::Parts::is_of(const Whose& whose, const CompileRecord& record) {
  const Target target = target_of(interpreter, record.callable);
  if (!target.function) return is_named(runner.name_of(record), whose.name);
  const program::Code& code = *target.function->code;
  return whose.has(code.qualified_name, code.span, 0) && runner.may_be(whose, record);
}

Whose Session::whose(const std::string& expression) {
  auto path_of = [this](std::string_view path) { return parts_->attribute_path(path); };
  runtime::Value object = operand(parts_->interpreter, expression, path_of, Items::kOfAll);
  // A backward is logged under the name of its forward, and is no attribute.
  constexpr std::string_view kBackward = ".backward";
  if (object.is_undefined() && expression.ends_with(kBackward)) {
    Whose forward = whose(expression.substr(0, expression.size() - kBackward.size()));
    forward.name += kBackward;
    return forward;
  }
  Whose found = parts_->whose_of(object);
  if (found.name.empty()) found.name = expression;
  return found;
}

std::optional<Session::RawKernelText> Session::raw_kernel_of(const std::string& expression) {
  auto path_of = [this](std::string_view path) { return parts_->attribute_path(path); };
  const runtime::Value object = operand(parts_->interpreter, expression, path_of, Items::kOfAll);
  if (!object.defined()) return std::nullopt;
  const runtime::ClassObject* cls = runtime::class_of(object);
  const auto* module = cls->module_name.try_as<runtime::StrObject>();
  if (cls->name->view() != "RawKernel" || module == nullptr || module->view() != "glint.cuda")
    return std::nullopt;
  const auto text_of = [&](const char* attribute) -> std::optional<std::string> {
    const runtime::Value value = runtime::get_attribute(parts_->interpreter, object, attribute);
    if (value.is_undefined()) parts_->interpreter.take_pending();
    const auto* text = value.try_as<runtime::StrObject>();
    return text == nullptr ? std::nullopt : std::optional(text->text);
  };
  const auto name = text_of("name"), source = text_of("source");
  if (!name || !source) return std::nullopt;
  return RawKernelText{*name, *source};
}

}  // namespace glint
