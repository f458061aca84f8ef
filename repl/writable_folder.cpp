#include "repl/writable_folder.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <system_error>

namespace glint {
namespace {

std::string error_text() {
  return std::generic_category().message(errno);
}

/// As much as a disk gives out at a time.
std::optional<std::string> problem_of_writing(int file) {
  const std::array<char, 4096> bytes = {};
  const ssize_t written = ::write(file, bytes.data(), bytes.size());
  if (written < 0) return error_text();
  if (static_cast<size_t>(written) < bytes.size()) return std::generic_category().message(ENOSPC);
  return std::nullopt;
}

}  // namespace

std::filesystem::path existing_folder(std::filesystem::path folder) {
  std::error_code error;
  if (folder.is_relative()) folder = std::filesystem::current_path(error) / folder;
  while (!std::filesystem::exists(folder, error) && folder.has_relative_path())
    folder = folder.parent_path();
  return folder;
}

std::optional<std::string> write_problem(const std::filesystem::path& folder) {
  std::string name = (existing_folder(folder) / ".glint-tries-to-write-XXXXXX").string();
  const int file = ::mkstemp(name.data());
  if (file < 0) return error_text();
  std::optional<std::string> problem = problem_of_writing(file);
  // Over a network some errors come no earlier.
  if (::close(file) != 0 && !problem) problem = error_text();
  ::unlink(name.c_str());
  return problem;
}

}  // namespace glint
