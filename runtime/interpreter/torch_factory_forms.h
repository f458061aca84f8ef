// What PyTorch says of a call of a function that makes tensors, of which it has several forms, when
// the call fits none of them.
//
//     torch.eye(2, foo=1)    eye() received an invalid combination of arguments - got (int,
//     foo=int),
//                            but expected one of: ...
#pragma once

#include <optional>
#include <string>

#include "runtime/interpreter/machine.h"

namespace glint::runtime {

/// That text; nothing of a function that has one form, or one only that takes so many arguments, or
/// is no such function.
std::optional<std::string> factory_forms_text(const NativeFunctionObject& function,
                                              const Arguments& arguments);

}  // namespace glint::runtime
