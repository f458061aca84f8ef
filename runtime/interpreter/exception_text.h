// The text of an exception as `str` gives it: `invalid syntax (x.py, line 3)`.
#pragma once

#include <string>

#include "runtime/interpreter/interpreter.h"

namespace glint::runtime {

/// `str(e)` as the builtin exceptions do it, appended to `out`; false if it raised.
bool str_exception(Interpreter& in, ExceptionObject* exception, std::string& out);

}  // namespace glint::runtime
