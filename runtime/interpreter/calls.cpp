// Calls: of script functions, natives, methods, classes and instances; how arguments meet
// parameters.
#include <fmt/format.h>

#include "runtime/interpreter/machine.h"

namespace glint::runtime {

using program::ParameterKind;

// ---- Messages, worded as CPython's -------------------------------------------------------------

static std::string quoted_list(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 < names.size() ? ", " : names.size() > 2 ? ", and " : " and ";
    text += "'" + names[i] + "'";
  }
  return text;
}

static void raise_missing(Interpreter& in, const FunctionObject& function, std::string_view sort,
                          const std::vector<std::string>& names) {
  in.raise("TypeError",
           fmt::format("{}() missing {} required {} argument{}: {}", function.qualified_name->text,
                       names.size(), sort, names.size() == 1 ? "" : "s", quoted_list(names)));
}

static void raise_too_many(Interpreter& in, FunctionCode& code, FunctionObject& function,
                           size_t given, const Value* registers) {
  size_t defaults = function.defaults.size();
  std::string takes =
      defaults > 0 ? fmt::format("from {} to {}", code.positional - defaults, code.positional)
                   : fmt::format("{}", code.positional);
  bool plural = defaults > 0 || code.positional != 1;
  size_t keyword_only = 0;
  const auto& parameters = code.program->parameters;
  for (size_t i = 0; i < parameters.size(); ++i) {
    keyword_only += parameters[i].kind == ParameterKind::kKeywordOnly && registers[i].defined();
  }
  std::string were =
      keyword_only == 0
          ? fmt::format("{} {}", given, given == 1 ? "was" : "were")
          : fmt::format(
                "{} positional argument{} (and {} keyword-only argument{}) "
                "were",
                given, given == 1 ? "" : "s", keyword_only, keyword_only == 1 ? "" : "s");
  in.raise("TypeError", fmt::format("{}() takes {} positional argument{} but {} given",
                                    function.qualified_name->text, takes, plural ? "s" : "", were));
}

// ---- Binding -----------------------------------------------------------------------------------

/// Where a keyword argument goes: a parameter's index, -1 if none has that name.
static int find_parameter(const FunctionCode& code, const StrObject* name) {
  const auto& parameters = code.program->parameters;
  for (size_t i = 0; i < parameters.size(); ++i) {
    bool by_name = parameters[i].kind == ParameterKind::kPositional ||
                   parameters[i].kind == ParameterKind::kKeywordOnly;
    if (by_name && (code.parameter_names[i].get() == name || parameters[i].name == name->text)) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

/// The keywords that name positional-only parameters, joined: what CPython's message lists.
static std::string positional_only_names(const FunctionCode& code, const Arguments& arguments) {
  std::string names;
  for (const auto& parameter : code.program->parameters) {
    if (parameter.kind != ParameterKind::kPositionalOnly) continue;
    for (size_t i = 0; i < arguments.keyword_count; ++i) {
      if (arguments.names[i]->text != parameter.name) continue;
      names += (names.empty() ? "" : ", ") + parameter.name;
    }
  }
  return names;
}

static bool bind_keywords(Interpreter& in, FunctionCode& code, const FunctionObject& function,
                          const Arguments& arguments, Value* registers, DictObject* rest) {
  const auto& name = function.qualified_name->text;
  for (size_t i = 0; i < arguments.keyword_count; ++i) {
    StrObject* key = arguments.names[i];
    const Value& value = arguments.values[arguments.count + i];
    int parameter = find_parameter(code, key);
    if (parameter >= 0) {
      if (registers[parameter].defined()) {
        in.raise("TypeError",
                 fmt::format("{}() got multiple values for argument '{}'", name, key->text));
        return false;
      }
      registers[parameter] = value;
    } else if (rest) {
      rest->set(Ref<StrObject>(key), value);
    } else {
      if (std::string misplaced = positional_only_names(code, arguments); !misplaced.empty()) {
        in.raise("TypeError",
                 fmt::format("{}() got some positional-only arguments passed as keyword "
                             "arguments: '{}'",
                             name, misplaced));
        return false;
      }
      in.raise("TypeError",
               fmt::format("{}() got an unexpected keyword argument '{}'", name, key->text));
      return false;
    }
  }
  return true;
}

static bool fill_defaults(Interpreter& in, FunctionCode& code, FunctionObject& function,
                          Value* registers) {
  std::vector<std::string> missing;
  size_t first_default =
      code.positional - std::min<size_t>(code.positional, function.defaults.size());
  for (size_t i = 0; i < code.positional; ++i) {
    if (registers[i].defined()) continue;
    if (i >= first_default) {
      registers[i] = function.defaults[i - first_default];
    } else {
      missing.push_back(code.program->parameters[i].name);
    }
  }
  if (!missing.empty()) {
    raise_missing(in, function, "positional", missing);
    return false;
  }
  if (code.keyword_only == 0) return true;
  const auto& parameters = code.program->parameters;
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].kind != ParameterKind::kKeywordOnly || registers[i].defined()) continue;
    Value* value = function.keyword_defaults
                       ? function.keyword_defaults->find(code.parameter_names[i].get())
                       : nullptr;
    if (value) {
      registers[i] = *value;
    } else {
      missing.push_back(parameters[i].name);
    }
  }
  if (missing.empty()) return true;
  raise_missing(in, function, "keyword-only", missing);
  return false;
}

