#include "repl/terminal.h"

#include <poll.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

namespace glint {
namespace {

constexpr int kEscapeWaitMilliseconds = 30;

void write_all(int file, std::string_view text) {
  while (!text.empty()) {
    ssize_t written = ::write(file, text.data(), text.size());
    if (written <= 0) return;
    text.remove_prefix(static_cast<size_t>(written));
  }
}

}  // namespace

RawMode::RawMode() {
  tcgetattr(STDIN_FILENO, &saved_);
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

void stop_until_continued() {
  ::kill(0, SIGTSTP);
}

void write_to_terminal(std::string_view text) {
  write_all(STDOUT_FILENO, text);
}

void write_prompt(std::string_view text) {
  write_all(::isatty(STDOUT_FILENO) ? STDOUT_FILENO : STDERR_FILENO, text);
}

std::optional<unsigned char> read_terminal_byte(Wait wait) {
  if (wait != Wait::kForever) {
    pollfd input = {STDIN_FILENO, POLLIN, 0};
    int milliseconds = wait == Wait::kBriefly ? kEscapeWaitMilliseconds : 0;
    if (::poll(&input, 1, milliseconds) <= 0) return std::nullopt;
  }
  unsigned char byte = 0;
  return ::read(STDIN_FILENO, &byte, 1) == 1 ? std::optional(byte) : std::nullopt;
}

bool usable_terminal() {
  const char* kind = std::getenv("TERM");
  return ::isatty(STDIN_FILENO) && ::isatty(STDOUT_FILENO) && kind &&
         std::string_view(kind) != "dumb";
}

}  // namespace glint
