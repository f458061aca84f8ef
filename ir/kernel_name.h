// Names of kernels, and of what stands in them. A kernel is a function of C in what every backend
// makes, `extern "C"`.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace glint {

/// The name itself, or `exp_kernel` where C's mathematics has a function of that name.
std::string kernel_name(std::string_view wanted);

/// Of a loop inside `depth` others: i ... n, i1 ... n1. No value is called so.
std::string loop_name(size_t depth);
/// Of the `number`th value: a ... h, o ... z without s and t, a1 ... z1.
std::string value_name(size_t number);

}  // namespace glint
