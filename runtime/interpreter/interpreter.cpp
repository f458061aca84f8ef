#include "runtime/interpreter/interpreter.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "runtime/interpreter/left_out.h"
#include "runtime/interpreter/machine.h"

namespace glint::runtime {

Interpreter* Interpreter::current_ = nullptr;

namespace {

constexpr size_t kStackBytes = size_t{256} << 20;  // reserved; touched only as calls go deep

/// Writes to the process's descriptors. A stream that is closed (`>&-`) is written to in vain, as
/// in CPython.
struct PlainOutput final : OutputSink {
  ~PlainOutput() override { std::fflush(stdout); }
  int write_out(std::string_view text) override {
    // Of a terminal, what did not leave the buffer counts as written: only the stream's state
    // tells.
    const bool taken = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
    return taken && std::ferror(stdout) == 0 ? 0 : problem(stdout);
  }
  int write_error(std::string_view text) override {
    flush();
    const bool is_taken = std::fwrite(text.data(), 1, text.size(), stderr) == text.size();
    return is_taken ? 0 : problem(stderr);  // no `lost_`: as of CPython, the exit code says nothing
  }
  int flush() override {
    if (std::fflush(stdout) == 0) return 0;
    int code = problem(stdout);
    if (code != 0) lost_ = code;
    return code;
  }
  int lost() const override { return lost_; }
  std::string read_line() override {
    std::string line;
    for (;;) {
      errno = 0;
      int c = std::getc(stdin);
      if (c != EOF) line += static_cast<char>(c);
      if (c == '\n') break;
      if (c != EOF) continue;
      // Ctrl-D ends one reading of a terminal, not all. A signal ends none but Ctrl-C's, whose
      // exception the caller raises.
      bool by_signal = errno == EINTR && !std::feof(stdin);
      std::clearerr(stdin);
      if (!by_signal || attention.load(std::memory_order_relaxed) & kAttendInterrupt) break;
    }
    return line;
  }

 private:
  static int problem(std::FILE* stream) {
    const int code = errno;
    std::clearerr(stream);
    return code == EBADF ? 0 : code;
  }

