// Names of kernels: each is a function of C in what every backend makes, `extern "C"`.
#pragma once

#include <string>
#include <string_view>

namespace glint {

/// The name itself, or `exp_kernel` where C's mathematics has a function of that name.
std::string kernel_name(std::string_view wanted);

}  // namespace glint
