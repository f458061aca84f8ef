#include "runtime/interpreter/os_errors.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "runtime/interpreter/builtins.h"

namespace glint::runtime {
namespace {

constexpr std::string_view kOsError = "OSError";

struct NumberedClass {
  int number;
  std::string_view name;
};
/// The classes below OSError, by the numbers that they stand for.
constexpr NumberedClass kNumbered[] = {
    {EAGAIN, "BlockingIOError"},
    {EALREADY, "BlockingIOError"},
    {EINPROGRESS, "BlockingIOError"},
    {EPIPE, "BrokenPipeError"},
    {ESHUTDOWN, "BrokenPipeError"},
    {ECHILD, "ChildProcessError"},
    {ECONNABORTED, "ConnectionAbortedError"},
    {ECONNREFUSED, "ConnectionRefusedError"},
    {ECONNRESET, "ConnectionResetError"},
    {EEXIST, "FileExistsError"},
    {ENOENT, "FileNotFoundError"},
    {EISDIR, "IsADirectoryError"},
    {ENOTDIR, "NotADirectoryError"},
    {EINTR, "InterruptedError"},
    {EACCES, "PermissionError"},
    {EPERM, "PermissionError"},
    {ESRCH, "ProcessLookupError"},
    {ETIMEDOUT, "TimeoutError"},
};

bool is_native(const ClassObject& cls) {
  return cls.native && cls.name->view() == kOsError;
}
bool is_below_os_error(const ClassObject& cls) {
  return std::ranges::any_of(cls.order, [](const ClassObject* one) { return is_native(*one); });
}

/// A script's class with an `__init__` of its own, but no `__new__`, reads its arguments there.
bool reads_in_init(ClassObject& cls) {
  const Value init = cls.special(Special::kInit), maker = cls.special(Special::kNew);
  return init.defined() && !init.is<NativeFunctionObject>() &&
         (maker.is_undefined() || maker.is<NativeFunctionObject>());
}

/// An OSError with a number has as many arguments: number, text, file, nothing, second file.
bool has_number(size_t arguments) {
  return arguments >= 2 && arguments <= 5;
}

ClassObject& class_of_number(Interpreter& in, ClassObject& cls,
                             const std::vector<Value>& arguments) {
  if (!has_number(arguments.size()) || !arguments[0].is_int() || !is_native(cls)) return cls;
  for (const NumberedClass& entry : kNumbered)
    if (entry.number == arguments[0].as_int())
      return *in.classes().exceptions[std::string(entry.name)];
  return cls;
}

/// The fields, of as many arguments as have a number in front; `args` keeps no file.
void read_arguments(OsErrorObject& error, std::vector<Value> arguments) {
  if (has_number(arguments.size())) {
    error.number = arguments[0];
    error.text = arguments[1];
    if (arguments.size() > 2 && !arguments[2].is_none()) {
      error.file = arguments[2];
      if (arguments.size() == 5) error.second_file = arguments[4];
      arguments.resize(2);
    }
  }
  error.args = make_tuple(std::move(arguments));
}

}  // namespace

void OsErrorObject::traverse(Visitor& visit) {
  ExceptionObject::traverse(visit);
  visit(number);
  visit(text);
  visit(file);
  visit(second_file);
}
void OsErrorObject::clear() {
  ExceptionObject::clear();
  number = text = file = second_file = Value();
}

Ref<ExceptionObject> allocate_exception(ClassObject& cls) {
  if (is_below_os_error(cls)) return make_ref<OsErrorObject>(&cls);
  return make_ref<ExceptionObject>(&cls);
}

Ref<ExceptionObject> make_exception(Interpreter& in, ClassObject& cls,
                                    std::vector<Value> arguments) {
  Ref<ExceptionObject> exception = allocate_exception(class_of_number(in, cls, arguments));
  OsErrorObject* error = as_os_error(*exception);
  if (!error)
    exception->args = make_tuple(std::move(arguments));
  else if (!reads_in_init(cls))
    read_arguments(*error, std::move(arguments));
  return exception;
}

void initialise_exception(ExceptionObject& exception, std::vector<Value> arguments) {
  OsErrorObject* error = as_os_error(exception);
  if (!error)
    exception.args = make_tuple(std::move(arguments));
  else if (reads_in_init(*exception.cls))
    read_arguments(*error, std::move(arguments));
}

OsErrorObject* as_os_error(ExceptionObject& exception) {
  return is_below_os_error(*exception.cls) ? static_cast<OsErrorObject*>(&exception) : nullptr;
}

Value* os_error_field(OsErrorObject& error, std::string_view name) {
  if (name == "errno") return &error.number;
  if (name == "strerror") return &error.text;
  if (name == "filename") return &error.file;
  if (name == "filename2") return &error.second_file;
  return nullptr;
}

bool str_os_error(Interpreter& in, const OsErrorObject& error, std::string& out) {
  if (error.file.is_undefined() && (error.number.is_undefined() || error.text.is_undefined()))
    return false;
  auto given_or_none = [](const Value& value) { return value.defined() ? value : Value::none(); };
  out += "[Errno ";
  if (!str_of(in, given_or_none(error.number), out)) return false;
  out += "] ";
  if (!str_of(in, given_or_none(error.text), out)) return false;
  if (error.file.is_undefined()) return true;
  out += ": ";
  if (!repr_of(in, error.file, out)) return false;
  if (error.second_file.is_undefined()) return true;
  out += " -> ";
  return repr_of(in, error.second_file, out);
}

Value raise_os_error(Interpreter& in, int code, const std::optional<std::string>& path,
                     const std::optional<std::string>& second_path) {
  std::vector<Value> arguments = {Value(int64_t{code}), str_value(std::strerror(code))};
  if (path) arguments.push_back(str_value(*path));
  if (second_path) {
    arguments.push_back(Value::none());
    arguments.push_back(str_value(*second_path));
  }
  return in.raise(in.classes().exceptions[std::string(kOsError)], std::move(arguments));
}

}  // namespace glint::runtime
