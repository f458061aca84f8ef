// `torch.compile` and what belongs to it, as natives: the module `_glint_compile`, on which
// library/torch builds `torch.compiler` and `torch._dynamo`.

#include <fmt/format.h>

#include "runtime/capture/callee.h"
#include "runtime/capture/executable.h"
#include "runtime/capture/runner.h"
#include "runtime/capture/symbolic_value.h"
#include "runtime/interpreter/protocol.h"
#include "runtime/interpreter/torch_modules.h"

namespace glint::capture {

using namespace runtime;  // NOLINT: the interpreter's object structs, by their names
using runtime::Value;

namespace {

/// The one runner; natives are plain functions.
Runner* runner = nullptr;

Value compile_native(NativeCall& call) {
  const Value& model = call[0];
  CompileOptions options;
  options.fullgraph = truth(call.interpreter, call[1]) == 1;
  if (call[2].is_bool())
    options.dynamic = call[2].as_bool() ? DynamicSizes::kAlways : DynamicSizes::kNever;
  if (auto* name = call[3].try_as<StrObject>()) {
    options.backend = std::string(name->view());
  } else {
    options.custom_backend = call[3];
  }
  if (auto* mode = call[4].try_as<StrObject>()) options.mode = std::string(mode->view());
  options.disable = truth(call.interpreter, call[6]) == 1;
  return runner->compile(model, std::move(options));
}

Value reset_native(NativeCall&) {
  runner->reset();
  return Value::none();
}

/// 0 to 3, as `Stance` has them.
Value set_stance_native(NativeCall& call) {
  constexpr int64_t kLast = static_cast<int64_t>(Stance::kFailOnRecompile);
  if (!call[0].is_int() || call[0].as_int() < 0 || call[0].as_int() > kLast)
    return call.raise("ValueError", "the number of a stance is expected");
  runner->set_stance(static_cast<Stance>(call[0].as_int()));
  return Value::none();
}

Value count_native(NativeCall&) {
  return Value(static_cast<int64_t>(runner->compiles()));
}

/// True in a trace, and in the eager steps between regions but for what is marked as not compiled.
Value compiling_native(NativeCall& call) {
  const Tracer* tracer = call.interpreter.tracer();
  if (!tracer || !tracer->lets_regions_run()) return Value(tracer != nullptr);
  for (const Frame* frame = call.interpreter.top_frame(); frame; frame = frame->caller)
    if (frame->function && is_disabled(*frame->function)) return Value(false);
  return Value(true);
}

Value list_of(const std::vector<std::string>& texts) {
  std::vector<Value> items;
  for (const std::string& text : texts) items.push_back(Value(make_str(text)));
  return Value(make_list(std::move(items)));
}

Value backends_native(NativeCall&) {
  std::vector<std::string> names;
  for (const BackendInfo& backend : backend_table()) names.emplace_back(backend.name);
  return list_of(names);
}

/// [(reason, file, line, function), ...]
Value breaks_of(const CallSummary& summary) {
  std::vector<Value> items;
  for (const auto& [what, function] : summary.breaks) {
    const DiagnosticInfo& about = info(what.id);
    const SourceMap* sources = runner->sources();
    bool known = sources && what.span.known();
    items.push_back(Value(make_tuple(
        {Value(make_str(fmt::format("{} {}\n  Explanation: {}\n  Hint: {}", about.code, about.title,
                                    what.detail, about.advice))),
         Value(make_str(known ? std::string(sources->name(what.span.source)) : std::string())),
         Value(int64_t{known ? what.span.line : 0}), Value(make_str(function))})));
  }
  return Value(make_list(std::move(items)));
}

Value operators_of(const CallSummary& summary) {
  std::vector<Value> items;
  for (const auto& names : summary.operators_of_graph) items.push_back(list_of(names));
  return Value(make_list(std::move(items)));
}

Value guards_of(const CallSummary& summary) {
  std::vector<Value> items;
  for (const auto& [kind, source, expected] : summary.guards)
    items.push_back(Value(
        make_tuple({Value(make_str(source)), Value(make_str(kind)), Value(make_str(expected))})));
  return Value(make_list(std::move(items)));
}

/// explain(function, args, kwargs): (graphs, operators, [break, ...], [[operator, ...], ...],
/// [guard, ...], [write, ...], [graph module, ...]).
Value explain_native(NativeCall& call) {
  CallSummary summary;
  Value compiled = runner->compile(call[0], {}, true);
  runner->set_summary(&summary);
  std::vector<std::pair<StrObject*, Value>> keywords;
  for (const auto& entry : call[2].as<DictObject>()->table.entries()) {
    if (entry.key.defined()) keywords.emplace_back(entry.key.as<StrObject>(), entry.value);
  }
  Value result =
      call.interpreter.call_with_keywords(compiled, call[1].as<TupleObject>()->items, keywords);
  runner->set_summary(nullptr);
  if (result.is_undefined()) return Value();
  return Value(
      make_tuple({Value(int64_t{summary.graphs}), Value(int64_t{summary.operators}),
                  breaks_of(summary), operators_of(summary), guards_of(summary),
                  list_of(summary.journal), Value(make_list(std::move(summary.graph_modules)))}));
}

/// mark_size(tensor, dim, dynamic)
Value mark_size_native(NativeCall& call) {
  if (!call[0].is(kTensorKind) || !call[1].is_int())
    return call.raise("TypeError", "a tensor and a dimension are expected");
  Tensor tensor = tensor_of(call[0]);
  auto rank = static_cast<int64_t>(tensor.rank());
  if (call[1].as_int() < 0 || call[1].as_int() >= std::min<int64_t>(rank, 64))
    return call.raise("AssertionError", "");
  uint64_t bit = uint64_t{1} << call[1].as_int();
  DimensionMarks& marks = make_marks(tensor);
  bool dynamic = truth(call.interpreter, call[2]) == 1;
  marks.dynamic = dynamic ? marks.dynamic | bit : marks.dynamic & ~bit;
  marks.fixed = dynamic ? marks.fixed & ~bit : marks.fixed | bit;
  return Value::none();
}

constexpr NativeDefinition kNatives[] = {
    {"compile(model, fullgraph=False, dynamic=None, backend='inductor', mode=None, options=None, "
     "disable=False)",
     compile_native,
     {.impure = true},
     "a function that runs `model` compiled"},
    {"mark_size(tensor, dim, dynamic)",
     mark_size_native,
     {.impure = true},
     "says that a size of the tensor varies, or never does"},
    {"backends()", backends_native, {}, "the names of the built-in backends"},
    {"is_compiling()", compiling_native, {.pure = true}, "True where a trace runs the call"},
    {"reset()", reset_native, {.impure = true}, "forgets all compiled code"},
    {"set_stance(number, /)",
     set_stance_native,
     {.impure = true},
     "what a call does that would have to be compiled"},
    {"compile_count()", count_native, {.impure = true}, "how many graphs were compiled so far"},
    {"explain(function, args, kwargs)",
     explain_native,
     {.impure = true},
     "graphs, breaks and guards of a call"},
};

void fill_native_module(Interpreter& interpreter, ModuleObject& module) {
  interpreter.add_functions(module, kNatives);
}

}  // namespace

void install(Runner& instance) {
  runner = &instance;
  NativeModule module;
  module.fill = fill_native_module;
  register_native_module("_glint_compile", module);
}

}  // namespace glint::capture
