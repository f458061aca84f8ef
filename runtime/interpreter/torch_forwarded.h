// Functions of `torch`, and methods of tensors, that are written in the language.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "runtime/interpreter/interpreter.h"

namespace glint::runtime {

/// A function of `torch` that a module of the library defines.
struct LibraryFunction {
  /// Whether tensors have a method of that name, and what it does besides; `kAlone`: `torch` has no
  /// such function.
  enum class Method : uint8_t { kNone, kPure, kDraws, kAlone };
  std::string_view name, file;
  Method method = Method::kNone;
};
std::span<const LibraryFunction> library_functions();
/// Whether a function of `torch` has a file of the library, and that function; undefined if
/// importing the file raised.
bool is_library_function(std::string_view name);
Value library_function(Interpreter& in, std::string_view name);
/// The function that takes a call of this operator which its own signature does not (`x.nonzero(
/// as_tuple=True)`), or undefined: then the operator takes it, or refuses it. Some names have
/// another form in torch.nn.functional alone.
Value other_form(Interpreter& in, std::string_view operator_name, std::span<const Value> positional,
                 std::span<StrObject* const> keywords, bool is_functional);
/// With fewer arguments than these a call may be of another form; none: it needs a keyword, or more
/// arguments than the operator takes.
std::optional<size_t> least_of_own_form(std::string_view operator_name);
/// How many arguments by position the operator of torch.nn.functional takes itself: with more, what
/// stands there is another parameter in PyTorch.
size_t most_by_position(std::string_view operator_name);
/// Adds the methods to the class of tensors.
void add_library_methods(Interpreter& in);

}  // namespace glint::runtime
