// Calls: of script functions, natives, methods, classes and instances. How arguments meet
// parameters is in call_binding.cpp and call_natives.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "runtime/interpreter/big_ints.h"
#include "runtime/interpreter/class_rules.h"
#include "runtime/interpreter/complex_tensors.h"
#include "runtime/interpreter/machine.h"
#include "runtime/interpreter/number_objects.h"
#include "runtime/interpreter/os_errors.h"
#include "runtime/interpreter/scripted.h"

namespace glint::runtime {

/// Delivers a native's value, or begins its resumable, or unwinds.
static Frame* native_ended(Interpreter& in, Receiver receiver, Value value) {
  if (value.defined()) return Machine::deliver(in, receiver, std::move(value));
  if (auto& begun = Machine::begun(in)) {
    Frame* frame = Machine::push_native(in, std::move(begun), receiver);
    return frame ? Machine::drive(in, *frame, Value()) : Machine::unwind(in);
  }
  return Machine::unwind(in);
}

static std::vector<std::pair<StrObject*, Value>> keywords_of(const Arguments& arguments) {
  std::vector<std::pair<StrObject*, Value>> keywords;
  for (size_t i = 0; i < arguments.keyword_count; ++i)
    keywords.emplace_back(arguments.names[i], arguments.values[arguments.count + i]);
  return keywords;
}

Frame* Machine::call_function(Interpreter& in, FunctionObject& function, const Arguments& arguments,
                              Receiver receiver) {
  if (!function.prepared) function.prepared = in.prepare(function.code);
  FunctionCode& code = *function.prepared;
  if (in.raise_interrupt()) return unwind(in);
  if (code.compiles_calls && in.region_runner_ && (!in.tracer_ || in.tracer_->lets_regions_run())) {
    return native_ended(in, receiver,
                        in.region_runner_->enter(in, function, {arguments.values, arguments.count},
                                                 keywords_of(arguments)));
  }
  Frame* frame = push(in, code, &function, function.globals.get(), receiver);
  if (!frame) return unwind(in);
  if (!bind(in, code, function, arguments, frame->registers)) {
    pop(in, frame);
    return unwind(in);
  }
  if (code.is_generator) {
    auto generator = make_ref<GeneratorObject>();
    generator->name = function.name;
    generator->frame = generator_frame(in, frame);
    return deliver(in, receiver, Value(std::move(generator)));
  }
  if (in.tracer_) in.tracer_->pushed(*frame);
  return frame;
}

// ---- Any callable ------------------------------------------------------------------------------

/// The same arguments with one more in front, owned: few of them in place.
class WithFirst {
 public:
  WithFirst(const Value& first, const Arguments& arguments) : arguments_(arguments) {
    size_t count = arguments.count + arguments.keyword_count;
    values_ = few_.data();
    if (count >= few_.size()) {
      many_.resize(count + 1);
      values_ = many_.data();
    }
    values_[0] = first;
    std::copy_n(arguments.values, count, values_ + 1);
  }
  WithFirst(const WithFirst&) = delete;
  WithFirst& operator=(const WithFirst&) = delete;

  Arguments get() const {
    return {values_, arguments_.count + 1, arguments_.names, arguments_.keyword_count};
  }

