// A call as a failing test names it: `gather f32[3, 4] 1 i64[2, 4]`.
#pragma once

#include <fmt/format.h>

#include <string>

#include "ops/call.h"
#include "ops/infer.h"

namespace glint::ops {

inline std::string describe(const OpEntry& entry, Arguments arguments) {
  std::string text = entry.name;
  for (const Argument& argument : arguments) {
    if (const Tensor* x = argument.get_if<Tensor>())
      text += fmt::format(" {}", type_of(*x).text());
    else if (const SymInt* i = argument.get_if<SymInt>())
      text += fmt::format(" {}", i->text());
    else if (const double* d = argument.get_if<double>())
      text += fmt::format(" {}", *d);
    else
      text += fmt::format(" <{}>", python_type_name(argument));
  }
  return text;
}

}  // namespace glint::ops
