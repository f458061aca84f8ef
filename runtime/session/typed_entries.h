// What was typed in a session, entry by entry, and the values that entries showed.
//
//     <repl 1>   x = 2         _      what was shown last, as in CPython
//     <repl 2>   x + 1         __     what was shown before that, ___ before that
//     3                        _2     what entry 2 showed
//
// The names are builtins: a variable of the script's that is called `_` goes before them. The last
// `kKeptOutputs` values are held. `script` is what `:save` writes.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "runtime/interpreter/interpreter.h"

namespace glint {

struct TypedEntry {
  uint32_t number = 0;  ///< as in `<repl 3>` or `<cell 3>`
  std::string text;
  bool is_cell = false;     ///< of which the last statement alone shows its value
  bool shows = false;       ///< a value
  std::string raised = {};  ///< the name of the exception that ended it
};

class TypedEntries {
 public:
  static constexpr size_t kKeptOutputs = 100;

  explicit TypedEntries(runtime::Interpreter& interpreter) : interpreter_(interpreter) {}

  /// What is shown and raised from now on is this entry's.
  void begin(uint32_t number, std::string text, bool is_cell = false);
  void note_raised(std::string exception);
  /// Called with each value that is shown, before `_` is set to it.
  void note_shown(const runtime::Value& value);
  /// Forgets the entries, and the names of what they showed.
  void clear();

  const std::vector<TypedEntry>& all() const { return entries_; }
  /// A script that does what the entries did; those that raised are comments of it. Where an entry
  /// reads what another one showed, the script gives those values their names until it ends.
  std::string script() const;
  /// The files that have it: they may be written again without being asked for it.
  void note_saved_in(std::filesystem::path file) { saved_.insert(std::move(file)); }
  bool is_saved_in(const std::filesystem::path& file) const { return saved_.contains(file); }

 private:
  runtime::Interpreter& interpreter_;
  std::vector<TypedEntry> entries_;
  std::deque<uint32_t> outputs_;  ///< the numbers of those that are held
  std::set<std::filesystem::path> saved_;
};

}  // namespace glint