bool Machine::bind(Interpreter& in, FunctionCode& code, FunctionObject& function,
                   const Arguments& arguments, Value* registers) {
  size_t positional = std::min<size_t>(arguments.count, code.positional);
  for (size_t i = 0; i < positional; ++i) registers[i] = arguments.values[i];
  if (code.star_args >= 0) {
    std::vector<Value> rest(arguments.values + positional, arguments.values + arguments.count);
    registers[code.star_args] = Value(make_tuple(std::move(rest)));
  }
  Ref<DictObject> keywords;
  if (code.star_keywords >= 0) {
    keywords = make_dict();
    registers[code.star_keywords] = Value(keywords);
  }
  if (!bind_keywords(in, code, function, arguments, registers, keywords.get())) return false;
  if (arguments.count > code.positional && code.star_args < 0) {
    raise_too_many(in, code, function, arguments.count, registers);
    return false;
  }
  return fill_defaults(in, code, function, registers);
}

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
  if (attention.load(std::memory_order_relaxed) & kAttendInterrupt) {
    attention.fetch_and(~kAttendInterrupt);
    in.raise("KeyboardInterrupt", "");
    return unwind(in);
  }
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

// ---- Natives -----------------------------------------------------------------------------------

static std::string native_name(const NativeFunctionObject& native) {
  if (native.owner) return native.owner->name->text + "." + native.signature.name;
  return native.signature.name;
}

static void raise_native_count(Interpreter& in, NativeFunctionObject& native, size_t given) {
  const NativeSignature& signature = native.signature;
  size_t self = native.owner ? 1 : 0;
  size_t most = signature.positional - self;
  size_t least = signature.required > self ? signature.required - self : 0;
  given = given > self ? given - self : 0;
  std::string text;
  bool named = false;
  for (const auto& parameter : signature.parameters) {
    named |= parameter.kind == ParameterKind::kPositional;
  }
  if (least == most && most <= 1) {
    text = fmt::format("{}() takes {} ({} given)", native_name(native),
                       most == 0 ? "no arguments" : "exactly one argument", given);
  } else if (named) {
    text = fmt::format("{}() takes at most {} argument{} ({} given)", signature.name, most,
                       most == 1 ? "" : "s", given);
  } else {
    size_t limit = given > most ? most : least;
    std::string_view bound = least == most ? "" : given > most ? "at most " : "at least ";
    text = fmt::format("{} expected {}{} argument{}, got {}", signature.name, bound, limit,
                       limit == 1 ? "" : "s", given);
  }
  in.raise("TypeError", std::move(text));
}

