// What the system refused, as an exception: its class, its fields and its text.
//
//     raise_os_error(in, ENOENT, "a")     FileNotFoundError: [Errno 2] No such file or ...: 'a'
//     OSError(2, "w", "a", None, "b")     FileNotFoundError(2, 'w'): [Errno 2] w: 'a' -> 'b'
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/interpreter/interpreter.h"

namespace glint::runtime {

/// An OSError, or one of a class below it. Each field is undefined where it was not given.
struct OsErrorObject final : ExceptionObject {
  Value number;       ///< `errno`
  Value text;         ///< `strerror`
  Value file;         ///< `filename`
  Value second_file;  ///< `filename2`
  explicit OsErrorObject(ClassObject* of) : ExceptionObject(of) {}
  void traverse(Visitor& visit) override;
  void clear() override;
};

/// An exception of the class without arguments; every exception is made here.
Ref<ExceptionObject> allocate_exception(ClassObject& cls);

/// What a class makes of arguments before its `__init__` runs. An OSError with a number is one of
/// the class that stands for the number; a script's subclass with an `__init__` gets nothing yet.
Ref<ExceptionObject> make_exception(Interpreter& in, ClassObject& cls,
                                    std::vector<Value> arguments);

/// `BaseException.__init__`, and that of OSError, which does nothing where the class has read the
/// arguments before.
void initialise_exception(ExceptionObject& exception, std::vector<Value> arguments);

/// The exception as an OSError, or null.
OsErrorObject* as_os_error(ExceptionObject& exception);

/// `errno`, `strerror`, `filename` or `filename2`; null for any other name.
Value* os_error_field(OsErrorObject& error, std::string_view name);

/// Appends `[Errno 2] No such file or directory: 'a' -> 'b'`, of what is known of it. False where
/// nothing is, which leaves the text to be that of any exception, and where it raised.
bool str_os_error(Interpreter& in, const OsErrorObject& error, std::string& out);

/// An OSError, or the class below it that stands for the `errno`, about up to two files; gives the
/// undefined value.
Value raise_os_error(Interpreter& in, int code, const std::optional<std::string>& path = {},
                     const std::optional<std::string>& second_path = {});

}  // namespace glint::runtime
