#include "repl/drawing.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

namespace glint {

std::optional<Error> draw(const std::string& dot, const std::string& file) {
  std::array<int, 2> ends = {};
  if (::pipe(ends.data()) != 0) return Error{"no pipe to `dot` can be made"};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  std::string program = "dot", format = "-Tsvg", output = "-o" + file;
  std::array<char*, 4> words = {program.data(), format.data(), output.data(), nullptr};
  pid_t child = 0;
  int fault = ::posix_spawnp(&child, "dot", &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[0]);
  if (fault != 0) {
    ::close(ends[1]);
    return Error{
        "`dot` is not there; install Graphviz (Debian: apt-get install graphviz), or use "
        "`--dot`"};
  }
  // A `dot` that ends early closes the pipe: that is no reason to die.
  auto previous = std::signal(SIGPIPE, SIG_IGN);
  for (size_t done = 0; done < dot.size();) {
    ssize_t written = ::write(ends[1], dot.data() + done, dot.size() - done);
    if (written < 0 && errno != EINTR) break;
    if (written > 0) done += static_cast<size_t>(written);
  }
  ::close(ends[1]);
  std::signal(SIGPIPE, previous);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (status == 0) return std::nullopt;
  return Error{fmt::format("`dot` wrote no picture to `{}`", file)};
}

}  // namespace glint