/// The general case: keywords, defaults, `*args`, `**kwargs`.
static bool bind_native(Interpreter& in, NativeFunctionObject& native, const Value* self,
                        const Arguments& arguments, std::vector<Value>& bound) {
  const NativeSignature& signature = native.signature;
  size_t offset = self ? 1 : 0;
  size_t given = arguments.count + offset;
  auto argument = [&](size_t i) -> const Value& {
    return i < offset ? *self : arguments.values[i - offset];
  };
  bound.assign(signature.parameters.size(), Value());
  int star = -1, keywords = -1;
  size_t next = 0;
  for (size_t i = 0; i < signature.parameters.size(); ++i) {
    ParameterKind kind = signature.parameters[i].kind;
    if (kind == ParameterKind::kStarArgs) star = static_cast<int>(i);
    if (kind == ParameterKind::kStarKeywords) keywords = static_cast<int>(i);
    bool positional = kind == ParameterKind::kPositional || kind == ParameterKind::kPositionalOnly;
    if (positional && next < given) bound[i] = argument(next++);
  }
  if (star >= 0) {
    std::vector<Value> rest;
    while (next < given) rest.push_back(argument(next++));
    bound[static_cast<size_t>(star)] = Value(make_tuple(std::move(rest)));
  } else if (next < given) {
    raise_native_count(in, native, given);
    return false;
  }
  Ref<DictObject> extra;
  if (keywords >= 0) {
    extra = make_dict();
    bound[static_cast<size_t>(keywords)] = Value(extra);
  }
  for (size_t i = 0; i < arguments.keyword_count; ++i) {
    StrObject* key = arguments.names[i];
    size_t at = 0;
    for (; at < signature.parameters.size(); ++at) {
      const NativeParameter& parameter = signature.parameters[at];
      bool by_name = parameter.kind == ParameterKind::kPositional ||
                     parameter.kind == ParameterKind::kKeywordOnly;
      if (by_name && parameter.name == key->text) break;
    }
    const Value& value = arguments.values[arguments.count + i];
    if (at < signature.parameters.size()) {
      if (bound[at].defined()) {
        in.raise("TypeError",
                 fmt::format("argument for {}() given by name ('{}') and position ({})",
                             signature.name, key->text, at + 1 - offset));
        return false;
      }
      bound[at] = value;
    } else if (extra) {
      extra->set(Ref<StrObject>(key), value);
    } else if (signature.parameters.size() - (native.owner ? 1 : 0) == 0 || signature.simple_only) {
      in.raise("TypeError", fmt::format("{}() takes no keyword arguments", native_name(native)));
      return false;
    } else {
      in.raise("TypeError", fmt::format("'{}' is an invalid keyword argument for {}()", key->text,
                                        signature.name));
      return false;
    }
  }
  for (size_t i = 0; i < bound.size(); ++i) {
    if (bound[i].defined()) continue;
    const NativeParameter& parameter = signature.parameters[i];
    if (parameter.has_default) {
      bound[i] = parameter.default_value;
    } else if (parameter.kind == ParameterKind::kPositionalOnly) {
      raise_native_count(in, native, given);
      return false;
    } else {
      in.raise("TypeError",
               fmt::format("{}() missing required argument '{}' (pos {})", signature.name,
                           parameter.name, i + 1 - (native.owner ? 1 : 0)));
      return false;
    }
  }
  return true;
}

static Value invoke(Interpreter& in, NativeFunctionObject& native, const Value* values,
                    size_t count) {
  if (in.tracer() && !in.tracer()->entering_native(native, values, count)) {
    if (!in.raised()) Machine::request_stop(in);
    return Value();
  }
  NativeCall call{in, values, count, &native};
  return native.function(call);
}

Value Machine::run_native(Interpreter& in, NativeFunctionObject& native, const Value* self,
                          const Arguments& arguments) {
  const NativeSignature& signature = native.signature;
  size_t wanted = signature.parameters.size();
  size_t given = arguments.count + (self ? 1 : 0);
  if (signature.simple && arguments.keyword_count == 0 && given >= signature.required &&
      given <= wanted) {
    if (given == wanted && !self) return invoke(in, native, arguments.values, wanted);
    Borrowed row(wanted);
    size_t at = 0;
    if (self) row.set(at++, *self);
    for (size_t i = 0; i < arguments.count; ++i) row.set(at++, arguments.values[i]);
    for (; at < wanted; ++at) row.set(at, signature.parameters[at].default_value);
    return invoke(in, native, row.begin(), wanted);
  }
  std::vector<Value> bound;
  if (!bind_native(in, native, self, arguments, bound)) return Value();
  return invoke(in, native, bound.data(), bound.size());
}

// ---- Any callable ------------------------------------------------------------------------------

/// The same arguments with one more in front, owned.
static std::vector<Value> with_first(const Value& first, const Arguments& arguments) {
  std::vector<Value> values;
  values.reserve(arguments.count + arguments.keyword_count + 1);
  values.push_back(first);
  values.insert(values.end(), arguments.values,
                arguments.values + arguments.count + arguments.keyword_count);
  return values;
}

/// Whether compiling does not pay for a call with tensors as small as these.
static bool runs_eagerly(const CompiledFunctionObject& compiled, const Arguments& arguments) {
  if (!compiled.eager_up_to || *compiled.eager_up_to == 0) return false;
  for (size_t i = 0; i < arguments.count + arguments.keyword_count; ++i) {
    const Value& value = arguments.values[i];
    if (value.is(kTensorKind) && value.as<TensorImpl>()->numel > *compiled.eager_up_to) return false;
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
      std::vector<Value> values = with_first(bound->self, arguments);
      return call(in, bound->function,
                  {values.data(), arguments.count + 1, arguments.names, arguments.keyword_count},
                  receiver);
    }
    case kClassKind:
      return construct(in, *callable.as<ClassObject>(), arguments, receiver);
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
  std::vector<Value> values = with_first(callable, arguments);
  return call(in, special,
              {values.data(), arguments.count + 1, arguments.names, arguments.keyword_count},
              receiver);
}

