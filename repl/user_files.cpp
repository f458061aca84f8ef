#include "repl/user_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace glint {

namespace fs = std::filesystem;

std::string file_named(std::string_view typed) {
  bool quoted =
      typed.size() > 1 && (typed[0] == '"' || typed[0] == '\'') && typed.back() == typed[0];
  if (quoted) return std::string(typed.substr(1, typed.size() - 2));
  const char* home = std::getenv("HOME");
  bool at_home = typed == "~" || typed.starts_with("~/");
  return at_home && home ? home + std::string(typed.substr(1)) : std::string(typed);
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  char quote = 0;
  bool in_word = false;
  for (char c : text) {
    bool space = quote == 0 && (c == ' ' || c == '\t' || c == '\n');
    if (space) {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    if (quote == 0 && (c == '"' || c == '\''))
      quote = c;
    else if (c == quote)
      quote = 0;
    else
      words.back() += c;
  }
  return words;
}

std::optional<Error> write_file(const std::string& file, std::string_view text) {
  errno = 0;
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (out) return std::nullopt;
  return Error{fmt::format("`{}` cannot be written: {}", file,
                           errno != 0 ? std::strerror(errno) : "the disk is full")};
}

std::vector<std::string> files_beginning(std::string_view typed) {
  const size_t slash = typed.rfind('/') + 1;  // 0 where there is none
  const std::string_view folder = typed.substr(0, slash), prefix = typed.substr(slash);
  std::vector<std::string> found;
  std::error_code error;
  fs::directory_iterator each(slash == 0 ? std::string(".") : file_named(folder), error);
  for (; !error && each != fs::directory_iterator(); each.increment(error)) {
    std::string name = each->path().filename().string();
    bool hidden = name.starts_with('.') && !prefix.starts_with('.');
    if (hidden || !name.starts_with(prefix)) continue;
    std::error_code ignored;
    if (each->is_directory(ignored)) name += '/';
    found.push_back(std::string(folder) + name);
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace glint
