#include "runtime/capture/callee.h"

#include <fmt/format.h>

#include "runtime/interpreter/attributes.h"
#include "runtime/interpreter/prepared.h"
#include "runtime/interpreter/protocol.h"

namespace glint::capture {

using namespace runtime;  // NOLINT: the interpreter's object structs, by their names
using runtime::Value;

namespace {

/// Whether it is that method of `torch.nn.Module` itself.
bool is_module_method(const FunctionObject& function, std::string_view name) {
  auto* module = function.module_name.try_as<StrObject>();
  return module && module->view() == "torch.nn.modules.module" &&
         function.qualified_name->view() == name;
}

/// An attribute that is found without running script code; else undefined.
Value plain_attribute(Interpreter& interpreter, const Value& object, const Ref<StrObject>& name) {
  Value value;
  Found found = resolve_attribute(interpreter, object, name.get(), value);
  if (found == Found::kRaised) interpreter.take_pending();
  return found == Found::kValue ? value : Value();
}

bool has_hooks(Interpreter& interpreter, const Value& module) {
  static const auto hooked = intern("_hooked");
  return !plain_attribute(interpreter, module, hooked).identical(Value::none());
}

/// `Net.forward`, where calling the module does nothing else than call this; else undefined.
Value forward_of(Interpreter& interpreter, const Value& module) {
  if (!module.is<InstanceObject>() || has_hooks(interpreter, module)) return Value();
  static const auto name = intern("forward");
  Value forward = plain_attribute(interpreter, module, name);
  auto* bound = forward.try_as<BoundMethodObject>();
  bool fits = bound && bound->self.identical(module) && bound->function.is<FunctionObject>();
  return fits ? bound->function : Value();
}

}  // namespace

bool is_disabled(const FunctionObject& function) {
  return function.attributes && function.attributes->find("_torchdynamo_disable");
}

std::string reason_of_disabling(const FunctionObject& function) {
  Value* reason = function.attributes->find("_torchdynamo_disable_msg");
  return reason && is_str(*reason) ? fmt::format(": {}", view_of(*reason)) : "";
}

bool has_own_call(InstanceObject& module) {
  static const auto hooked = intern("_hooked");
  static const auto forward = intern("forward");
  return module.find(hooked.get()) || module.find(forward.get());
}

Callee callee_of(Interpreter& interpreter, const Value& callable) {
  static const auto call = intern("__call__");
  Callee callee{callable, {}};
  if (callable.is<InstanceObject>()) callee.function = get_attribute(interpreter, callable, call);
  auto* bound = callee.function.try_as<BoundMethodObject>();
  if (!bound) return callee;
  callee = {Value(bound->function), {bound->self}};
  auto* function = callee.function.try_as<FunctionObject>();
  if (!function || !is_module_call(*function)) return callee;
  if (Value forward = forward_of(interpreter, callee.bound[0]); forward.defined())
    callee.function = forward;
  return callee;
}

bool unwrap_callee(Frame& frame, const program::Instruction& at) {
  bool temporary = at.a.is_register() && at.a.index() >= frame.program().local_names.size();
  if (!temporary) return false;
  Value& callee = frame.registers[at.a.index()];
  callee = Value(callee.as<CompiledFunctionObject>()->function);
  return true;
}

bool is_module_call(const FunctionObject& function) {
  return is_module_method(function, "Module.__call__");
}

bool is_module_hook(const FunctionObject& function) {
  return is_module_method(function, "Module.__setattr__") ||
         is_module_method(function, "Module.__delattr__");
}

Value unwrap_module(Interpreter& interpreter, const Value& value) {
  if (!value.is<InstanceObject>()) return value;
  Value compiled = plain_attribute(interpreter, value, intern("_compiled_call"));
  if (compiled.is<CompiledFunctionObject>()) return compiled;
  Value call = plain_attribute(interpreter, value, intern("__call__"));
  auto* bound = call.try_as<BoundMethodObject>();
  auto* function = bound ? bound->function.try_as<FunctionObject>() : nullptr;
  if (!function || !is_module_call(*function)) return value;
  Value forward = plain_attribute(interpreter, value, intern("forward"));
  return forward.is<CompiledFunctionObject>() ? forward : value;
}

}  // namespace glint::capture