Frame* Machine::call_special(Interpreter& in, const Value& method, const Value* arguments,
                             size_t count, Receiver receiver) {
  return call(in, method, {arguments, count}, receiver);
}

// ---- Classes -----------------------------------------------------------------------------------

/// An empty object of the class: an instance, an exception, or a builtin object marked as the
/// subclass's. Undefined if it raised.
static Value allocate_instance(Interpreter& in, ClassObject& cls, const Arguments& arguments) {
  if (cls.is_exception) {
    auto exception = make_ref<ExceptionObject>(&cls);
    exception->args =
        make_tuple(std::vector<Value>(arguments.values, arguments.values + arguments.count));
    return Value(std::move(exception));
  }
  if (cls.instance_kind == kInstanceKind) return Value(InstanceObject::make(&cls));
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
  if (!made.is_object() || made.is(kTensorKind)) {
    return in.raise("TypeError", fmt::format("a subclass of '{}' is not supported: wrap the value "
                                             "in a class of its own instead",
                                             native->name->text));
  }
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
    std::vector<Value> values = with_first(Value(&cls), arguments);
    made = nested(in, maker,
                  {values.data(), arguments.count + 1, arguments.names, arguments.keyword_count});
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
    std::vector<Value> values = with_first(made, arguments);
    Value none = nested(
        in, init, {values.data(), arguments.count + 1, arguments.names, arguments.keyword_count});
    if (none.is_undefined()) return unwind(in);
  } else if (!cls.is_exception && !script_new && cls.instance_kind == kInstanceKind &&
             arguments.count + arguments.keyword_count > 0) {
    in.raise("TypeError", fmt::format("{}() takes no arguments", cls.name->text));
    return unwind(in);
  } else if (cls.is_exception && arguments.keyword_count > 0) {
    in.raise("TypeError", fmt::format("{}() takes no keyword arguments", cls.name->text));
    return unwind(in);
  }
  return deliver(in, receiver, std::move(made));
}

// ---- The instructions --------------------------------------------------------------------------

/// For `push_init` of the dispatch: a class whose instances only need their `__init__` run.
static void remember_init(Op& op, ClassObject& cls, Interpreter& in) {
  if (cls.native || cls.is_exception || cls.instance_kind != kInstanceKind || cls.construct) return;
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
  if (!native.signature.simple || count != native.signature.parameters.size() || in.tracer_)
    return op_call(in, frame, op);
  Borrowed row(count);
  if (has_self) row.set(0, r[op.b]);
  const int32_t* tail = frame.code->operands.data() + op.tail_begin;
  for (size_t i = 0; i < op.tail_count; ++i) row.set(i + has_self, operand(r, k, tail[i]));
  NativeCall call{in, row.begin(), count, &native};
  Value value = native.function(call);
  Receiver receiver{&frame, Continuation::kStore, static_cast<uint32_t>(op.result)};
  if (value.is_undefined()) return native_ended(in, receiver, Value());
  if (has_self) r[op.b] = Value();
  return store(frame, op, std::move(value));
}

Frame* Machine::op_call_unpacked(Interpreter& in, Frame& frame, Op& op) {
  Value* r = frame.registers;
  const Value* k = frame.code->constants.data();
  Value callee = operand(r, k, op.a);
  Value positional = operand(r, k, op.b);
  std::vector<Value> values;
  if (!collect(in, positional, values)) return unwind(in);
  size_t count = values.size();
  std::vector<StrObject*> names;
  if (op.c != kNoOperand) {
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
  return Machine::nested(*this, callable, {arguments.data(), arguments.size()});
}

Value Interpreter::call_with_keywords(const Value& callable, std::span<const Value> arguments,
                                      std::span<const std::pair<StrObject*, Value>> keywords) {
  std::vector<Value> values(arguments.begin(), arguments.end());
  std::vector<StrObject*> names;
  for (const auto& [name, value] : keywords) {
    names.push_back(name);
    values.push_back(value);
  }
  return Machine::nested(*this, callable,
                         {values.data(), arguments.size(), names.data(), names.size()});
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
