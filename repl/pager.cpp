#include "repl/pager.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "core/support/environment.h"
#include "repl/columns.h"
#include "repl/render/colour.h"
#include "repl/render/text.h"
#include "repl/terminal.h"

namespace glint {
namespace {

bool is_installed(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::stringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (::access((folder + "/" + program).c_str(), X_OK) == 0) return true;
  return false;
}

/// While it lives, Ctrl-C does nothing to this program.
class WithoutInterrupt {
 public:
  WithoutInterrupt() {
    struct sigaction ignored = {};
    ignored.sa_handler = SIG_IGN;
    sigaction(SIGINT, &ignored, &previous_);
  }
  ~WithoutInterrupt() { sigaction(SIGINT, &previous_, nullptr); }
  WithoutInterrupt(const WithoutInterrupt&) = delete;
  WithoutInterrupt& operator=(const WithoutInterrupt&) = delete;

 private:
  struct sigaction previous_ = {};
};

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
  constexpr int kCannotRun = 126, kNoSuchCommand = 127;  // of a shell
  const std::string command = is_longer_than_screen(text) ? pager_command() : "";
  std::FILE* pager = command.empty() ? nullptr : ::popen(command.c_str(), "w");
  if (!pager) return write_to_terminal(text);
  int status = 0;
  {
    WithoutInterrupt here;
    std::fwrite(text.data(), 1, text.size(), pager);  // it may be left before all is read
    status = ::pclose(pager);
  }
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  if (code == kCannotRun || code == kNoSuchCommand) write_to_terminal(text);
}

}  // namespace glint
