// Complex numbers and tensors in calls of `torch`, and other tensors of the library.
//
// The tensors of C++ are of real numbers. A complex tensor is an instance of a class of the library
// (library/torch/_complex) over a real tensor of pairs, and the class says in its attribute
// `__counts_as__` what it passes for:
//
//     class Tensor:  __counts_as__ = (torch.Tensor,)      isinstance(z, torch.Tensor) is True
//
// So does the class of sparse tensors (library/torch/sparse), whose `__calls_go_to__` names the
// library that takes the calls instead.
//
// A call of `torch` that has one of those, a complex dtype or a complex number among its arguments
// is the library's: `torch.exp(z)` runs `torch._complex.call("exp", z)`. No native ever sees one.
#pragma once

#include <optional>

#include "runtime/interpreter/interpreter.h"

namespace glint::runtime {

/// Whether a script has made anything complex: until then no call looks for it.
bool complex_in_use();
void note_complex_in_use();

/// Whether instances of a class of the library count as such of another class.
bool counts_as(const ClassObject& cls, const ClassObject& other);
/// A complex number, or what counts as a tensor or a dtype.
bool is_complex(const Value& value);

struct Arguments;
/// A native's call as the library takes it; nothing where no argument is complex.
std::optional<Value> call_if_complex(Interpreter& in, NativeFunctionObject& native,
                                     const Value* self, const Arguments& arguments);
/// `torch._complex.call(name, a, b)`, or that of the library that an argument's class names.
Value call_complex(Interpreter& in, std::string_view name, std::vector<Value> positional,
                   std::span<const std::pair<StrObject*, Value>> keywords = {});

/// What the library's class of complex tensors takes from C++.
void fill_native_complex(Interpreter& in, ModuleObject& module);

}  // namespace glint::runtime
