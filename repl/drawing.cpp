#include "repl/drawing.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <fstream>

namespace glint {
namespace {

/// Starts `dot`, which reads and writes the descriptors; 0 where it is not there.
pid_t start_dot(int input, int other_end, int output) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, input);
  posix_spawn_file_actions_addclose(&actions, other_end);
  std::string program = "dot", format = "-Tsvg";
  std::array<char*, 3> words = {program.data(), format.data(), nullptr};
  pid_t child = 0;
  int fault = ::posix_spawnp(&child, "dot", &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return fault == 0 ? child : 0;
}

void write_all(int file, const std::string& text) {
  // A `dot` that ends early closes the pipe: that is no reason to die.
  auto previous = std::signal(SIGPIPE, SIG_IGN);
  for (size_t done = 0; done < text.size();) {
    ssize_t written = ::write(file, text.data() + done, text.size() - done);
    if (written < 0 && errno != EINTR) break;
    if (written > 0) done += static_cast<size_t>(written);
  }
  std::signal(SIGPIPE, previous);
}

std::string read_all(int file) {
  std::string text;
  std::array<char, 4096> part = {};
  ::lseek(file, 0, SEEK_SET);
  for (ssize_t size = 0; (size = ::read(file, part.data(), part.size())) > 0;)
    text.append(part.data(), static_cast<size_t>(size));
  return text;
}

}  // namespace

Result<std::string> svg_of(const std::string& dot) {
  std::array<int, 2> ends = {};
  if (::pipe(ends.data()) != 0) return Error{"no pipe to `dot` can be made"};
  int output = ::memfd_create("picture", MFD_CLOEXEC);
  pid_t child = start_dot(ends[0], ends[1], output);
  ::close(ends[0]);
  if (child != 0) write_all(ends[1], dot);
  ::close(ends[1]);
  int status = 0;
  while (child != 0 && ::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  std::string picture = read_all(output);
  ::close(output);
  if (child == 0)
    return Error{
        "`dot` is not there; install Graphviz (Debian: apt-get install graphviz), or use "
        "`--dot`"};
  if (status != 0 || picture.empty()) return Error{"`dot` made no picture"};
  return picture;
}

std::optional<Error> draw(const std::string& dot, const std::string& file) {
  auto picture = svg_of(dot);
  if (!picture) return picture.error();
  std::ofstream out(file, std::ios::binary);
  out << *picture;
  out.close();
  if (out) return std::nullopt;
  return Error{fmt::format("`{}` cannot be written", file)};
}

}  // namespace glint
