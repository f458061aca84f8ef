#include "repl/terminal.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>

namespace glint {
namespace {

constexpr int kEscapeWaitMilliseconds = 30;

}  // namespace

RawMode::RawMode() {
  tcgetattr(STDIN_FILENO, &saved_);
  keeper_.emplace(saved_);
  signals_.emplace();
  termios raw = saved_;
  raw.c_iflag &= ~static_cast<tcflag_t>(BRKINT | ICRNL | INPCK | ISTRIP | IXON);
  raw.c_lflag &= ~static_cast<tcflag_t>(ECHO | ICANON | IEXTEN | ISIG);
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
  write_to_terminal("\x1b[?2004h");
}

RawMode::~RawMode() {
  write_to_terminal("\x1b[?2004l");
  tcsetattr(STDIN_FILENO, TCSADRAIN, &saved_);
}

void write_to_file(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text.remove_prefix(static_cast<size_t>(written));
  }
}

void stop_until_continued() {
  ::kill(0, SIGTSTP);
}

void write_to_terminal(std::string_view text) {
  write_to_file(STDOUT_FILENO, text);
}

void write_prompt(std::string_view text) {
  write_to_file(::isatty(STDOUT_FILENO) ? STDOUT_FILENO : STDERR_FILENO, text);
}

std::optional<unsigned char> read_terminal_byte(Wait wait) {
  const bool for_key = wait == Wait::kForKey;
  std::array<pollfd, 2> inputs = {{{STDIN_FILENO, POLLIN, 0}, {signal_key_file(), POLLIN, 0}}};
  const int milliseconds = wait == Wait::kBriefly ? kEscapeWaitMilliseconds
                           : wait == Wait::kNot   ? 0
                                                  : -1;
  int ready = 0;
  do {
    ready = ::poll(inputs.data(), for_key ? 2 : 1, milliseconds);
  } while (ready < 0 && errno == EINTR);
  if (ready <= 0) return std::nullopt;
  const bool is_signal = for_key && inputs[1].revents != 0;
  unsigned char byte = 0;
  ssize_t count = 0;
  do {
    count = ::read(is_signal ? signal_key_file() : STDIN_FILENO, &byte, 1);
  } while (count < 0 && errno == EINTR);
  return count == 1 ? std::optional(byte) : std::nullopt;
}

bool usable_terminal() {
  const char* kind = std::getenv("TERM");
  return ::isatty(STDIN_FILENO) && ::isatty(STDOUT_FILENO) && kind &&
         std::string_view(kind) != "dumb";
}

}  // namespace glint
