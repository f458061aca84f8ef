// `__del__`: what an instance does before it dies.
//
//     class File:
//         def __del__(self): print("closed")
//     f = File(); f = None          # closed
//
// It runs when the last reference goes, once in an object's life, wherever the interpreter happens
// to be: everything that is on its way (an exception, a result) is put aside and back. What it
// raises is printed and ignored. An object that it stores somewhere lives on. Objects in dead
// cycles have theirs run by the collector; those that the module still holds, at the end of the
// script.
#include <fmt/format.h>

#include "runtime/interpreter/builtins.h"
#include "runtime/interpreter/machine.h"

namespace glint::runtime {

static void report_ignored(Interpreter& in, const Value& method) {
  Ref<ExceptionObject> exception = in.take_pending();
  std::string name;
  if (!repr_of(in, method, name)) in.take_pending();
  in.output().write_error("Exception ignored in: " + name + "\n" + in.format_exception(*exception));
}

void Machine::finalise(Interpreter& in, InstanceObject& instance) {
  instance.set_flag(InstanceObject::kFinalised);
  call_aside(in, Value(instance.cls->special(Special::kDel)), Value(&instance));
}

void Machine::call_aside(Interpreter& in, const Value& callable, const Value& argument) {
  Tracer* tracer = in.tracer_;
  if (tracer) in.set_tracer(nullptr);
  Value pending = std::exchange(in.pending_, Value()), result = std::move(in.result_),
        stop = std::move(in.stop_value_), sent = std::move(in.sent_),
        driven = std::move(in.driven_);
  std::unique_ptr<Resumable> begun = std::move(in.begun_);
  Frame* driving = std::exchange(in.driving_, nullptr);
  bool reraising = std::exchange(in.reraising_, false);
  bool stop_requested = std::exchange(in.stop_requested_, false);
  RunEnd end = in.run_end_;

  if (in.call(callable, {argument}).is_undefined() && in.raised()) report_ignored(in, callable);

  in.run_end_ = end;
  in.stop_requested_ = stop_requested;
  in.reraising_ = reraising;
  in.driving_ = driving;
  in.begun_ = std::move(begun);
  in.driven_ = std::move(driven);
  in.sent_ = std::move(sent);
  in.stop_value_ = std::move(stop);
  in.result_ = std::move(result);
  in.pending_ = std::move(pending);
  if (tracer) in.set_tracer(tracer);
}

bool InstanceObject::wants_finaliser() {
  return !flag(kFinalised) && Interpreter::alive() && cls->special(Special::kDel).defined();
}

void InstanceObject::destroy() {
  if (wants_finaliser()) [[unlikely]] {
    retain();
    Machine::finalise(Interpreter::current(), *this);
    if (--refs_ > 0) return;
  }
  Container::destroy();
}

void run_exit_functions(Interpreter& in) {
  Value* module = in.modules().find("atexit");
  if (!module || !module->is<ModuleObject>()) return;
  if (in.call_method(*module, "_run_exitfuncs").is_undefined()) in.report_exception();
}

void finalise_variables(ModuleObject& module) {
  std::vector<Ref<StrObject>> names;
  for (const auto& entry : module.dict->table.entries()) {
    auto* name = entry.key.try_as<StrObject>();
    bool kept = entry.value.is<ClassObject>() || entry.value.is<FunctionObject>() ||
                entry.value.is<ModuleObject>() || !entry.value.is_object();
    if (name && !kept && !name->view().starts_with("__")) names.emplace_back(name);
  }
  for (const auto& name : names) module.dict->set(name, Value::none());
  collect_cycles();
}

}  // namespace glint::runtime
