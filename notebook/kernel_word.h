// `glint kernel ...`: registers the kernel with Jupyter, is the kernel, or runs a notebook's cells
// without Jupyter.
#pragma once

#include "repl/command_line.h"

namespace glint::notebook {

/// All give the exit code.
int install_kernel(const KernelInstallRequest& request);
int run_kernel(const KernelRunRequest& request);
int execute_notebook(const KernelExecuteRequest& request);

}  // namespace glint::notebook