 private:
  const Arguments& arguments_;
  std::array<Value, 6> few_;
  std::vector<Value> many_;
  Value* values_;
};

bool Machine::runs_eagerly(const CompiledFunctionObject& compiled, const Arguments& arguments) {
  if (!compiled.eager_up_to || *compiled.eager_up_to == 0) return false;
  for (size_t i = 0; i < arguments.count + arguments.keyword_count; ++i) {
    if (compiling_pays(arguments.values[i], *compiled.eager_up_to)) return false;
  }
  return true;
}

Frame* Machine::call(Interpreter& in, const Value& callable, const Arguments& arguments,
                     Receiver receiver) {
  switch (callable.kind()) {
    case kFunctionKind:
      return call_function(in, *callable.as<FunctionObject>(), arguments, receiver);
    case kNativeFunctionKind:
      return native_ended(in, receiver,
                          run_native(in, *callable.as<NativeFunctionObject>(), nullptr, arguments));
    case kBoundNativeKind: {
      Ref<BoundNativeObject> bound(callable.as<BoundNativeObject>());
      return native_ended(in, receiver, run_native(in, *bound->function, &bound->self, arguments));
    }
    case kBoundMethodKind: {
      Ref<BoundMethodObject> bound(callable.as<BoundMethodObject>());
      return call(in, bound->function, WithFirst(bound->self, arguments).get(), receiver);
    }
    case kClassKind: {
      const Value by_metaclass = scripted_special(callable, Special::kCall);
      if (by_metaclass.defined())
        return call(in, by_metaclass, WithFirst(callable, arguments).get(), receiver);
      return construct(in, *callable.as<ClassObject>(), arguments, receiver);
    }
    case kStaticMethodKind:
      return call(in, callable.as<WrappedMethodObject>()->function, arguments, receiver);
    case kCompiledFunctionKind: {
      Ref<CompiledFunctionObject> compiled(callable.as<CompiledFunctionObject>());
      if (!in.region_runner_ || runs_eagerly(*compiled, arguments))
        return call(in, compiled->function, arguments, receiver);
      return native_ended(
          in, receiver,
          in.region_runner_->enter(in, *compiled, {arguments.values, arguments.count},
                                   keywords_of(arguments)));
    }
    default:
      break;
  }
  Value special = callable.is_object() ? class_of(callable)->special(Special::kCall) : Value();
  if (special.is_undefined()) {
    in.raise("TypeError", fmt::format("'{}' object is not callable", type_name(callable)));
    return unwind(in);
  }
  return call(in, special, WithFirst(callable, arguments).get(), receiver);
}

// ---- Classes -----------------------------------------------------------------------------------

/// `Meta(name, bases, names, **keywords)` of a script's metaclass.
static Value new_class(Interpreter& in, ClassObject& metaclass, const Arguments& arguments) {
  Value maker = *in.classes().type->lookup("__new__");
  std::vector<Value> all = {Value(Ref<ClassObject>(&metaclass))};
  all.insert(all.end(), arguments.values, arguments.values + arguments.count);
  return in.call_with_keywords(maker, all, keywords_of(arguments));
}

/// What an exception takes by name: `AttributeError(text, name=, obj=)` and its like; raises for
/// others.
static bool take_keywords(Interpreter& in, ClassObject& cls, ExceptionObject& made,
                          const Arguments& arguments) {
  struct Taken {
    const char* cls;
    std::array<std::string_view, 2> names;
  };
  constexpr Taken kTaken[] = {{"AttributeError", {"name", "obj"}},
                              {"NameError", {"name"}},
                              {"ImportError", {"name", "path"}}};
  auto is_of = [&](const Taken& each) {
    return cls.is_subclass_of(in.classes().exceptions[each.cls].get());
  };
  const auto* taken = std::ranges::find_if(kTaken, is_of);
  if (taken == std::end(kTaken)) {
    in.raise("TypeError", fmt::format("{}() takes no keyword arguments", cls.name->text));
    return false;
  }
  made.attributes = make_dict();
  for (size_t i = 0; i < arguments.keyword_count; ++i) {
    StrObject* name = arguments.names[i];
    if (std::ranges::find(taken->names, name->view()) == taken->names.end()) {
      in.raise("TypeError",
               fmt::format("'{}' is an invalid keyword argument for {}()", name->text, taken->cls));
      return false;
    }
    made.attributes->set(Ref<StrObject>(name), arguments.values[arguments.count + i]);
  }
  // As if it had been sought, so that a name that is near is suggested.
  const Value *name = made.attributes->find("name"), *object = made.attributes->find("obj");
  if (name && object && name->is<StrObject>()) {
    made.sought = Ref<StrObject>(name->as<StrObject>());
    made.sought_in = *object;
  }
  return true;
}

/// An empty object of the class: an instance, an exception, or a builtin object marked as the
/// subclass's. Undefined if it raised.
static Value allocate_instance(Interpreter& in, ClassObject& cls, const Arguments& arguments) {
  if (cls.is_exception)
    return Value(make_exception(in, cls, {arguments.values, arguments.values + arguments.count}));
  // Too many arguments are complained about first.
  bool takes_none = cls.special(Special::kInit).is_undefined();
  bool too_many = takes_none && arguments.count + arguments.keyword_count > 0;
  if (!too_many && !may_be_made(in, cls)) return Value();
  if (cls.instance_kind == kInstanceKind) return Value(InstanceObject::make(&cls));
  if (cls.instance_kind == kClassKind) return new_class(in, cls, arguments);
  ClassObject* native = &cls;
  while (!native->native) native = native->base.get();
  if (native->allocate) {
    Value made = native->allocate(in, &cls);
    if (made.is_object() && !cls.native && class_of(made) != &cls) {
      mark_subclassed(static_cast<Object*>(made.object()), &cls);
    }
    return made;
  }
  if (!native->construct) {
    return in.raise("TypeError", fmt::format("cannot create '{}' instances", cls.name->text));
  }
  Arguments positional{arguments.values, arguments.count};
  Value made = Machine::run_native(in, *native->construct, nullptr, positional);
  if (made.is_undefined()) return made;
  if (made.is(kTensorKind)) {
    return in.raise("TypeError", fmt::format("a subclass of '{}' is not supported: wrap the value "
                                             "in a class of its own instead",
                                             native->name->text));
  }
  if (is_any_number(made)) made = Value(make_ref<NumberObject>(made));
  // Immutable objects may be shared: the subclass needs one of its own.
  if (made.object()->ref_count() > 1) {
    if (auto* text = made.try_as<StrObject>()) made = Value(make_str(text->text));
    if (auto* tuple = made.try_as<TupleObject>()) made = Value(make_tuple(tuple->items));
  }
  mark_subclassed(static_cast<Object*>(made.object()), &cls);
  return made;
}

Frame* Machine::construct(Interpreter& in, ClassObject& cls, const Arguments& arguments,
                          Receiver receiver) {
  Ref<ClassObject> held(&cls);
  if (cls.construct) {
    return native_ended(in, receiver, run_native(in, *cls.construct, nullptr, arguments));
  }
  Value made;
  Value maker = cls.special(Special::kNew);
  bool script_new = maker.defined() && !maker.is<NativeFunctionObject>();
  if (script_new) {
    if (maker.is(kStaticMethodKind)) maker = maker.as<WrappedMethodObject>()->function;
    made = nested(in, maker, WithFirst(Value(&cls), arguments).get());
    if (made.is_undefined()) return unwind(in);
    if (!is_instance(made, &cls)) return deliver(in, receiver, std::move(made));
  } else {
    made = allocate_instance(in, cls, arguments);
    if (made.is_undefined()) return unwind(in);
  }
  Value init = cls.special(Special::kInit);
  if (auto* function = init.try_as<FunctionObject>()) {
    if (!function->prepared) function->prepared = in.prepare(function->code);
    // It writes to the object that it is given: nothing of it could be a region.
    function->prepared->set_compiles_calls(false);
    Receiver waiting{receiver.frame, Continuation::kInit, receiver.result_register};
    Frame* frame = push(in, *function->prepared, function, function->globals.get(), waiting);
    if (!frame) return unwind(in);
    frame->owned = made;
    Borrowed row(arguments.count + arguments.keyword_count + 1);
    row.set(0, made);
    for (size_t i = 0; i < arguments.count + arguments.keyword_count; ++i) {
      row.set(i + 1, arguments.values[i]);
    }
    Arguments with_self{row.begin(), arguments.count + 1, arguments.names, arguments.keyword_count};
    if (!bind(in, *function->prepared, *function, with_self, frame->registers)) {
      pop(in, frame);
      return unwind(in);
    }
    if (in.tracer_) in.tracer_->pushed(*frame);
    return frame;
  }
  if (init.defined() && !cls.is_exception && cls.instance_kind != kInstanceKind) {
    Value none = nested(in, init, WithFirst(made, arguments).get());
    if (none.is_undefined()) return unwind(in);
  } else if (!cls.is_exception && !script_new && cls.instance_kind == kInstanceKind &&
             arguments.count + arguments.keyword_count > 0) {
    in.raise("TypeError", fmt::format("{}() takes no arguments", cls.name->text));
    return unwind(in);
  } else if (cls.is_exception && arguments.keyword_count > 0 &&
             !take_keywords(in, cls, *made.as<ExceptionObject>(), arguments)) {
    return unwind(in);
  }
  return deliver(in, receiver, std::move(made));
}

// ---- The instructions --------------------------------------------------------------------------

/// For `push_init` of the dispatch: a class whose instances only need their `__init__` run.
static void remember_init(Op& op, ClassObject& cls, Interpreter& in) {
  if (cls.native || cls.is_exception || cls.instance_kind != kInstanceKind || cls.construct) return;
  if (!cls.abstract_methods.empty()) return;
  if (scripted_special(Value(Ref<ClassObject>(&cls)), Special::kCall).defined()) return;
  const Value& maker = cls.special(Special::kNew);
  auto* init = cls.special(Special::kInit).try_as<FunctionObject>();
  if (!init || (maker.defined() && !maker.is<NativeFunctionObject>())) return;
  if (!init->prepared) init->prepared = in.prepare(init->code);
  if (!init->prepared->plain) return;
  op.cache_key = cls.version;
  op.cache_pointer = init;
}

Frame* Machine::op_call(Interpreter& in, Frame& frame, Op& op) {
  if (in.raised()) return unwind(in);
  Value* r = frame.registers;
  const Value* k = frame.code->constants.data();
  Value callee = operand(r, k, op.a);
  Value self;
  if (op.b >= 0) self = std::move(r[op.b]);
  Borrowed row(op.tail_count);
  const int32_t* tail = frame.code->operands.data() + op.tail_begin;
  for (size_t i = 0; i < op.tail_count; ++i) row.set(i, operand(r, k, tail[i]));
  StrObject* names[64];
  std::vector<StrObject*> many;
  StrObject** names_at = names;
  if (op.keyword_count > 0) {
    const auto& tuple = operand(r, k, op.keywords).as<TupleObject>()->items;
    if (op.keyword_count > 64) {
      many.resize(op.keyword_count);
      names_at = many.data();
    }
    for (size_t i = 0; i < op.keyword_count; ++i) names_at[i] = tuple[i].as<StrObject>();
  }
  size_t positional = static_cast<size_t>(op.tail_count - op.keyword_count);
  Arguments arguments{row.begin(), positional, names_at, op.keyword_count};
  if (self.defined()) {
    row.set_self(self);
    arguments.values = row.with_self();
    ++arguments.count;
  }
  if (callee.is<ClassObject>()) remember_init(op, *callee.as<ClassObject>(), in);
  Frame* next =
      call(in, callee, arguments, {&frame, Continuation::kStore, static_cast<uint32_t>(op.result)});
  if (in.run_end_ == RunEnd::kStopped && !next && self.defined()) r[op.b] = std::move(self);
  return next;
}

Frame* Machine::op_call_native(Interpreter& in, Frame& frame, Op& op) {
  Value* r = frame.registers;
  const Value* k = frame.code->constants.data();
  auto& native = *operand(r, k, op.a).as<NativeFunctionObject>();
  bool has_self = op.b >= 0 && r[op.b].defined();
  size_t count = op.tail_count + size_t{has_self};
  const NativeSignature& signature = native.signature;
  const auto& parameters = signature.parameters;
  bool fits = signature.complete && count >= signature.required && count <= signature.positional;
  // A method called through its class may get any self: `run_native` asks.
  bool unbound = native.owner && !has_self;
  if (!fits || unbound || in.tracer_ || complex_in_use()) return op_call(in, frame, op);
  Borrowed row(parameters.size());
  if (has_self) row.set(0, r[op.b]);
  const int32_t* tail = frame.code->operands.data() + op.tail_begin;
  for (size_t i = 0; i < op.tail_count; ++i) row.set(i + has_self, operand(r, k, tail[i]));
  for (size_t i = count; i < parameters.size(); ++i) row.set(i, parameters[i].default_value);
  if (native.takes_plain_numbers)
    for (size_t i = 0; i < count; ++i) row.set(i, number_in(row.begin()[i]));
  NativeCall call{in, row.begin(), parameters.size(), &native};
  Value value = native.function(call);
  Receiver receiver{&frame, Continuation::kStore, static_cast<uint32_t>(op.result)};
  if (value.is_undefined()) return native_ended(in, receiver, Value());
  if (has_self) r[op.b] = Value();
  return store(frame, op, std::move(value));
}

Frame* Machine::op_call_compiled(Interpreter& in, Frame& frame, Op& op) {
  Value* r = frame.registers;
  const Value* k = frame.code->constants.data();
  Ref<CompiledFunctionObject> compiled(operand(r, k, op.a).as<CompiledFunctionObject>());
  bool has_self = op.b >= 0 && r[op.b].defined();
  bool runs = compiled->eager_up_to && *compiled->eager_up_to == 0 && in.region_runner_;
  if (has_self || !runs || in.tracer_) return op_call(in, frame, op);
  Borrowed row(op.tail_count);
  const int32_t* tail = frame.code->operands.data() + op.tail_begin;
  for (size_t i = 0; i < op.tail_count; ++i) row.set(i, operand(r, k, tail[i]));
  Value value = in.region_runner_->enter(in, *compiled, {row.begin(), op.tail_count}, {});
  Receiver receiver{&frame, Continuation::kStore, static_cast<uint32_t>(op.result)};
  if (value.is_undefined()) return native_ended(in, receiver, Value());
  return store(frame, op, std::move(value));
}

Frame* Machine::op_call_unpacked(Interpreter& in, Frame& frame, Op& op) {
  Value* r = frame.registers;
  const Value* k = frame.code->constants.data();
  Value callee = operand(r, k, op.a);
  Value positional = operand(r, k, op.b);
  bool by_keyword = op.c != kNoOperand && !operand(r, k, op.c).as<DictObject>()->table.empty();
  if (auto* tuple = positional.try_as<TupleObject>(); tuple && !by_keyword)
    return call(in, callee, {tuple->items.data(), tuple->items.size()},
                {&frame, Continuation::kStore, static_cast<uint32_t>(op.result)});
  std::vector<Value> values;
  if (!collect(in, positional, values)) return unwind(in);
  size_t count = values.size();
  std::vector<StrObject*> names;
  if (by_keyword) {
    const Value& keywords = operand(r, k, op.c);
    for (const auto& entry : keywords.as<DictObject>()->table.entries()) {
      if (entry.key.is_undefined()) continue;
      if (!entry.key.is<StrObject>()) {
        in.raise("TypeError", "keywords must be strings");
        return unwind(in);
      }
      names.push_back(entry.key.as<StrObject>());
      values.push_back(entry.value);
    }
  }
  return call(in, callee, {values.data(), count, names.data(), names.size()},
              {&frame, Continuation::kStore, static_cast<uint32_t>(op.result)});
}

// ---- From C++ ----------------------------------------------------------------------------------

Value Interpreter::call(const Value& callable, std::span<const Value> arguments) {
  return handed_on(tracer_, Machine::nested(*this, callable, {arguments.data(), arguments.size()}));
}

Value Interpreter::call_with_keywords(const Value& callable, std::span<const Value> arguments,
                                      std::span<const std::pair<StrObject*, Value>> keywords) {
  std::vector<Value> values(arguments.begin(), arguments.end());
  std::vector<StrObject*> names;
  for (const auto& [name, value] : keywords) {
    names.push_back(name);
    values.push_back(value);
  }
  return handed_on(tracer_,
                   Machine::nested(*this, callable,
                                   {values.data(), arguments.size(), names.data(), names.size()}));
}

Value Interpreter::call_method(const Value& value, std::string_view name,
                               std::initializer_list<Value> arguments) {
  Value method = get_attribute(*this, value, name);
  if (method.is_undefined()) return method;
  return call(method, arguments);
}

bool Interpreter::bind_arguments(FunctionObject& function, std::span<const Value> positional,
                                 std::span<const std::pair<StrObject*, Value>> keywords,
                                 std::vector<Value>& registers) {
  if (!function.prepared) function.prepared = prepare(function.code);
  std::vector<Value> values(positional.begin(), positional.end());
  std::vector<StrObject*> names;
  for (const auto& [name, value] : keywords) {
    names.push_back(name);
    values.push_back(value);
  }
  registers.assign(function.code->parameters.size(), Value());
  return Machine::bind(*this, *function.prepared, function,
                       {values.data(), positional.size(), names.data(), names.size()},
                       registers.data());
}

}  // namespace glint::runtime
