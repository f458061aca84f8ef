// What the system refused, as an exception: its class, its arguments and its text.
//
//     raise_os_error(in, ENOENT, "a")          FileNotFoundError: [Errno 2] No such file or
//     directory: 'a' OSError(2, "gone", "a", None, "b")       FileNotFoundError(2, 'gone'), of
//     filename and filename2
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/interpreter/interpreter.h"

namespace glint::runtime {

/// An exception of the class with these arguments. A plain OSError with a number is one of the
/// class that stands for the number.
Ref<ExceptionObject> make_exception(Interpreter& in, ClassObject& cls,
                                    std::vector<Value> arguments);

/// Sets `args`; those of an OSError hold the number and its text, its files are attributes.
void keep_arguments(Interpreter& in, ExceptionObject& exception, std::vector<Value> arguments);

bool is_os_error(Interpreter& in, const ExceptionObject& exception);

/// `errno`, `strerror`, `filename` or `filename2` of an OSError; undefined for any other name.
Value os_error_attribute(const ExceptionObject& exception, std::string_view name);

/// Appends `[Errno 2] No such file or directory: 'a' -> 'b'`, of what is known of it. False where
/// there is no number, which leaves the text to be that of any exception, and where it raised.
bool str_os_error(Interpreter& in, const ExceptionObject& exception, std::string& out);

/// An OSError, or the class below it that stands for the `errno`, about up to two files; gives the
/// undefined value.
Value raise_os_error(Interpreter& in, int code, const std::optional<std::string>& path = {},
                     const std::optional<std::string>& second_path = {});

}  // namespace glint::runtime
