// What was typed at the REPL before: kept in order, searched, and saved between sessions.
//
// The file holds one entry a line; a newline inside an entry is written `\n` and a backslash `\\`,
// so an entry of several lines comes back as it was typed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace glint {

class History {
 public:
  static constexpr size_t kMostEntries = 2000;

  /// Reads the file if it is there; entries are appended to it as they are added. An empty path
  /// keeps the history in memory only, as does what is no file. A file that cannot be read or
  /// written is passed over.
  void open(std::string path);
  /// Adds an entry, unless it is empty or repeats the last one.
  void add(const std::string& entry);

  size_t size() const { return entries_.size(); }
  const std::string& operator[](size_t index) const { return entries_[index]; }
  /// The newest entry before `before` that starts with (or, for `search`, holds) `text`;
  /// `npos` when there is none.
  size_t previous_with_prefix(std::string_view text, size_t before) const;
  size_t next_with_prefix(std::string_view text, size_t after) const;
  size_t search(std::string_view text, size_t before) const;
  static constexpr size_t npos = static_cast<size_t>(-1);

 private:
  std::vector<std::string> entries_;
  std::string path_;
};

}  // namespace glint