  int lost_ = 0;
};

/// A builtin class, and the kind of its objects if they are all of one.
struct ClassRow {
  Ref<ClassObject> BuiltinClasses::* member;
  std::string_view name;
  ObjectKind kind;
};
constexpr ClassRow kClasses[] = {
    {&BuiltinClasses::type, "type", kClassKind},
    {&BuiltinClasses::none, "NoneType", kOpaqueKind},
    {&BuiltinClasses::integer, "int", kBigIntKind},
    {&BuiltinClasses::floating, "float", kOpaqueKind},
    {&BuiltinClasses::complex, "complex", kComplexKind},
    {&BuiltinClasses::str, "str", kStrKind},
    {&BuiltinClasses::bytes, "bytes", kBytesKind},
    {&BuiltinClasses::list, "list", kListKind},
    {&BuiltinClasses::tuple, "tuple", kTupleKind},
    {&BuiltinClasses::dict, "dict", kDictKind},
    {&BuiltinClasses::set, "set", kSetKind},
    {&BuiltinClasses::frozenset, "frozenset", kFrozenSetKind},
    {&BuiltinClasses::range, "range", kRangeKind},
    {&BuiltinClasses::slice, "slice", kSliceKind},
    {&BuiltinClasses::function, "function", kFunctionKind},
    {&BuiltinClasses::method, "method", kBoundMethodKind},
    {&BuiltinClasses::native_function, "builtin_function_or_method", kNativeFunctionKind},
    {&BuiltinClasses::module, "module", kModuleKind},
    {&BuiltinClasses::cell, "cell", kCellKind},
    {&BuiltinClasses::generator, "generator", kGeneratorKind},
    {&BuiltinClasses::property, "property", kPropertyKind},
    {&BuiltinClasses::static_method, "staticmethod", kStaticMethodKind},
    {&BuiltinClasses::class_method, "classmethod", kClassMethodKind},
    {&BuiltinClasses::super, "super", kSuperKind},
    {&BuiltinClasses::dtype, "dtype", kDTypeKind},
    {&BuiltinClasses::device, "device", kDeviceKind},
    {&BuiltinClasses::tensor, "Tensor", kTensorKind},
    {&BuiltinClasses::ellipsis, "ellipsis", kOpaqueKind},
    {&BuiltinClasses::not_implemented, "NotImplementedType", kOpaqueKind},
    {&BuiltinClasses::traceback, "traceback", kTracebackKind},
    {&BuiltinClasses::code, "code", kCodeKind},
    {&BuiltinClasses::compiled_function, "function", kCompiledFunctionKind},
    {&BuiltinClasses::dict_keys, "dict_keys", kDictViewKind},
    {&BuiltinClasses::dict_values, "dict_values", kDictViewKind},
    {&BuiltinClasses::dict_items, "dict_items", kDictViewKind},
};

// ---- Methods of generators ---------------------------------------------------------------------

/// A generator ended in a nested run: StopIteration with its value, unless it raised.
Value ended(Interpreter& in, Value item) {
  if (item.defined() || in.raised()) return item;
  Value value = std::move(Machine::stop_value(in));
  std::vector<Value> arguments;
  if (value.defined() && !value.is_none()) arguments.push_back(std::move(value));
  return in.raise(in.classes().exceptions["StopIteration"], std::move(arguments));
}
Value generator_send(NativeCall& call) {
  auto* generator = call[0].as<GeneratorObject>();
  return ended(call.interpreter,
               Machine::resume_nested(call.interpreter, *generator, Value(call[1])));
}
Value generator_next(NativeCall& call) {
  auto* generator = call[0].as<GeneratorObject>();
  return ended(call.interpreter,
               Machine::resume_nested(call.interpreter, *generator, Value::none()));
}
Value generator_iter(NativeCall& call) {
  return call[0];
}
Value generator_throw(NativeCall& call) {
  Interpreter& in = call.interpreter;
  Value exception = call[1];
  if (exception.is<ClassObject>()) {
    bool with_value = call[2].defined() && !call[2].is_none();
    if (with_value && call[2].is<ExceptionObject>()) {
      exception = call[2];
    } else {
      exception = with_value ? in.call(exception, {call[2]}) : in.call(exception, {});
    }
    if (exception.is_undefined()) return exception;
  }
  if (!exception.is<ExceptionObject>()) {
    return call.raise("TypeError",
                      "exceptions must be classes or instances deriving from BaseException");
  }
  return ended(in, Machine::throw_into(in, *call[0].as<GeneratorObject>(),
                                       Ref<ExceptionObject>(exception.as<ExceptionObject>())));
}
Value generator_close(NativeCall& call) {
  Interpreter& in = call.interpreter;
  auto* generator = call[0].as<GeneratorObject>();
  if (generator->state != GeneratorObject::State::kSuspended) {
    if (generator->state == GeneratorObject::State::kCreated) generator->free_frame();
    return Value::none();
  }
  Value item = Machine::throw_into(in, *generator, in.new_exception_object("GeneratorExit", ""));
  if (item.defined()) return call.raise("RuntimeError", "generator ignored GeneratorExit");
  if (in.raised()) {
    if (!in.pending_is("GeneratorExit") && !in.pending_is("StopIteration")) return Value();
    in.take_pending();
  }
  return Value::none();
}
constexpr Effects kAdvances{.calls_back = true, .advances_iterator = true};
constexpr Effects kGoesOn{.calls_back = true, .advances_iterator = true, .hands_on = true};
constexpr NativeDefinition kGeneratorMethods[] = {
    {"send(self, value, /)", generator_send, kGoesOn, "goes on; the yield gives the value"},
    {"throw(self, type, value=..., traceback=..., /)", generator_throw, kAdvances,
     "goes on with an exception at the yield"},
    {"close(self, /)", generator_close, kAdvances, "ends it by GeneratorExit"},
    {"__next__(self, /)", generator_next, kGoesOn, "goes on to the next yield"},
    {"__iter__(self, /)",
     generator_iter,
     {.pure = true, .reads_value = true, .hands_on = true},
     "the generator itself"},
};

}  // namespace

// ---- Set-up ------------------------------------------------------------------------------------

Interpreter::Interpreter(SourceMap& sources)
    : sources_(sources), plain_output_(std::make_unique<PlainOutput>()) {
  current_ = this;
  output_ = plain_output_.get();
  void* memory = mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  check(memory != MAP_FAILED, "no memory for the stack of frames");
  stack_ = stack_top_ = static_cast<char*>(memory);
  stack_end_ = stack_ + kStackBytes;
  modules_ = make_dict();
  builtins_ = make_dict();
  classes_.object = new_class("object", nullptr, kInstanceKind);
  classes_.of_kind.fill(classes_.object);
  for (const ClassRow& row : kClasses) {
    Ref<ClassObject>& cls = classes_.*row.member;
    cls = new_class(row.name, classes_.object, row.kind);
    if (row.kind != kOpaqueKind) classes_.of_kind[row.kind] = cls;
  }
  classes_.of_kind[kBoundNativeKind] = classes_.native_function;
  classes_.of_kind[kSymIntKind] = classes_.integer;
  classes_.of_kind[kSymFloatKind] = classes_.floating;
  classes_.boolean = new_class("bool", classes_.integer, kOpaqueKind);
  classes_.size = new_class("Size", classes_.tuple, kTupleKind, "torch");
  classes_.tensor->module_name = str_value("torch");
  classes_.parameter = new_class("Parameter", classes_.tensor, kTensorKind, "torch.nn.parameter");
  classes_.dtype->module_name = str_value("torch");
  classes_.device->module_name = str_value("torch");
  add_methods(*classes_.generator, kGeneratorMethods);
  install_builtins(*this);
}

Interpreter::~Interpreter() {
  closing_ = true;
  drop_frames(nullptr);
  pending_ = result_ = sent_ = stop_value_ = Value();
  handled_.clear();
  begun_.reset();
  std::vector<Value> modules;
  for (const auto& entry : modules_->table.entries()) modules.push_back(entry.value);
  modules_->clear();
  for (const Value& value : modules) {
    if (auto* module = value.try_as<ModuleObject>()) module->clear();
  }
  modules.clear();
  collect_cycles();
  builtins_->clear();
  collect_cycles();
  prepared_.clear();
  collect_cycles();
  munmap(stack_, kStackBytes);
  for (const ClassRow& row : kClasses) (classes_.*row.member)->clear();
  for (auto& [name, cls] : classes_.exceptions) cls->clear();
  classes_.object->clear();
}

void Interpreter::set_output(OutputSink* output) {
  output_ = output ? output : plain_output_.get();
}

Ref<ModuleObject> Interpreter::new_module(std::string_view name) {
  auto module = make_ref<ModuleObject>(name);
  module->dict->set("__name__", Value(module->name));
  module->dict->set("__doc__", Value::none());
  module->dict->set("__spec__", Value::none());
  modules_->set(name, Value(module));
  return module;
}

FunctionCode* Interpreter::prepare(const std::shared_ptr<const program::Code>& code) {
  auto& prepared = prepared_[code.get()];
  if (!prepared) {
    prepared = prepare_code(code);
    prepared->set_compiles_calls(compiles_calls_);
  }
  return prepared.get();
}

void Interpreter::set_compiles_calls(bool on) {
  compiles_calls_ = on;
  for (auto& [code, prepared] : prepared_) prepared->set_compiles_calls(on);
}

// ---- Running code ------------------------------------------------------------------------------

bool Interpreter::raise_interrupt() {
  if (!(attention.load(std::memory_order_relaxed) & kAttendInterrupt)) return false;
  attention.fetch_and(~kAttendInterrupt);
  interruption::take_back();
  raise("KeyboardInterrupt", "");
  return true;
}

Value Interpreter::run_code(std::shared_ptr<const program::Code> code, Ref<DictObject> globals,
                            Ref<DictObject> locals) {
  Frame* frame = Machine::push(*this, *prepare(code), nullptr, globals.get(),
                               {frame_, Continuation::kExit, 0});
  if (!frame) return Value();
  frame->owned = Value(std::move(locals));
  if (Machine::run(*this, frame) != RunEnd::kReturned) return Value();
  // Ctrl-C during the last thing that it did.
  Value result = std::move(result_);
  return raise_interrupt() ? Value() : result;
}

Value Interpreter::run_module(ModuleObject& module, std::shared_ptr<const program::Code> code) {
  Ref<DictObject> variables = module.dict;
  if (code->has_doc) variables->set("__doc__", str_value(code->doc));
  return run_code(std::move(code), variables, variables);
}

// ---- Imports -----------------------------------------------------------------------------------

static Value load_module(Interpreter& in, std::string_view name, Importer::Found found) {
  if (auto* problem = std::get_if<SyntaxProblem>(&found)) return in.raise_syntax_error(*problem);
  Ref<ModuleObject> module = in.new_module(name);
  std::string package(name);
  std::shared_ptr<const program::Code> code;
  module->initialising = true;
  if (auto* source = std::get_if<SourceModule>(&found)) {
    code = source->code;
    module->dict->set("__file__", str_value(source->file));
    if (!source->is_package) package = package.substr(0, package.find_last_of('.') + 1);
    if (package.ends_with('.')) package.pop_back();
    module->dict->set("__package__", str_value(package));
  } else {
    auto& native = std::get<NativeModule>(found);
    if (native.is_package) module->dict->set("__package__", str_value(package));
    if (native.fill) native.fill(in, *module);
    if (in.raised()) return Value();
    code = native.code;
  }
  if (code && in.run_module(*module, code).is_undefined()) {
    in.modules().erase(module->name.get());
    return Value();
  }
  module->initialising = false;
  // A module may put another object in its place.
  Value* entry = in.modules().find(module->name.get());
  return entry ? *entry : Value(module);
}

Value Interpreter::import_module(std::string_view name) {
  if (Value* loaded = modules_->find(name)) return *loaded;
  size_t dot = name.rfind('.');
  Value parent;
  if (dot != std::string_view::npos) {
    parent = import_module(name.substr(0, dot));
    if (parent.is_undefined()) return parent;
    if (Value* loaded = modules_->find(name)) return *loaded;
  }
  Importer::Found found = importer_ ? importer_->find(name) : Importer::Found(NoModule{});
  if (std::holds_alternative<NoModule>(found)) {
    if (const NativeModule* native = find_native_module(name)) found = *native;
  }
  if (std::holds_alternative<NoModule>(found)) {
    std::string message = fmt::format("No module named '{}'", name);
    if (parent.defined() && !parent.as<ModuleObject>()->dict->find("__path__")) {
      bool package = parent.as<ModuleObject>()->dict->find("__package__") != nullptr;
      if (!package) {
        message += fmt::format("; '{}' is not a package", name.substr(0, dot));
      }
    }
    return raise("ModuleNotFoundError", message + left_out_hint(name).value_or(""));
  }
  // What the library reads late is no part of a trace that happens to need it first.
  TracerScope untraced(*this, nullptr);
  const auto start = std::chrono::steady_clock::now();
  ++loading_depth_;
  Value module = load_module(*this, name, std::move(found));
  if (--loading_depth_ == 0) loading_time_ += std::chrono::steady_clock::now() - start;
  if (module.defined() && parent.is<ModuleObject>()) {
    parent.as<ModuleObject>()->dict->set(name.substr(dot + 1), module);
  }
  return module;
}

// ---- Registering -------------------------------------------------------------------------------

Ref<ClassObject> Interpreter::new_class(std::string_view name, const Ref<ClassObject>& base,
                                        ObjectKind instance_kind, std::string_view module_name) {
  auto cls = make_ref<ClassObject>();
  cls->name = cls->qualified_name = intern(name);
  cls->module_name = Value(intern(module_name));
  cls->native = true;
  cls->instance_kind = instance_kind;
  cls->base = base;
  cls->order.push_back(cls.get());
  if (base) {
    cls->bases.push_back(base);
    base->subclasses.push_back(cls.get());
    cls->order.insert(cls->order.end(), base->order.begin(), base->order.end());
  }
  return cls;
}

Ref<ClassObject> Interpreter::new_exception(std::string_view name, std::string_view base) {
  Ref<ClassObject> above = base.empty() ? classes_.object : classes_.exceptions[std::string(base)];
  Ref<ClassObject> cls = new_class(name, above, kExceptionKind);
  cls->is_exception = true;
  return cls;
}

void Interpreter::add_builtin(const NativeDefinition& definition) {
  Ref<NativeFunctionObject> native = make_native(definition);
  native->module_name = "builtins";
  builtins_->set(native->signature.name, Value(native));
}
void Interpreter::add_function(ModuleObject& module, const NativeDefinition& definition) {
  Ref<NativeFunctionObject> native = make_native(definition);
  native->module_name = module.name->text;
  module.dict->set(native->signature.name, Value(native));
}
void Interpreter::add_functions(ModuleObject& module,
                                std::span<const NativeDefinition> definitions) {
  for (const NativeDefinition& definition : definitions) add_function(module, definition);
}
void Interpreter::add_methods(ClassObject& cls, std::span<const NativeDefinition> definitions) {
  for (const NativeDefinition& definition : definitions) {
    Ref<NativeFunctionObject> native = make_native(definition);
    native->owner = &cls;
    cls.dict->set(native->signature.name, Value(native));
  }
  cls.changed();
}
void Interpreter::add_property(ClassObject& cls, const NativeDefinition& getter,
                               const NativeDefinition* setter, const NativeDefinition* deleter) {
  auto property = make_ref<PropertyObject>();
  Ref<NativeFunctionObject> get = make_native(getter);
  get->owner = &cls;
  property->getter = Value(get);
  property->setter = setter ? Value(make_native(*setter)) : Value::none();
  property->deleter = deleter ? Value(make_native(*deleter)) : Value::none();
  property->doc = str_value(std::string(getter.doc));
  cls.dict->set(get->signature.name, Value(property));
  cls.changed();
}

// ---- Capture's view ----------------------------------------------------------------------------

void Interpreter::set_tracer(Tracer* tracer) {
  tracer_ = tracer;
  // Receivers that wait for their call become bound methods, which is what a trace sees.
  for (Frame* frame = frame_; frame; frame = frame->caller) {
    if (!frame->code) continue;
    size_t index = Machine::frame_index(*frame);
    if (tracer && !frame->traced) {
      for (const MethodPair& pair : frame->code->methods) {
        // Pairs whose callee lies in the same register share the receiver's, too.
        if (index <= pair.method_pc || index > pair.call_pc) continue;
        Value self = std::move(frame->registers[pair.self]);
        if (!self.defined()) continue;
        Value& callee = frame->registers[pair.callee];
        callee = Value(make_ref<BoundMethodObject>(std::move(self), callee));
      }
    }
    frame->traced = tracer != nullptr;
    frame->pc = frame->code->code(frame->traced) + index;
    if (frame->then == Continuation::kExit) break;
  }
}

Frame* Interpreter::push_frame(FunctionObject& function, std::span<const Value> registers) {
  if (!function.prepared) function.prepared = prepare(function.code);
  Frame* frame = Machine::push(*this, *function.prepared, &function, function.globals.get(),
                               {frame_, Continuation::kExit, 0});
  if (!frame) return nullptr;
  for (size_t i = 0; i < registers.size(); ++i) frame->registers[i] = registers[i];
  if (tracer_) tracer_->pushed(*frame);
  return frame;
}

RunEnd Interpreter::run_frames(Frame* base, Value& result) {
  if (base) base->then = Continuation::kExit;
  RunEnd end = Machine::run(*this, frame_);
  if (end == RunEnd::kReturned) result = std::move(result_);
  // A native that was stopped half-way begins again with the instruction that called it.
  while (end == RunEnd::kStopped && frame_ && !frame_->code) Machine::pop(*this, frame_);
  return end;
}

std::vector<FrameSnapshot> Interpreter::snapshot(Frame* base) const {
  std::vector<FrameSnapshot> list;
  for (Frame* frame = frame_; frame; frame = frame->caller) {
    FrameSnapshot one;
    if (frame->function) one.function = Ref<FunctionObject>(frame->function);
    one.pc = frame->position();
    one.owned = frame->owned;
    one.result_register = frame->result_register;
    one.then = frame->then;
    if (frame->code) {
      one.registers.assign(frame->registers, frame->registers + frame->code->register_count);
      one.cells.assign(frame->cells, frame->cells + frame->code->cell_count);
    }
    list.insert(list.begin(), std::move(one));
    if (frame == base) break;
  }
  return list;
}

Frame* Interpreter::restore(std::span<const FrameSnapshot> frames) {
  Frame* base = nullptr;
  for (const FrameSnapshot& one : frames) {
    FunctionObject& function = *one.function;
    if (!function.prepared) function.prepared = prepare(function.code);
    Frame* frame = Machine::push(*this, *function.prepared, &function, function.globals.get(),
                                 {frame_, one.then, one.result_register});
    if (!frame) {
      if (base) drop_frames(base);
      return nullptr;
    }
    if (!base) {
      base = frame;
      frame->then = Continuation::kExit;
    }
    for (size_t i = 0; i < one.registers.size() && i < frame->code->register_count; ++i) {
      frame->registers[i] = one.registers[i];
    }
    for (size_t i = 0; i < one.cells.size() && i < frame->code->cell_count; ++i) {
      frame->cells[i] = one.cells[i];
    }
    frame->owned = one.owned;
    jump_to(*frame, one.pc);
  }
  return base;
}

void Interpreter::drop_frames(Frame* base) {
  while (frame_) {
    Frame* frame = frame_;
    Machine::pop(*this, frame);
    if (frame == base) break;
  }
}

void Interpreter::jump_to(Frame& frame, uint32_t pc) {
  frame.pc = frame.code->code(frame.traced) + pc;
}

}  // namespace glint::runtime
