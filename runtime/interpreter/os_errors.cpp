#include "runtime/interpreter/os_errors.h"

#include <cerrno>
#include <cstring>
#include <string_view>

#include "runtime/interpreter/builtins.h"

namespace glint::runtime {
namespace {

struct NumberedClass {
  int number;
  std::string_view name;
};
/// The classes below OSError, by the numbers that they stand for.
constexpr NumberedClass kNumbered[] = {
    {EAGAIN, "BlockingIOError"},   {EALREADY, "BlockingIOError"},  {EINPROGRESS, "BlockingIOError"},
    {EPIPE, "BrokenPipeError"},    {ESHUTDOWN, "BrokenPipeError"}, {EEXIST, "FileExistsError"},
    {ENOENT, "FileNotFoundError"}, {EISDIR, "IsADirectoryError"},  {ENOTDIR, "NotADirectoryError"},
    {EINTR, "InterruptedError"},   {EACCES, "PermissionError"},    {EPERM, "PermissionError"},
    {ETIMEDOUT, "TimeoutError"},
};

/// An OSError with a number has as many arguments: number, text, file, nothing, second file.
bool has_number(size_t arguments) {
  return arguments >= 2 && arguments <= 5;
}

ClassObject& class_of_number(Interpreter& in, ClassObject& cls,
                             const std::vector<Value>& arguments) {
  auto& classes = in.classes().exceptions;
  if (&cls != classes["OSError"].get() || !has_number(arguments.size()) || !arguments[0].is_int())
    return cls;
  for (const NumberedClass& entry : kNumbered)
    if (entry.number == arguments[0].as_int()) return *classes[std::string(entry.name)];
  return cls;
}

}  // namespace

Ref<ExceptionObject> make_exception(Interpreter& in, ClassObject& cls,
                                    std::vector<Value> arguments) {
  auto exception = make_ref<ExceptionObject>(&class_of_number(in, cls, arguments));
  keep_arguments(in, *exception, std::move(arguments));
  return exception;
}

void keep_arguments(Interpreter& in, ExceptionObject& exception, std::vector<Value> arguments) {
  if (arguments.size() > 2 && has_number(arguments.size()) && is_os_error(in, exception) &&
      !arguments[2].is_none()) {
    if (!exception.attributes) exception.attributes = make_dict();
    exception.attributes->set("filename", arguments[2]);
    if (arguments.size() == 5) exception.attributes->set("filename2", arguments[4]);
    arguments.resize(2);
  }
  exception.args = make_tuple(std::move(arguments));
}

bool is_os_error(Interpreter& in, const ExceptionObject& exception) {
  // None is there yet while the classes are made.
  auto found = in.classes().exceptions.find("OSError");
  return found != in.classes().exceptions.end() &&
         exception.cls->is_subclass_of(found->second.get());
}

Value os_error_attribute(const ExceptionObject& exception, std::string_view name) {
  if (exception.attributes) {
    if (Value* own = exception.attributes->find(name)) return *own;
  }
  const auto& arguments = exception.args->items;
  const bool numbered = has_number(arguments.size());
  if (name == "errno") return numbered ? arguments[0] : Value::none();
  if (name == "strerror") return numbered ? arguments[1] : Value::none();
  if (name == "filename" || name == "filename2") return Value::none();
  return Value();
}

bool str_os_error(Interpreter& in, const ExceptionObject& exception, std::string& out) {
  if (!has_number(exception.args->items.size())) return false;
  out += "[Errno ";
  if (!str_of(in, os_error_attribute(exception, "errno"), out)) return false;
  out += "] ";
  if (!str_of(in, os_error_attribute(exception, "strerror"), out)) return false;
  const Value file = os_error_attribute(exception, "filename");
  if (file.is_none()) return true;
  out += ": ";
  if (!repr_of(in, file, out)) return false;
  const Value second = os_error_attribute(exception, "filename2");
  if (second.is_none()) return true;
  out += " -> ";
  return repr_of(in, second, out);
}

Value raise_os_error(Interpreter& in, int code, const std::optional<std::string>& path,
                     const std::optional<std::string>& second_path) {
  std::vector<Value> arguments = {Value(int64_t{code}), str_value(std::strerror(code))};
  if (path) arguments.push_back(str_value(*path));
  if (second_path) {
    arguments.push_back(Value::none());
    arguments.push_back(str_value(*second_path));
  }
  return in.raise(in.classes().exceptions["OSError"], std::move(arguments));
}

}  // namespace glint::runtime
