#include "notebook/kernel_word.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <csignal>
#include <filesystem>
#include <iostream>

#include "core/support/environment.h"
#include "core/support/recovery.h"
#include "notebook/kernelspec.h"
#include "notebook/notebook.h"
#include "repl/commands.h"
#include "repl/interrupt_guard.h"
#include "repl/jupyter_plugin.h"

namespace glint::notebook {
namespace {

namespace fs = std::filesystem;

int complain(const std::string& message) {
  std::cerr << fmt::format("glint: {}\n", message);
  return 2;
}

/// The plugin's function.
Result<RunKernel> load_plugin() {
  const auto place = find_jupyter_plugin();
  if (!place)
    return Error{
        fmt::format("this build has no Jupyter kernel: `{}` is not beside the program; the build "
                    "makes it where "
                    "xeus is there (Debian: apt-get install xeus-dev)",
                    kJupyterPlugin)};
  void* plugin = ::dlopen(place->c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!plugin) return Error{fmt::format("`{}` cannot be loaded: {}", place->string(), dlerror())};
  if (void* function = ::dlsym(plugin, kRunKernel)) return reinterpret_cast<RunKernel>(function);
  return Error{fmt::format("`{}` is of another version", place->string())};
}

/// Ctrl-C waits until a cell runs.
void hold_interrupts() {
  sigset_t interrupt;
  sigemptyset(&interrupt);
  sigaddset(&interrupt, SIGINT);
  pthread_sigmask(SIG_BLOCK, &interrupt, nullptr);
}

}  // namespace

int install_kernel(const KernelInstallRequest& request) {
  auto plugin = load_plugin();
  if (!plugin) return complain(plugin.error().message);
  auto program = program_file();
  if (!program) return complain(program.error().message);
  auto folder = install_kernelspec(request, starter_of(*program).string());
  if (!folder) return complain(folder.error().message);
  std::cout << fmt::format("Jupyter knows the kernel Glint, by `{}`\n", *folder);
  return 0;
}

int run_kernel(const KernelRunRequest& request) {
  if (!fs::is_regular_file(request.connection_file))
    return complain(fmt::format("can't open file '{}': [Errno 2] No such file or directory",
                                request.connection_file));
  auto plugin = load_plugin();
  if (!plugin) return complain(plugin.error().message);
  hold_interrupts();
  recovery::enable();
  using environment::Variable;
  Notebook notebook({.history_file = environment::history_file(),
                     .compile_everything = environment::value(Variable::kCompile) == "1"});
  const std::string backend = environment::value(Variable::kBackend).value_or("");
  if (!backend.empty() && !notebook.session().set_backend(backend))
    return complain(unknown_backend(backend));
  InterruptGuard guard(notebook.session());
  return (*plugin)(notebook, request.connection_file.c_str());
}

}  // namespace glint::notebook
