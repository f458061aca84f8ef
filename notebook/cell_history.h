// The cells that were run, and what was typed at the REPL before: one store for both, as the file
// of repl/history.h holds it.
//
//     session 0    what the file held when the kernel began, numbered from 1
//     session 1    this kernel's cells, by their own numbers
#pragma once

#include <string>
#include <vector>

#include "notebook/host.h"
#include "repl/history.h"

namespace glint::notebook {

/// Whether a text fits a pattern with `*` (any text) and `?` (any letter), as a whole.
bool fits_pattern(std::string_view pattern, std::string_view text);

class CellHistory {
 public:
  /// An empty path keeps the cells in memory only.
  explicit CellHistory(const std::string& file);
  void add(uint32_t number, const std::string& code);
  /// What Jupyter's `history_request` asks for, oldest first. A session below 1 counts back from
  /// this one, which is 0 there.
  std::vector<HistoryEntry> find(const HistoryRequest& request) const;

 private:
  History file_;
  std::vector<HistoryEntry> entries_;
};

}  // namespace glint::notebook
