// The variables of a session as rows: what `:vars` shows.
//
//     name   type    shape   dtype    bytes   value
//     n      int                              3
//     x      Tensor  [4, 8]  float32  128
//     y      Tensor  [4, 8]  float32  128    on cuda:0
//
// No code of the script's is run for a row, and nothing copied: a value of a script's class shows
// nothing but its type, a tensor what it is and, if that is not the processor, where.
#pragma once

#include <string>
#include <vector>

namespace glint {

namespace runtime {
class Value;
}

struct VariableRow {
  std::string name, type, shape, dtype, bytes, value;
};

/// Everything but the name.
VariableRow row_of(const runtime::Value& value);

}  // namespace glint
