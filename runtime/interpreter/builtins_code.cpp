// Code and names at run time: exec, eval, compile, globals, locals, vars, dir.
#include <algorithm>
#include <set>

#include "runtime/interpreter/builtins.h"
#include "runtime/interpreter/tensor_attributes.h"

namespace glint::runtime {
namespace {

/// The code of a text or of a code object; null if it raised.
std::shared_ptr<const program::Code> code_of(NativeCall& call, const Value& source,
                                             std::string_view file, CompileMode mode) {
  if (auto* code = source.try_as<CodeObject>()) return code->code;
  std::string text;
  if (auto* bytes = source.try_as<BytesObject>())
    text = bytes->data;
  else if (is_str(source))
    text = view_of(source);
  else {
    call.raise("TypeError", fmt::format("{}() arg 1 must be a string, bytes or code object",
                                        call.function->signature.name));
    return nullptr;
  }
  Importer* importer = call.interpreter.importer();
  if (!importer) {
    call.raise("RuntimeError", "no front end to compile source text");
    return nullptr;
  }
  if (mode == CompileMode::kEval) {
    size_t first = text.find_first_not_of(" \t");
    if (first != std::string::npos) text.erase(0, first);
  }
  Compiled compiled = importer->compile(text, file, mode);
  if (auto* problem = std::get_if<SyntaxProblem>(&compiled)) {
    call.interpreter.raise_syntax_error(*problem);
    return nullptr;
  }
  return std::get<std::shared_ptr<const program::Code>>(compiled);
}

/// The variables of the frame that called the native.
Ref<DictObject> current_globals(Interpreter& in) {
  for (Frame* frame = in.top_frame(); frame; frame = frame->caller)
    if (frame->code && frame->globals) return Ref<DictObject>(frame->globals);
  return make_dict();
}

/// The local variables: a module's or class body's own dict, a function's as a new one.
Ref<DictObject> current_locals(Interpreter& in) {
  Frame* frame = in.top_frame();
  while (frame && !frame->code) frame = frame->caller;
  if (!frame) return make_dict();
  const program::Code& code = frame->program();
  if (code.kind == program::CodeKind::kModule) {
    if (auto* names = frame->owned.try_as<DictObject>()) return Ref<DictObject>(names);
    return Ref<DictObject>(frame->globals);
  }
  if (code.kind == program::CodeKind::kClassBody)
    if (auto* names = frame->owned.try_as<DictObject>()) return Ref<DictObject>(names);
  Ref<DictObject> locals = make_dict();
  for (size_t i = 0; i < code.local_names.size(); ++i)
    if (frame->registers[i].defined()) locals->set(code.local_names[i], frame->registers[i]);
  for (size_t i = 0; i < code.cells.size(); ++i)
    if (frame->cells && frame->cells[i] && frame->cells[i]->value.defined())
      locals->set(code.cells[i].name, frame->cells[i]->value);
  return locals;
}

Value run(NativeCall& call, CompileMode mode) {
  Interpreter& in = call.interpreter;
  auto code = code_of(call, call[0], "<string>", mode);
  if (!code) return Value();
  if (!call[1].is_none() && !call[1].is<DictObject>())
    return call.raise("TypeError", fmt::format("{}() globals must be a dict, not {}",
                                               call.function->signature.name, type_name(call[1])));
  bool own = call[1].is_none();
  Ref<DictObject> globals = own ? current_globals(in) : Ref<DictObject>(call[1].as<DictObject>());
  Ref<DictObject> locals = globals;
  if (auto* names = call[2].try_as<DictObject>())
    locals = Ref<DictObject>(names);
  else if (own)
    locals = current_locals(in);
  return in.run_code(std::move(code), std::move(globals), std::move(locals));
}

Value native_exec(NativeCall& call) {
  return run(call, CompileMode::kExec).is_undefined() ? Value() : Value::none();
}
Value native_eval(NativeCall& call) {
  return run(call, CompileMode::kEval);
}

Value native_compile(NativeCall& call) {
  std::string_view file, mode;
  if (!text_argument(call, 1, file) || !text_argument(call, 2, mode)) return Value();
  CompileMode how = mode == "eval"     ? CompileMode::kEval
                    : mode == "single" ? CompileMode::kSingle
                                       : CompileMode::kExec;
  auto code = code_of(call, call[0], file, how);
  return code ? Value(make_ref<CodeObject>(std::move(code))) : Value();
}

Value native_globals(NativeCall& call) {
  return Value(current_globals(call.interpreter));
}
Value native_locals(NativeCall& call) {
  return Value(current_locals(call.interpreter));
}

Value native_vars(NativeCall& call) {
  if (!given(call[0])) return Value(current_locals(call.interpreter));
  Value dict = find_attribute(call.interpreter, call[0], intern("__dict__"));
  if (dict.defined() || call.interpreter.raised()) return dict;
  return call.raise("TypeError", "vars() argument must have __dict__ attribute");
}

void add_names(const DictObject& dict, std::set<std::string>& names) {
  for (const auto& entry : dict.table.entries())
    if (is_str(entry.key)) names.emplace(view_of(entry.key));
}

Value native_dir(NativeCall& call) {
  Interpreter& in = call.interpreter;
  std::set<std::string> names;
  if (!given(call[0])) {
    add_names(*current_locals(in), names);
  } else {
    const Value& value = call[0];
    // A class's own is for its objects.
    const bool is_asked = !value.is<ClassObject>() || class_of(value)->lookup("__dir__");
    Value own = is_asked ? find_attribute(in, value, intern("__dir__")) : Value();
    if (own.defined() && !own.is<BoundNativeObject>()) {
      Value listed = in.call(own, {});
      std::vector<Value> items;
      if (listed.is_undefined() || !collect(in, listed, items)) return Value();
      for (const Value& item : items)
        if (is_str(item)) names.emplace(view_of(item));
    } else {
      if (in.raised()) in.take_pending();
      if (auto* module = value.try_as<ModuleObject>()) add_names(*module->dict, names);
      ClassObject* cls = value.is<ClassObject>() ? value.as<ClassObject>() : class_of(value);
      if (!value.is<ModuleObject>())
        for (ClassObject* base : cls->order) add_names(*base->dict, names);
      if (value.is<FunctionObject>() || value.is<CompiledFunctionObject>())
        names.insert({"__annotations__", "__closure__", "__code__", "__defaults__", "__dict__",
                      "__doc__", "__globals__", "__kwdefaults__", "__module__", "__name__",
                      "__qualname__"});
      if (auto* function = value.try_as<FunctionObject>(); function && function->attributes)
        add_names(*function->attributes, names);
      DictObject* of_tensor = value.is(kTensorKind) ? own_attributes(value, false) : nullptr;
      if (of_tensor) add_names(*of_tensor, names);
      if (auto* instance = value.try_as<InstanceObject>())
        for (const auto& [name, attribute] : instance->attributes()) names.emplace(name->view());
    }
  }
  std::vector<Value> items;
  for (const std::string& name : names) items.push_back(str_value(name));
  return Value(make_list(std::move(items)));
}

/// The package at the top, as `import a.b` binds it, unless names are wanted of the module itself.
Value native_import(NativeCall& call) {
  if (!is_str(call[0])) return call.raise("TypeError", "module name must be a string");
  std::string name(view_of(call[0]));
  Value module = call.interpreter.import_module(name);
  int wants_names = module.defined() ? truth(call.interpreter, call[3]) : -1;
  if (wants_names < 0) return Value();
  return wants_names ? module : call.interpreter.import_module(name.substr(0, name.find('.')));
}

/// `types.ModuleType("settings")`: a module that no import knows of, to run code in.
Value construct_module(NativeCall& call) {
  if (!is_str(call[0]))
    return call.raise("TypeError", fmt::format("module() argument 'name' must be str, not {}",
                                               type_name(call[0])));
  auto module = make_ref<ModuleObject>(view_of(call[0]));
  module->dict->set("__name__", call[0]);
  module->dict->set("__doc__", call[1]);
  for (std::string_view name : {"__package__", "__loader__", "__spec__"})
    module->dict->set(name, Value::none());
  return Value(module);
}

constexpr NativeDefinition kFunctions[] = {
    {"__import__(name, globals=None, locals=None, fromlist=(), level=0)", native_import, kImpure,
     "the module of that name"},
    {"exec(source, globals=None, locals=None, /)", native_exec, kImpure, "runs source text"},
    {"eval(source, globals=None, locals=None, /)", native_eval, kImpure,
     "the value of an expression given as text"},
    {"compile(source, filename, mode, flags=0, dont_inherit=False, optimize=-1)", native_compile,
     kImpure, "source text as a code object"},
    {"globals()", native_globals, kImpure, "the variables of the module"},
    {"locals()", native_locals, kImpure, "the variables of the function"},
    {"vars(object=..., /)",
     native_vars,
     {.impure = true, .query = AttributeQuery::kDict},
     "the attributes of an object as a dict"},
    {"dir(object=..., /)",
     native_dir,
     {.impure = true, .query = AttributeQuery::kNames},
     "the names of an object's attributes"},
};

}  // namespace

void install_code(Interpreter& in) {
  for (const NativeDefinition& definition : kFunctions) in.add_builtin(definition);
  set_constructor(*in.classes().module,
                  {"module(name, doc=None)", construct_module, kImpure, "a module with no code"});
}

}  // namespace glint::runtime
