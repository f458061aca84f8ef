// `glint kernel ...`: registers the kernel with Jupyter, or is the kernel.
#pragma once

#include "repl/command_line.h"

namespace glint::notebook {

/// Both give the exit code.
int install_kernel(const KernelInstallRequest& request);
int run_kernel(const KernelRunRequest& request);

}  // namespace glint::notebook
