#include "repl/pager.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <initializer_list>
#include <sstream>
#include <vector>

#include "core/support/environment.h"
#include "repl/columns.h"
#include "repl/render/colour.h"
#include "repl/render/text.h"
#include "repl/terminal.h"
#include "repl/terminal_signals.h"

namespace glint {
namespace {

bool is_installed(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::stringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (::access((folder + "/" + program).c_str(), X_OK) == 0) return true;
  return false;
}

/// What a shell says of a command: what it ends with where it cannot run it.
constexpr int kCannotRun = 126, kNoSuchCommand = 127;

int exit_code_of(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) continue;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}

/// Starts a shell with these arguments, which reads from a file; -1 where there is none.
pid_t start_shell(std::initializer_list<const char*> arguments, int input) {
  std::vector<char*> words = {const_cast<char*>("sh")};
  for (const char* argument : arguments) words.push_back(const_cast<char*>(argument));
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  pid_t process = -1;
  if (::posix_spawn(&process, "/bin/sh", &actions, nullptr, words.data(), environ) != 0)
    process = -1;
  posix_spawn_file_actions_destroy(&actions);
  return process;
}

/// Whether a shell can read it, and there is something to run: it says what is wrong.
bool is_command_line(const std::string& text) {
  if (text.find_first_not_of(" \t\n") == std::string::npos) return false;
  const pid_t reader = start_shell({"-n", "-c", text.c_str()}, STDIN_FILENO);
  return reader > 0 && exit_code_of(reader) == 0;
}

/// Runs the command on the text; false where it could not be run.
bool run_pager(const std::string& command, std::string_view text) {
  std::array<int, 2> ends = {-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return false;
  termios before = {};
  tcgetattr(STDIN_FILENO, &before);
  TerminalKeeper keeper(before);
  const pid_t pager = start_shell({"-c", command.c_str()}, ends[0]);
  keeper.set_pager(pager);
  ::close(ends[0]);
  const SignalHandlers without_interrupt({SIGINT}, [](int) {});
  if (pager > 0) write_to_file(ends[1], text);  // it may be left before all is read
  ::close(ends[1]);
  const int code = pager > 0 ? exit_code_of(pager) : kCannotRun;
  return code != kCannotRun && code != kNoSuchCommand;
}

}  // namespace

bool is_longer_than_screen(std::string_view text) {
  const size_t columns = render::terminal_width(), rows = render::terminal_height();
  size_t taken = 0;
  for (std::string_view line : render::lines_of(text)) {
    taken += std::max<size_t>(1, (display_width(line) + columns - 1) / columns);
    if (taken >= rows) return true;
  }
  return false;
}

std::string pager_command() {
  if (auto chosen = environment::value(environment::Variable::kPager)) return *chosen;
  return is_installed("less") ? "less -R" : "";
}

void page(std::string_view text) {
  const std::string command = is_longer_than_screen(text) ? pager_command() : "";
  const bool shown = is_command_line(command) && run_pager(command, text);
  if (!shown) write_to_terminal(text);
}

}  // namespace glint
