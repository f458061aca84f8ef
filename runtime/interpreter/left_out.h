// Modules of CPython and PyTorch that are not here, and what there is instead.
//
//     import array    ModuleNotFoundError: No module named 'array'; it is not part of the language:
//                     use a list or a tensor
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace glint::runtime {

/// What is said behind the message that there is no such module, by its full name; nothing of a
/// name that nobody expects here.
std::optional<std::string> left_out_hint(std::string_view module);

}  // namespace glint::runtime
