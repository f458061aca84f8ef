#include "notebook/cell.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include "repl/entry.h"

namespace glint::notebook {
namespace {

std::optional<PieceKind> kind_of(std::string_view line) {
  if (is_command(line)) return PieceKind::kCommand;
  if (is_question(line)) return PieceKind::kQuestion;
  if (line == "%matplotlib" || line.starts_with("%matplotlib ")) return PieceKind::kNothing;
  if (line.size() < 2 || (line[0] != '%' && line[0] != '!')) return std::nullopt;
  const bool is_foreign = line[0] == '!' || line[1] == '%' || std::isalpha(line[1]) != 0;
  return is_foreign ? std::optional(PieceKind::kForeign) : std::nullopt;
}

}  // namespace

std::vector<Piece> pieces_of(std::string_view cell,
                             const std::function<bool(const std::string&)>& needs_more) {
  std::vector<Piece> pieces;
  std::string python;
  uint32_t number = 0, begin = 1;
  auto end_python = [&] {
    bool empty = python.find_first_not_of(" \t\r\n") == std::string::npos;
    if (!empty) pieces.push_back({PieceKind::kPython, python, begin});
    python.clear();
  };
  while (!cell.empty()) {
    ++number;
    size_t end = std::min(cell.find('\n'), cell.size());
    std::string_view line = cell.substr(0, end);
    cell.remove_prefix(std::min(end + 1, cell.size()));
    std::string_view entry = line.substr(0, line.find_last_not_of("\r \t") + 1);
    std::optional<PieceKind> kind = kind_of(entry);
    if (kind && (python.empty() || !needs_more(python))) {
      end_python();
      pieces.push_back({*kind, std::string(entry), number});
      continue;
    }
    if (python.empty()) begin = number;
    python += std::string(line) + "\n";
  }
  end_python();
  return pieces;
}

}  // namespace glint::notebook
