// The instructions that may run a script's method: each looks for a special method that is script
// code and, if there is one, pushes its frame; everything else is done at once (protocol.h).
#include <fmt/format.h>

#include "runtime/interpreter/attributes.h"
#include "runtime/interpreter/class_rules.h"
#include "runtime/interpreter/machine.h"
#include "runtime/interpreter/numpy_elements.h"

namespace glint::runtime {

using program::Opcode;

namespace {

const Value& at(Frame& frame, int32_t index) {
  return operand(frame.registers, frame.code->constants.data(), index);
}
Receiver receiver_of(Frame& frame, Op& op, Continuation then = Continuation::kStore) {
  return {&frame, then, static_cast<uint32_t>(op.result)};
}

/// A special method that is a script's function; null for everything else.
const Value* script_method(const Value& value, Special which) {
  if (!value.is_object() || value.kind() == kTensorKind) return nullptr;
  ClassObject* cls =
      value.kind() == kInstanceKind ? value.as<InstanceObject>()->cls.get() : class_of(value);
  if (cls->native) return nullptr;
  const Value& method = cls->special(which);
  return method.is<FunctionObject>() ? &method : nullptr;
}

template <size_t kCount>
Frame* call_script(Interpreter& in, const Value& method, const Value (&arguments)[kCount],
                   Receiver receiver) {
  Value held = method;
  return Machine::call_function(in, *held.as<FunctionObject>(), {arguments, kCount}, receiver);
}

/// By the opcodes' order, from `kAdd` and from `kAddInPlace`.
struct BinarySpecials {
  Special plain, in_place;
};
constexpr BinarySpecials kBinarySpecials[] = {
    {Special::kAdd, Special::kIAdd},         {Special::kSub, Special::kISub},
    {Special::kMul, Special::kIMul},         {Special::kMatMul, Special::kIMatMul},
    {Special::kTrueDiv, Special::kITrueDiv}, {Special::kFloorDiv, Special::kIFloorDiv},
    {Special::kMod, Special::kIMod},         {Special::kPow, Special::kIPow},
    {Special::kLShift, Special::kILShift},   {Special::kRShift, Special::kIRShift},
    {Special::kAnd, Special::kIAnd},         {Special::kOr, Special::kIOr},
    {Special::kXor, Special::kIXor},
};

const BinarySpecials& binary_specials(Opcode opcode) {
  const bool in_place = opcode >= Opcode::kAddInPlace;
  const auto first = static_cast<size_t>(in_place ? Opcode::kAddInPlace : Opcode::kAdd);
  return kBinarySpecials[static_cast<size_t>(opcode) - first];
}
Special compare_special(Opcode opcode) {
  constexpr Special kSpecials[] = {Special::kLt, Special::kLe, Special::kEq,
                                   Special::kNe, Special::kGt, Special::kGe};
  return kSpecials[static_cast<size_t>(opcode) - static_cast<size_t>(Opcode::kLess)];
}

}  // namespace

// ---- Operators ---------------------------------------------------------------------------------

/// `text += more` where nobody else holds the text: appends in place.
static bool append_text(Frame& frame, Op& op, const Value& a, const Value& b) {
  if (op.a != op.result || !a.is<StrObject>() || !b.is<StrObject>()) return false;
  auto* text = a.as<StrObject>();
  if (text->ref_count() != 1 || text->flags() != 0) return false;
  auto* more = b.as<StrObject>();
  text->text += more->text;
  text->length += more->length;
  text->hash = 0;
  return true;
}

Frame* Machine::op_binary(Interpreter& in, Frame& frame, Op& op) {
  const Value &a = at(frame, op.a), &b = at(frame, op.b);
  if (op.opcode == Opcode::kAddInPlace && append_text(frame, op, a, b)) return advance(frame);
  if (a.is<InstanceObject>()) {
    // A subclass on the right goes first, an in-place form may be missing: binary() knows both.
    bool in_place = op.opcode >= Opcode::kAddInPlace;
    const BinarySpecials& specials = binary_specials(op.opcode);
    const Value* method = script_method(a, in_place ? specials.in_place : specials.plain);
    bool goes_first = in_place || !b.is<InstanceObject>() ||
                      b.as<InstanceObject>()->cls == a.as<InstanceObject>()->cls;
    if (method && goes_first) {
      Value arguments[] = {a, b};
      // `kBinary` asks binary() again when this one gives NotImplemented.
      return call_script(in, *method, arguments, receiver_of(frame, op, Continuation::kBinary));
    }
  }
  Value x = a, y = b;
  Value result = binary(in, op.opcode, x, y);
  return result.is_undefined() ? unwind(in) : store(frame, op, std::move(result));
}

Frame* Machine::op_compare(Interpreter& in, Frame& frame, Op& op) {
  const Value &a = at(frame, op.a), &b = at(frame, op.b);
  if (a.is<InstanceObject>()) {
    const Value* method = script_method(a, compare_special(op.opcode));
    bool plain =
        !b.is<InstanceObject>() || b.as<InstanceObject>()->cls == a.as<InstanceObject>()->cls;
    if (method && plain) {
      Value arguments[] = {a, b};
      return call_script(in, *method, arguments, receiver_of(frame, op, Continuation::kCompare));
    }
  }
  Value x = a, y = b;
  Value result = compare(in, op.opcode, x, y);
  return result.is_undefined() ? unwind(in) : store(frame, op, std::move(result));
}

Frame* Machine::op_unary(Interpreter& in, Frame& frame, Op& op) {
  Value a = at(frame, op.a);
  Special special = op.opcode == Opcode::kNegative   ? Special::kNeg
                    : op.opcode == Opcode::kPositive ? Special::kPos
                                                     : Special::kInvert;
  if (const Value* method = script_method(a, special)) {
    Value arguments[] = {a};
    return call_script(in, *method, arguments, receiver_of(frame, op));
  }
  Value result = unary(in, op.opcode, a);
  return result.is_undefined() ? unwind(in) : store(frame, op, std::move(result));
}

Frame* Machine::op_not(Interpreter& in, Frame& frame, Op& op) {
  Value a = at(frame, op.a);
  if (const Value* method = script_method(a, Special::kBool)) {
    Value arguments[] = {a};
    return call_script(in, *method, arguments, receiver_of(frame, op, Continuation::kBranch));
  }
  int yes = truth(in, a);
  return yes < 0 ? unwind(in) : store(frame, op, Value(yes == 0));
}

Frame* Machine::op_branch(Interpreter& in, Frame& frame, Op& op) {
  Value a = at(frame, op.a);
  if (const Value* method = script_method(a, Special::kBool)) {
    Value arguments[] = {a};
    return call_script(in, *method, arguments, receiver_of(frame, op, Continuation::kBranch));
  }
  int yes = truth(in, a);
  if (yes < 0) return unwind(in);
  bool jumps = (yes == 1) == (op.opcode == Opcode::kJumpIfTrue);
  return jumps ? jump(frame, op.immediate) : advance(frame);
}

Frame* Machine::op_contains(Interpreter& in, Frame& frame, Op& op) {
  Value item = at(frame, op.a), container = at(frame, op.b);
  bool wanted = op.opcode == Opcode::kIn;
  if (const Value* method = script_method(container, Special::kContains)) {
    Value arguments[] = {container, item};
    return call_script(
        in, *method, arguments,
        receiver_of(frame, op, wanted ? Continuation::kTruth : Continuation::kNotTruth));
  }
  int yes = contains(in, container, item);
  return yes < 0 ? unwind(in) : store(frame, op, Value((yes == 1) == wanted));
}

// ---- Attributes --------------------------------------------------------------------------------

/// Whether reading an attribute of such an instance only needs a look at its slots, now and as
/// long as the class's version stands.
static bool plain_read(ClassObject& cls, const StrObject* name) {
  const Value& hook = cls.special(Special::kGetAttribute);
  if (hook.defined() && !hook.is<NativeFunctionObject>()) return false;
  Value* in_class = cls.lookup(name);
  return !in_class || (!in_class->is<PropertyObject>() && !in_class->is<InstanceObject>());
}

Frame* Machine::load_attribute(Interpreter& in, const Value& object, StrObject* name,
                               Receiver receiver, Value& found) {
  switch (resolve_attribute(in, object, name, found)) {
    case Found::kValue:
      return nullptr;
    case Found::kGetter: {
      if (class_of(object)->special(Special::kGetAttr).defined()) {
        found = get_attribute(in, object, Ref<StrObject>(name));
        return found.defined() ? nullptr : unwind(in);
      }
      Value getter = std::move(found);
      found = Value();
      return call(in, getter, {&object, 1}, receiver);
    }
    case Found::kHook: {
      const Value& next = class_of(object)->special(Special::kGetAttr);
      if (next.defined() && !next.identical(found)) {
        found = call_hook(in, Value(found), object, Ref<StrObject>(name));
        return found.defined() ? nullptr : unwind(in);
      }
      Value hook = std::move(found);
      found = Value();
      Value arguments[] = {object, Value(name)};
      return call(in, hook, {arguments, 2}, receiver);
    }
    case Found::kAbsent:
      raise_not_found(in, object, Ref<StrObject>(name));
      break;
    case Found::kRaised:
      break;
  }
  found = Value();
  return unwind(in);
}

Frame* Machine::op_attribute(Interpreter& in, Frame& frame, Op& op) {
  Value object = at(frame, op.a);
  StrObject* name = frame.code->names[op.immediate].get();
  if (auto* instance = object.try_as<InstanceObject>(); instance && instance->shape) {
    int slot = instance->shape->find(name);
    if (slot >= 0 && plain_read(*instance->cls, name)) {
      op.cache_pointer = instance->shape;
      op.cache_key = instance->cls->version;
      op.cache_index = static_cast<uint32_t>(slot);
      return store(frame, op, instance->slots[slot]);
    }
  } else if (auto* module = object.try_as<ModuleObject>()) {
    if (Value* found = module->dict->find(name)) return store(frame, op, *found);
  }
  Value found;
  Frame* next = load_attribute(in, object, name, receiver_of(frame, op), found);
  return found.defined() ? store(frame, op, std::move(found)) : next;
}

Frame* Machine::op_traced_method(Interpreter& in, Frame& frame, Op& op) {
  if (op.b >= 0) frame.registers[op.b] = Value();
  return op_attribute(in, frame, op);
}

/// A method that takes the receiver as its first argument: a plain function in the class.
static Value* find_method(ClassObject& cls, const StrObject* name) {
  Value* found = cls.lookup(name);
  if (!found) return nullptr;
  bool plain = found->is<FunctionObject>() ||
               (found->is<NativeFunctionObject>() && found->as<NativeFunctionObject>()->owner);
  return plain ? found : nullptr;
}

Frame* Machine::op_method(Interpreter& in, Frame& frame, Op& op) {
  Value object = at(frame, op.a);
  StrObject* name = frame.code->names[op.immediate].get();
  frame.registers[op.b] = Value();
  if (auto* instance = object.try_as<InstanceObject>()) {
    ClassObject& cls = *instance->cls;
    if (instance->shape && instance->shape->find(name) < 0 && plain_read(cls, name)) {
      if (Value* method = find_method(cls, name)) {
        if (method->is_object()) {
          op.cache_key = reinterpret_cast<uint64_t>(instance->shape);
          op.cache_index = cls.version;
          op.cache_pointer = method->object();
        }
        frame.registers[op.b] = object;
        return store(frame, op, *method);
      }
    }
  } else if (object.is<ModuleObject>()) {
    if (Value* found = object.as<ModuleObject>()->dict->find(name)) {
      return store(frame, op, *found);
    }
  } else if (object.kind() != kClassKind && object.kind() != kSuperKind &&
             object.kind() != kFunctionKind && object.kind() != kExceptionKind) {
    // A builtin type's method: the class cannot change, nor can the object shadow it.
    ClassObject* cls = class_of(object);
    bool own = object.is_object() && object.kind() >= kFirstInterpreterKind &&
               object.as<Object>()->flag(Object::kSubclassed);
    if (!own && op.cache_index == cls->version && op.cache_pointer && op.cache_key == 1) {
      frame.registers[op.b] = object;
      return store(frame, op, Value(static_cast<RefCounted*>(op.cache_pointer)));
    }
    if (!own) {
      if (Value* method = find_method(*cls, name)) {
        op.cache_key = 1;
        op.cache_index = cls->version;
        op.cache_pointer = method->object();
        frame.registers[op.b] = object;
        return store(frame, op, *method);
      }
    }
  }
  Value found;
  Frame* next = load_attribute(in, object, name, receiver_of(frame, op), found);
  return found.defined() ? store(frame, op, std::move(found)) : next;
}

Frame* Machine::op_set_attribute(Interpreter& in, Frame& frame, Op& op) {
  Value object = at(frame, op.a), value = at(frame, op.b);
  const Ref<StrObject>& name = frame.code->names[op.immediate];
  if (auto* instance = object.try_as<InstanceObject>()) {
    ClassObject& cls = *instance->cls;
    const Value& hook = cls.special(Special::kSetAttr);
    if (hook.is<FunctionObject>()) {
      Value arguments[] = {object, Value(name), value};
      return call_script(in, hook, arguments, receiver_of(frame, op, Continuation::kDiscard));
    }
    Value* in_class = cls.lookup(name.get());
    if (in_class && in_class->is<PropertyObject>()) {
      const Value& setter = in_class->as<PropertyObject>()->setter;
      if (setter.is<FunctionObject>()) {
        Value arguments[] = {object, value};
        return call_script(in, setter, arguments, receiver_of(frame, op, Continuation::kDiscard));
      }
    }
    bool plain = !hook.defined() || hook.is<NativeFunctionObject>();
    bool shadowed = in_class && (in_class->is<PropertyObject>() || in_class->is<InstanceObject>());
    bool special_name = name->text == "__class__" || name->text == "__dict__";
    bool own = plain && !shadowed && !special_name && instance->shape;
    if (own && may_have(cls, name.get())) {
      instance->set(name, std::move(value));
      op.cache_pointer = instance->shape;
      op.cache_key = cls.version;
      op.cache_index = static_cast<uint32_t>(instance->shape->find(name.get()));
      return advance(frame);
    }
  }
  return set_attribute(in, object, name, std::move(value)) ? advance(frame) : unwind(in);
}

// ---- Subscripts and loops ----------------------------------------------------------------------

Frame* Machine::op_item(Interpreter& in, Frame& frame, Op& op) {
  Value object = at(frame, op.a), key = at(frame, op.b);
  if (const Value* method = script_method(object, Special::kGetItem)) {
    Value element = numpy_element(in, object, key);
    if (element.defined()) return store(frame, op, std::move(element));
    Value arguments[] = {object, key};
    return call_script(in, *method, arguments, receiver_of(frame, op));
  }
  Value result = get_item(in, object, key);
  return result.is_undefined() ? unwind(in) : store(frame, op, std::move(result));
}

Frame* Machine::op_set_item(Interpreter& in, Frame& frame, Op& op) {
  Value object = at(frame, op.a), key = at(frame, op.b), value = at(frame, op.c);
  if (const Value* method = script_method(object, Special::kSetItem)) {
    if (set_numpy_element(in, object, key, value)) return advance(frame);
    Value arguments[] = {object, key, value};
    return call_script(in, *method, arguments, receiver_of(frame, op, Continuation::kDiscard));
  }
  return set_item(in, object, key, value) ? advance(frame) : unwind(in);
}

Frame* Machine::op_iterator(Interpreter& in, Frame& frame, Op& op) {
  Value object = at(frame, op.a);
  if (const Value* method = script_method(object, Special::kIter)) {
    Value arguments[] = {object};
    return call_script(in, *method, arguments, receiver_of(frame, op));
  }
  Value iterator = iterator_of(in, object);
  return iterator.is_undefined() ? unwind(in) : store(frame, op, std::move(iterator));
}

Frame* Machine::op_next_pair(Interpreter& in, Frame& frame, Op& op) {
  const Value& iterator = at(frame, op.a);
  if (!iterator.is<IteratorObject>() || !iterator.as<IteratorObject>()->gives_pairs)
    return op_next(in, frame, op);
  Value first, second;
  if (iterator.as<IteratorObject>()->next_pair(in, first, second)) {
    frame.registers[static_cast<uint32_t>(op.cache_key)].swap(first);
    frame.registers[op.cache_key >> 32].swap(second);
    frame.pc = &op + op.cache_index;
    return &frame;
  }
  return in.raised() || in.stop_requested_ ? unwind(in) : jump(frame, op.immediate);
}
Frame* Machine::op_next(Interpreter& in, Frame& frame, Op& op) {
  Value iterator = at(frame, op.a);
  if (iterator.is<IteratorObject>()) {
    Value item = iterator.as<IteratorObject>()->next(in);
    if (item.defined()) return store(frame, op, std::move(item));
    return in.raised() || in.stop_requested_ ? unwind(in) : jump(frame, op.immediate);
  }
  if (auto* generator = iterator.try_as<GeneratorObject>()) {
    return resume(in, *generator, Value::none(), receiver_of(frame, op, Continuation::kGenerator));
  }
  if (const Value* method = script_method(iterator, Special::kNext)) {
    Value arguments[] = {iterator};
    return call_script(in, *method, arguments, receiver_of(frame, op, Continuation::kNext));
  }
  Value item = next_item(in, iterator);
  if (item.defined()) return store(frame, op, std::move(item));
  return in.raised() || in.stop_requested_ ? unwind(in) : jump(frame, op.immediate);
}

// ---- Contexts ----------------------------------------------------------------------------------

Frame* Machine::op_enter_context(Interpreter& in, Frame& frame, Op& op) {
  Value manager = at(frame, op.a);
  static const auto enter = intern("__enter__"), exit = intern("__exit__");
  for (const auto& name : {enter, exit}) {
    Value* found = class_of(manager)->lookup(name.get());
    if (found) continue;
    std::string_view rest = name.get() == exit.get() ? " (missed __exit__ method)" : "";
    in.raise("TypeError", fmt::format("'{}' object does not support the context manager protocol{}",
                                      type_name(manager), rest));
    return unwind(in);
  }
  Value leave = get_attribute(in, manager, exit);
  if (leave.is_undefined()) return unwind(in);
  Value begin = get_attribute(in, manager, enter);
  if (begin.is_undefined()) return unwind(in);
  int32_t keep = frame.code->operands[op.tail_begin];
  frame.registers[keep] = std::move(leave);
  return call(in, begin, {nullptr, 0}, receiver_of(frame, op));
}

Frame* Machine::op_exit_context(Interpreter& in, Frame& frame, Op& op) {
  Value leave = at(frame, op.a);
  Value arguments[] = {Value::none(), Value::none(), Value::none()};
  if (op.b != kNoOperand) {
    Value value = at(frame, op.b);
    if (auto* exception = value.try_as<ExceptionObject>()) {
      arguments[0] = Value(exception->cls);
      arguments[1] = value;
      arguments[2] = Value(make_ref<TracebackObject>(exception->traceback));
    }
  }
  return call(in, leave, {arguments, 3}, receiver_of(frame, op));
}

// ---- Classes -----------------------------------------------------------------------------------

Frame* Machine::op_class(Interpreter& in, Frame& frame, Op& op) {
  // The body is a function of no parameters whose variables are the namespace.
  auto body = make_ref<FunctionObject>();
  body->code = frame.code->program->functions[op.immediate];
  body->globals = Ref<DictObject>(frame.globals);
  body->module_name = Value::none();
  body->prepared = in.prepare(body->code);
  for (const auto& cell : body->code->cells) {
    if (cell.is_free) body->closure.push_back(frame.cells[cell.outer_index]);
  }
  Ref<DictObject> names = make_dict();
  Value* module = frame.globals->find("__name__");
  names->set("__module__", module ? *module : str_value("__main__"));
  names->set("__qualname__", str_value(body->code->qualified_name));
  if (body->code->has_doc) names->set("__doc__", str_value(body->code->doc));
  Frame* inner = push(in, *body->prepared, body.get(), frame.globals,
                      receiver_of(frame, op, Continuation::kClassBody));
  if (!inner) return unwind(in);
  inner->owned = Value(names);
  if (in.tracer_) in.tracer_->pushed(*inner);
  return inner;
}

}  // namespace glint::runtime
