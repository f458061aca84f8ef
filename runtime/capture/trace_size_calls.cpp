// Symbolic ints in calls: which callees take a size as it is, and which get a plain number.
//
//     x.size(0), x.numel(), len(x)     s0, s0*s1: answered here, from the trace's types
//     int(n), max(n, 4)                stay symbolic
//     x.view(n, -1), x.narrow(0, 0, n) an operator's size: taken as it is
//     x.sum(n)                         a dimension: n is guarded to be what it is now

#include <fmt/format.h>

#include <algorithm>

#include "ops/op.h"
#include "runtime/capture/symbolic_value.h"
#include "runtime/capture/trace.h"
#include "runtime/interpreter/prepared.h"
#include "runtime/interpreter/protocol.h"
#include "runtime/interpreter/torch_operators.h"
#include "runtime/interpreter/torch_values.h"

namespace glint::capture {

using namespace runtime;  // NOLINT: the interpreter's object structs, by their names
using program::Opcode;
using runtime::Value;

namespace {

/// Parameters of operators that take a symbolic int as it is; others get a plain one.
bool takes_symbolic(const ops::OpEntry& entry, std::string_view parameter) {
  static constexpr std::string_view kOperands[] = {"input", "other",      "min",   "max",
                                                   "value", "fill_value", "start", "end"};
  static constexpr std::string_view kSizes[] = {"size", "shape", "sizes", "normalized_shape",
                                                "split_size_or_sections"};
  auto holds = [](const auto& names, std::string_view wanted) {
    return std::find(std::begin(names), std::end(names), wanted) != std::end(names);
  };
  if (entry.numbers.fixed || entry.effects.random) return false;
  if (std::string_view(entry.name) == "narrow" && parameter == "length") return true;
  return holds(kOperands, parameter) || holds(kSizes, parameter);
}

/// The native that a callee comes down to, and what it is bound to.
NativeFunctionObject* native_of(const Value& callee, Value& self) {
  if (auto* bound = callee.try_as<BoundNativeObject>()) {
    self = bound->self;
    return bound->function.get();
  }
  if (auto* bound = callee.try_as<BoundMethodObject>()) {
    self = bound->self;
    return bound->function.try_as<NativeFunctionObject>();
  }
  return callee.try_as<NativeFunctionObject>();
}

}  // namespace

std::optional<Tracer::Step> Trace::size_query(Frame& frame, uint32_t pc,
                                              const program::Instruction& at, std::string_view name,
                                              const Tensor& tensor,
                                              std::span<const program::Operand> rest) {
  auto sizes = sizes_of(tensor);
  if (!sizes || at.keyword_count > 0 || at.opcode == Opcode::kCallUnpacked) return std::nullopt;
  auto rank = static_cast<int64_t>(sizes->size());
  if (name == "size" && rest.empty()) return put(frame, pc, at, sizes_.shape(*sizes));
  if (name == "size" && rest.size() == 1) {
    const Value& dim = operand(frame, rest[0]);
    if (!dim.is_int() || dim.as_int() < -rank || dim.as_int() >= rank) return std::nullopt;
    int64_t place = dim.as_int() < 0 ? dim.as_int() + rank : dim.as_int();
    return put(frame, pc, at, sizes_.value((*sizes)[static_cast<size_t>(place)]));
  }
  bool counts = (name == "numel" || name == "nelement") && rest.empty();
  if (counts) return put(frame, pc, at, sizes_.value(product(*sizes)));
  if (name == "len" && rank > 0) return put(frame, pc, at, sizes_.value(sizes->front()));
  return std::nullopt;
}

void Trace::make_arguments_plain(Frame& frame, const program::Instruction& at) {
  make_plain(frame, frame.program().tail(at));
  make_plain(frame, at.b);
  make_plain(frame, at.c);
}

void Trace::make_operator_arguments_plain(Frame& frame, const program::Instruction& at,
                                          const ops::OpEntry& entry, bool bound) {
  const auto& parameters = ops::signature(entry).parameters;
  if (at.opcode == Opcode::kCallUnpacked) {
    bool takes_sizes = std::ranges::any_of(parameters, [&](const auto& parameter) {
      return parameter.variadic && takes_symbolic(entry, parameter.name);
    });
    if (!takes_sizes) make_arguments_plain(frame, at);
    return;
  }
  auto operands = frame.program().tail(at);
  size_t positional = operands.size() - at.keyword_count;
  // Several ints in place of a size all belong to the one parameter.
  size_t several = parameters.size();
  for (size_t k = 0; k < parameters.size(); ++k) {
    bool method_size = bound && k == 1 && parameters[k].types == ops::kTakesSize;
    if (parameters[k].variadic || method_size) several = std::min(several, k);
  }
  for (size_t i = 0; i < operands.size(); ++i) {
    std::string_view name;
    if (i < positional) {
      size_t place = std::min({i + (bound ? 1 : 0), several, parameters.size() - 1});
      name = parameters[place].name;
    } else {
      const Value& names = operand(frame, at.keywords);
      name = names.as<TupleObject>()->items[i - positional].as<StrObject>()->view();
    }
    settle(frame, operands[i]);
    // A float is looked at where the operator is called.
    bool real = operand(frame, operands[i]).is<SymFloatObject>();
    if (!real && !takes_symbolic(entry, name)) make_plain(frame, operands[i]);
  }
}

std::optional<Tracer::Step> Trace::size_combination(Frame& frame, uint32_t pc,
                                                    const program::Instruction& at,
                                                    std::string_view name) {
  bool combines = name == "min" || name == "max" || name == "sum" || name == "prod";
  if (!combines || at.opcode != Opcode::kCall || at.keyword_count > 0) return std::nullopt;
  std::vector<Value> items;
  for (program::Operand each : frame.program().tail(at)) items.push_back(operand(frame, each));
  if (items.size() == 1 && items_of(items[0])) items = std::vector<Value>(*items_of(items[0]));
  if (std::ranges::none_of(items, holds_symbolic)) return std::nullopt;
  std::optional<Value> result = sizes_.combine(name, items);
  if (!result) result = float_combination(name, items);
  return result ? std::optional(put(frame, pc, at, std::move(*result))) : std::nullopt;
}

std::optional<Tracer::Step> Trace::size_construction(Frame& frame, uint32_t pc,
                                                     const program::Instruction& at,
                                                     const ClassObject& cls) {
  const BuiltinClasses& classes = interpreter_.classes();
  bool script = !cls.native;
  bool copies = &cls == classes.list.get() || &cls == classes.tuple.get();
  if (script || copies) return std::nullopt;
  auto operands = frame.program().tail(at);
  bool converts = at.opcode == Opcode::kCall && operands.size() == 1 && at.keyword_count == 0;
  if (converts) {
    const Value& number = operand(frame, operands[0]);
    bool same = (&cls == classes.integer.get() && number.is<SymIntObject>()) ||
                (&cls == classes.floating.get() && number.is<SymFloatObject>());
    if (same) return put(frame, pc, at, number);
    if (&cls == classes.integer.get() && number.is<SymFloatObject>()) {
      auto made = floats_.compute(interpreter_, {.kind = FloatStep::Kind::kToInt}, {&number, 1});
      if (made) return put(frame, pc, at, std::move(*made));
    }
    if (&cls == classes.floating.get() && number.is<SymIntObject>()) {
      auto made = floats_.compute(interpreter_, {.kind = FloatStep::Kind::kToFloat}, {&number, 1});
      if (made) return put(frame, pc, at, std::move(*made));
    }
  }
  make_arguments_plain(frame, at);
  return std::nullopt;
}

std::optional<Tracer::Step> Trace::size_call(Frame& frame, uint32_t pc,
                                             const program::Instruction& at) {
  const Value& callee = operand(frame, at.a);
  auto operands = frame.program().tail(at);
  ShapeEnvironment::Scope scope(sizes_.shapes);
  if (auto* cls = callee.try_as<ClassObject>()) return size_construction(frame, pc, at, *cls);
  Value self;
  NativeFunctionObject* native = native_of(callee, self);
  if (!native) return std::nullopt;
  const std::string& name = native->signature.name;
  if (self.is(kTensorKind)) {
    if (auto step = size_query(frame, pc, at, name, tensor_of(self), operands)) return step;
  } else if (name == "len" && operands.size() - at.keyword_count == 1) {
    const Value& counted = operand(frame, operands[0]);
    if (!counted.is(kTensorKind)) return std::nullopt;
    return size_query(frame, pc, at, name, tensor_of(counted), operands);
  }
  if (const ops::OpEntry* entry = operator_of(*native)) {
    make_operator_arguments_plain(frame, at, *entry, self.defined());
    return std::nullopt;
  }
  bool stacks = native->effects.makes_tensor && at.opcode == Opcode::kCall &&
                operands.size() == 1 && at.keyword_count == 0;
  if (stacks) {  // of numbers that may vary
    settle(frame, operands[0]);
    return std::nullopt;
  }
  if (self.is_undefined()) {
    if (auto step = size_combination(frame, pc, at, name)) return step;
    if (auto step = float_call(frame, pc, at, *native)) return step;
  }
  if (native->effects.takes_varying) {
    size_t key = self.defined() ? 0 : 1;
    bool looks_up = native->effects.looks_up;
    // The least of several numbers is an int or a float, as the numbers are.
    if (native->effects.looks_at_kind && at.opcode == Opcode::kCall && !operands.empty())
      settle(frame, operands[0]);
    if (looks_up && at.opcode != Opcode::kCall) make_arguments_plain(frame, at);
    if (looks_up && operands.size() > key) make_plain(frame, operands[key]);
    return std::nullopt;
  }
  if (self.defined() && holds_symbolic(self)) make_plain(self);
  make_arguments_plain(frame, at);
  return std::nullopt;
}

Value Trace::handed(const NativeFunctionObject& native, const Value& value) {
  if (!containers_.note_handed(native, value)) interpreter_.stop_trace();
  return native.effects.hands_on || !holds_symbolic(value) ? value : plain(value);
}

bool Trace::sizes_are_plain(const NativeFunctionObject& native, const Value* arguments,
                            size_t count) {
  if (!any_symbolic() || native.effects.takes_varying) return true;
  const std::string& name = native.signature.name;
  for (size_t i = 0; i < count && !native.effects.spares_sizes; ++i) {
    if (arguments[i].is(kTensorKind)) specialise_sizes(tensor_of(arguments[i]));
  }
  bool builds = name == "list" || name == "tuple" || name == "len";
  for (size_t i = 0; i < count && !builds; ++i) {
    if (!holds_symbolic(arguments[i])) continue;
    stop(DiagnosticId::kBreakUnsupportedValue,
         fmt::format("`{}` is called with a number that varies", name));
    return false;
  }
  return true;
}

}  // namespace glint::capture
