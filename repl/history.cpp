#include "repl/history.h"

#include <filesystem>
#include <fstream>

namespace glint {
namespace {

std::string escape(std::string_view entry) {
  std::string line;
  for (char c : entry) {
    if (c == '\\')
      line += "\\\\";
    else if (c == '\n')
      line += "\\n";
    else
      line += c;
  }
  return line;
}

std::string unescape(std::string_view line) {
  std::string entry;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '\\' || i + 1 == line.size()) {
      entry += line[i];
      continue;
    }
    ++i;
    entry += line[i] == 'n' ? '\n' : line[i];
  }
  return entry;
}

}  // namespace

void History::open(std::string path) {
  // A device may have no end, a pipe waits for who is at its other end.
  std::error_code ignored;
  const auto kind = std::filesystem::status(path, ignored).type();
  if (kind != std::filesystem::file_type::regular && kind != std::filesystem::file_type::not_found)
    return;
  path_ = std::move(path);
  std::ifstream in(path_);
  std::string line;
  while (std::getline(in, line)) entries_.push_back(unescape(line));
  if (entries_.size() <= kMostEntries) return;
  entries_.erase(entries_.begin(), entries_.end() - kMostEntries);
  in.close();
  std::ofstream out(path_, std::ios::trunc);
  for (const std::string& entry : entries_) out << escape(entry) << '\n';
}

void History::add(const std::string& entry) {
  if (entry.empty() || (!entries_.empty() && entries_.back() == entry)) return;
  entries_.push_back(entry);
  if (path_.empty()) return;
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(path_).parent_path(), ignored);
  std::ofstream out(path_, std::ios::app);
  out << escape(entry) << '\n';
}

size_t History::previous_with_prefix(std::string_view text, size_t before) const {
  for (size_t i = std::min(before, entries_.size()); i > 0; --i) {
    if (std::string_view(entries_[i - 1]).starts_with(text)) return i - 1;
  }
  return npos;
}

size_t History::next_with_prefix(std::string_view text, size_t after) const {
  for (size_t i = after + 1; i < entries_.size(); ++i) {
    if (std::string_view(entries_[i]).starts_with(text)) return i;
  }
  return npos;
}

size_t History::search(std::string_view text, size_t before) const {
  for (size_t i = std::min(before, entries_.size()); i > 0; --i) {
    if (entries_[i - 1].find(text) != std::string::npos) return i - 1;
  }
  return npos;
}

}  // namespace glint
