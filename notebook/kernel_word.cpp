#include "notebook/kernel_word.h"

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <optional>
#include <system_error>

#include "core/support/environment.h"
#include "core/support/recovery.h"
#include "notebook/kernelspec.h"
#include "notebook/notebook.h"
#include "repl/commands.h"
#include "repl/interrupt_guard.h"
#include "repl/plugins.h"

namespace glint::notebook {
namespace {

namespace fs = std::filesystem;

int complain(const std::string& message) {
  std::cerr << fmt::format("glint: {}\n", message);
  return 2;
}

/// Why a file cannot be read, as CPython says it of a script; nothing where it can.
std::optional<std::string> obstacle_to(const std::string& file) {
  if (fs::is_regular_file(file)) return std::nullopt;
  const int fault = fs::is_directory(file) ? EISDIR : ENOENT;
  return fmt::format("can't open file '{}': [Errno {}] {}", file, fault,
                     std::generic_category().message(fault));
}

/// Runs cells until the plugin's function comes back.
template <class Serve>
int with_notebook(const std::string& history_file, Serve serve) {
  recovery::enable();
  using environment::Variable;
  Notebook notebook({.history_file = history_file,
                     .compile_everything = environment::value(Variable::kCompile) == "1"});
  const std::string backend = environment::value(Variable::kBackend).value_or("");
  if (!backend.empty() && !notebook.session().set_backend(backend))
    return complain(unknown_backend(backend));
  InterruptGuard guard(notebook.session());
  return serve(notebook);
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
  auto plugin = load_plugin(kJupyterPlugin);
  if (!plugin) return complain(plugin.error().message);
  auto program = program_file();
  if (!program) return complain(program.error().message);
  auto folder = install_kernelspec(request, starter_of(*program).string());
  if (!folder) return complain(folder.error().message);
  std::cout << fmt::format("Jupyter knows the kernel Glint, by `{}`\n", *folder);
  return 0;
}

int run_kernel(const KernelRunRequest& request) {
  if (auto obstacle = obstacle_to(request.connection_file)) return complain(*obstacle);
  auto run = plugin_function<RunKernel>(kJupyterPlugin, kRunKernel);
  if (!run) return complain(run.error().message);
  hold_interrupts();
  return with_notebook(environment::history_file(), [&](Notebook& notebook) {
    return (*run)(notebook, request.connection_file.c_str());
  });
}

int execute_notebook(const KernelExecuteRequest& request) {
  if (auto obstacle = obstacle_to(request.notebook)) return complain(*obstacle);
  auto execute = plugin_function<ExecuteNotebook>(kJupyterPlugin, kExecuteNotebook);
  if (!execute) return complain(execute.error().message);
  const fs::path from = fs::absolute(request.notebook);
  const fs::path to = request.output.empty() ? from : fs::absolute(request.output);
  // As a front end starts it: what a cell reads and writes lies beside the notebook.
  std::error_code stays;
  fs::current_path(from.parent_path(), stays);
  return with_notebook(
      "", [&](Notebook& notebook) { return (*execute)(notebook, from.c_str(), to.c_str()); });
}

}  // namespace glint::notebook
