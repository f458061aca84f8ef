#include "repl/terminal_signals.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <ctime>
#include <string_view>

namespace glint {
namespace {

/// How the terminal is put back: handlers are plain functions, and there is one terminal.
termios before_raw = {};
std::atomic<pid_t> pager_at_work = 0;

/// The pager puts the terminal back as it found it, where it is given the time.
void end_pager() {
  constexpr int kMostTries = 100;
  constexpr timespec kPause = {0, 10'000'000};
  const pid_t pager = pager_at_work.exchange(0);
  if (pager <= 0) return;
  ::kill(pager, SIGTERM);
  for (int i = 0; i < kMostTries && ::waitpid(pager, nullptr, WNOHANG) == 0; ++i)
    ::nanosleep(&kPause, nullptr);
}

void end_by(int signal) {
  constexpr std::string_view kPlainPastes = "\x1b[?2004l";
  end_pager();
  [[maybe_unused]] ssize_t ignored =
      ::write(STDOUT_FILENO, kPlainPastes.data(), kPlainPastes.size());
  ::tcsetattr(STDIN_FILENO, TCSANOW, &before_raw);
  std::signal(signal, SIG_DFL);
  ::kill(::getpid(), signal);
}

struct Pipe {
  Pipe() { [[maybe_unused]] int ignored = ::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK); }
  std::array<int, 2> ends = {-1, -1};
};
/// Made before the first handler that writes to it.
const Pipe& key_pipe() {
  static const Pipe pipe;
  return pipe;
}

void become_key(int signal) {
  const int saved = errno;
  const char key = signal == SIGINT ? '\x03' : signal == SIGTSTP ? '\x1a' : '\0';
  [[maybe_unused]] ssize_t ignored = ::write(key_pipe().ends[1], &key, 1);
  errno = saved;
}

}  // namespace

SignalHandlers::SignalHandlers(std::initializer_list<int> signals, void (*handler)(int)) {
  for (int signal : signals) {
    struct sigaction previous = {}, action = {};
    ::sigaction(signal, nullptr, &previous);
    if (previous.sa_handler == SIG_IGN) continue;
    action.sa_handler = handler;
    action.sa_flags = SA_ONSTACK | SA_NODEFER;
    ::sigaction(signal, &action, nullptr);
    previous_.emplace_back(signal, previous);
  }
}

SignalHandlers::~SignalHandlers() {
  for (const auto& [signal, previous] : previous_) ::sigaction(signal, &previous, nullptr);
}

TerminalKeeper::TerminalKeeper(const termios& before) {
  before_raw = before;
  handlers_.emplace(std::initializer_list<int>{SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2},
                    end_by);
}

TerminalKeeper::~TerminalKeeper() {
  set_pager(0);
}

void TerminalKeeper::set_pager(pid_t pager) {
  pager_at_work = pager;
}

SignalKeys::SignalKeys() {
  // What came for the view before this one is of no use to it.
  for (char dropped = 0; ::read(signal_key_file(), &dropped, 1) == 1;) continue;
  handlers_.emplace(std::initializer_list<int>{SIGINT, SIGTSTP, SIGWINCH}, become_key);
}

int signal_key_file() {
  return key_pipe().ends[0];
}

}  // namespace glint
