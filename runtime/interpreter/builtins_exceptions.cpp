// The exception classes, and the methods that all exceptions have.
#include "runtime/interpreter/builtins.h"
#include "runtime/interpreter/exception_text.h"
#include "runtime/interpreter/os_errors.h"

namespace glint::runtime {
namespace {

struct ExceptionClass {
  std::string_view name, base;
  std::string_view module = {};  ///< whose attribute it is; of none: a builtin
};
/// A base stands before what derives from it.
constexpr ExceptionClass kClasses[] = {
    {"BaseException", ""},
    {"SystemExit", "BaseException"},
    {"KeyboardInterrupt", "BaseException"},
    {"GeneratorExit", "BaseException"},
    {"Exception", "BaseException"},
    {"StopIteration", "Exception"},
    {"StopAsyncIteration", "Exception"},
    {"ArithmeticError", "Exception"},
    {"FloatingPointError", "ArithmeticError"},
    {"OverflowError", "ArithmeticError"},
    {"ZeroDivisionError", "ArithmeticError"},
    {"AssertionError", "Exception"},
    {"AttributeError", "Exception"},
    {"BufferError", "Exception"},
    {"EOFError", "Exception"},
    {"ImportError", "Exception"},
    {"ModuleNotFoundError", "ImportError"},
    {"LookupError", "Exception"},
    {"IndexError", "LookupError"},
    {"KeyError", "LookupError"},
    {"MemoryError", "Exception"},
    {"NameError", "Exception"},
    {"UnboundLocalError", "NameError"},
    {"OSError", "Exception"},
    {"BlockingIOError", "OSError"},
    {"ConnectionError", "OSError"},
    {"BrokenPipeError", "ConnectionError"},
    {"ConnectionAbortedError", "ConnectionError"},
    {"ConnectionRefusedError", "ConnectionError"},
    {"ConnectionResetError", "ConnectionError"},
    {"ChildProcessError", "OSError"},
    {"FileExistsError", "OSError"},
    {"FileNotFoundError", "OSError"},
    {"InterruptedError", "OSError"},
    {"IsADirectoryError", "OSError"},
    {"NotADirectoryError", "OSError"},
    {"PermissionError", "OSError"},
    {"ProcessLookupError", "OSError"},
    {"TimeoutError", "OSError"},
    {"ReferenceError", "Exception"},
    {"RuntimeError", "Exception"},
    {"NotImplementedError", "RuntimeError"},
    {"AcceleratorError", "RuntimeError", "torch"},
    {"OutOfMemoryError", "RuntimeError", "torch"},
    {"RecursionError", "RuntimeError"},
    {"SyntaxError", "Exception"},
    {"IndentationError", "SyntaxError"},
    {"TabError", "IndentationError"},
    {"SystemError", "Exception"},
    {"TypeError", "Exception"},
    {"ValueError", "Exception"},
    {"UnicodeError", "ValueError"},
    {"UnicodeDecodeError", "UnicodeError"},
    {"UnicodeEncodeError", "UnicodeError"},
    {"Warning", "Exception"},
    {"BytesWarning", "Warning"},
    {"DeprecationWarning", "Warning"},
    {"FutureWarning", "Warning"},
    {"ImportWarning", "Warning"},
    {"PendingDeprecationWarning", "Warning"},
    {"ResourceWarning", "Warning"},
    {"RuntimeWarning", "Warning"},
    {"SyntaxWarning", "Warning"},
    {"UnicodeWarning", "Warning"},
    {"UserWarning", "Warning"},
};

ExceptionObject& self_of(NativeCall& call) {
  return *call[0].as<ExceptionObject>();
}

Value exception_init(NativeCall& call) {
  initialise_exception(self_of(call), call[1].as<TupleObject>()->items);
  return Value::none();
}
Value exception_str(NativeCall& call) {
  std::string text;
  if (!str_exception(call.interpreter, &self_of(call), text)) return Value();
  return str_value(std::move(text));
}
Value exception_repr(NativeCall& call) {
  std::string text;
  return builtin_repr(call.interpreter, call[0], text) ? str_value(std::move(text)) : Value();
}
Value exception_with_traceback(NativeCall& call) {
  return call[0];
}
Value exception_add_note(NativeCall& call) {
  if (!is_str(call[1])) {
    return call.raise("TypeError", fmt::format("note must be a str, not '{}'", type_name(call[1])));
  }
  Value& notes = self_of(call).notes;
  if (notes.is_undefined()) notes = Value(make_list({}));
  if (!notes.is<ListObject>())
    return call.raise("TypeError", "Cannot add note: __notes__ is not a list");
  notes.as<ListObject>()->items.push_back(call[1]);
  return Value::none();
}

constexpr Effects kReads{.pure = true, .reads_value = true};
constexpr Effects kMutates{.mutates = true};

constexpr NativeDefinition kMethods[] = {
    {"__init__(self, *args)",
     exception_init,
     {.mutates = true, .hands_on = true, .takes_varying = true},
     "keeps the arguments"},
    {"__str__(self, /)", exception_str, kReads, "the message"},
    {"__repr__(self, /)", exception_repr, kReads, "the class and its arguments"},
    {"with_traceback(self, tb, /)", exception_with_traceback, kReads, "the exception itself"},
    {"add_note(self, note, /)", exception_add_note, kMutates, "a line to print behind the message"},
};

}  // namespace

void install_exceptions(Interpreter& in) {
  auto& exceptions = in.classes().exceptions;
  for (const ExceptionClass& entry : kClasses) {
    Ref<ClassObject> made = in.new_exception(entry.name, entry.base);
    exceptions[std::string(entry.name)] = made;
    if (entry.module.empty())
      in.builtins().set(entry.name, Value(made));
    else
      made->module_name = str_value(std::string(entry.module));
  }
  in.builtins().set("EnvironmentError", Value(exceptions["OSError"]));
  in.builtins().set("IOError", Value(exceptions["OSError"]));
  ClassObject& base = *exceptions["BaseException"];
  in.add_methods(base, kMethods);
}

}  // namespace glint::runtime
