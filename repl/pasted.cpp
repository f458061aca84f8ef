#include "repl/pasted.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

namespace glint {
namespace {

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t") == std::string_view::npos;
}

bool is_indented(std::string_view line) {
  return line.starts_with(' ') || line.starts_with('\t');
}

/// Whether a line goes on with the statement whose block stands before it.
bool begins_clause(std::string_view line) {
  static constexpr std::array<std::string_view, 4> kClauses = {"else", "elif", "except", "finally"};
  std::string_view word = line.substr(0, line.find_first_of(" \t:("));
  for (std::string_view clause : kClauses)
    if (word == clause) return true;
  return false;
}

/// Whether the entry is over before the next line that has text.
bool ends_before(const std::string& entry, std::string_view next,
                 const std::function<bool(const std::string&)>& is_complete) {
  bool one_line = entry.find('\n') == std::string::npos;
  if (one_line && is_complete(entry)) return true;
  if (is_indented(next) || begins_clause(next)) return false;
  return is_complete(entry) || is_complete(entry + "\n");
}

/// The line behind `In [3]: ` or `   ...: `; nothing where it has no such prompt.
std::optional<std::string_view> behind_numbered_prompt(std::string_view line) {
  size_t end = std::string_view::npos;
  if (line.starts_with("In [")) {
    size_t number = line.find_first_not_of("0123456789", 4);
    if (number > 4 && line.substr(std::min(number, line.size())).starts_with("]:"))
      end = number + 2;
  } else if (size_t dots = line.find_first_not_of(' ');
             dots != std::string_view::npos && dots > 0) {
    if (line.substr(dots).starts_with("...:")) end = dots + 4;
  }
  if (end == std::string_view::npos) return std::nullopt;
  line.remove_prefix(end);
  return line.starts_with(' ') ? line.substr(1) : line;
}

/// The line without a prompt at its start; nothing where it has none.
std::optional<std::string_view> behind_prompt(std::string_view line) {
  for (std::string_view prompt : {">>> ", "... ", ">>>"})
    if (line.starts_with(prompt)) return line.substr(prompt.size());
  if (line == "...") return "";
  return behind_numbered_prompt(line);
}

/// Whether text from a session begins here. `...` may be Python's own, if it stands alone.
bool has_prompts(std::span<const std::string> lines) {
  const std::string& first = lines.front();
  if (!first.starts_with("...")) return behind_prompt(first).has_value();
  auto is_typed = [](const std::string& line) { return is_blank(line) || behind_prompt(line); };
  return lines.size() > 1 && std::ranges::all_of(lines, is_typed);
}

std::string joined(std::span<const std::string> lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  if (!text.empty()) text.pop_back();
  return text;
}

}  // namespace

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines(1);
  for (char c : text) {
    if (c == '\n')
      lines.emplace_back();
    else
      lines.back() += c;
  }
  return lines;
}

std::string without_prompts(std::string_view text) {
  std::vector<std::string> lines = split_lines(text);
  size_t first = 0;
  while (first + 1 < lines.size() && is_blank(lines[first])) ++first;
  if (!has_prompts(std::span(lines).subspan(first))) return std::string(text);
  std::vector<std::string> typed;
  for (const std::string& line : lines)
    if (auto behind = behind_prompt(line)) typed.emplace_back(*behind);
  // The end of the last line is typed too.
  if (lines.back().empty()) typed.emplace_back();
  return joined(typed);
}

std::string without_margin(std::string_view text) {
  std::vector<std::string> lines = split_lines(text);
  std::optional<std::string> margin;
  for (const std::string& line : lines) {
    if (is_blank(line)) continue;
    if (!margin) margin = line.substr(0, line.find_first_not_of(" \t"));
    if (!line.starts_with(*margin)) return std::string(text);
  }
  if (!margin || margin->empty()) return std::string(text);
  for (std::string& line : lines) line.erase(0, std::min(margin->size(), line.size()));
  return joined(lines);
}

PastedEntries split_pasted(std::string_view text,
                           const std::function<bool(const std::string&)>& is_complete) {
  std::vector<std::string> lines = split_lines(text);
  PastedEntries found;
  auto next_text = [&](size_t line) {
    while (line < lines.size() && is_blank(lines[line])) ++line;
    return line;
  };
  std::span<const std::string> all(lines);
  size_t begin = next_text(0);
  for (size_t end = begin + 1; begin < lines.size(); ++end) {
    size_t next = next_text(end);
    std::string entry = joined(all.subspan(begin, end - begin));
    if (next < lines.size() && !ends_before(entry, lines[next], is_complete)) {
      end = next;
      continue;
    }
    bool line_ended = end < lines.size();
    if (next == lines.size()) entry = joined(all.subspan(begin));
    // The last entry of the text is complete as it would be at Enter, which its last line end is.
    bool at_enter = line_ended && is_complete(entry.substr(0, entry.size() - 1));
    if (next == lines.size() && !at_enter) {
      found.rest = entry;
      break;
    }
    size_t last = entry.find_last_not_of('\n');
    found.complete.push_back(entry.substr(0, last + 1));
    begin = next;
    end = begin;
  }
  return found;
}

}  // namespace glint
