// How Jupyter finds the kernel: a folder with a file that says how to start it.
//
//     ~/.local/share/jupyter/kernels/glint/kernel.json
//     {"argv": ["/opt/glint/glint", "kernel", "run", "-f", "{connection_file}"], ...}
#pragma once

#include <string>

#include "core/support/result.h"
#include "repl/command_line.h"

namespace glint::notebook {

/// The folder below which Jupyter looks for kernels, as the request chooses it: a prefix, that of
/// the Python environment that is active, or the user's.
Result<std::string> kernels_folder(const KernelInstallRequest& request);

/// What `kernel.json` says of a program at that path.
std::string kernelspec_text(const std::string& program);

/// Writes it; gives the folder.
Result<std::string> install_kernelspec(const KernelInstallRequest& request,
                                       const std::string& program);

}  // namespace glint::notebook
