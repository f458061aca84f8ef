#include "repl/clauses.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "repl/pasted.h"
#include "repl/render/colour.h"

namespace glint {
namespace {

/// A clause, and what may stand before it.
struct Clause {
  std::string_view word;
  std::array<std::string_view, 6> openers;
};
constexpr Clause kClauses[] = {
    {"else", {"if", "elif", "for", "while", "try", "except"}},
    {"elif", {"if", "elif"}},
    {"except", {"try", "except"}},
    {"finally", {"try", "except", "else"}},
    {"case", {"case"}},
};

size_t indent_of(std::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

std::string_view first_word(std::string_view line) {
  line.remove_prefix(indent_of(line));
  return line.substr(0, line.find_first_of(" \t:(*"));
}

}  // namespace

std::string with_clause_placed(const std::string& text) {
  // What strings say is no clause and no statement.
  std::vector<std::string> lines = split_lines(render::without_texts(text));
  std::string_view line = lines.back();
  const auto* clause = std::ranges::find(kClauses, first_word(line), &Clause::word);
  if (clause == std::end(kClauses) || !line.ends_with(':')) return text;
  size_t indent = indent_of(line), limit = indent + 1;
  for (size_t i = lines.size() - 1; i-- > 0;) {
    size_t outer = indent_of(lines[i]);
    if (outer == lines[i].size() || outer >= limit) continue;
    limit = outer;
    // The first case of a `match` stands below it.
    if (clause->word == "case" && outer < indent && first_word(lines[i]) == "match") return text;
    bool opens = std::ranges::find(clause->openers, first_word(lines[i])) != clause->openers.end();
    if (!opens || first_word(lines[i]).empty()) continue;
    const size_t begin = text.size() - line.size();
    return text.substr(0, begin) + text.substr(begin + indent - outer);
  }
  return text;
}

}  // namespace glint
