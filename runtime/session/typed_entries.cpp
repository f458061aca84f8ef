#include "runtime/session/typed_entries.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>

#include "frontend/parse.h"

namespace glint {
namespace {

using frontend::Mode;

bool is_name_part(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// `_`, `__`, `___`, `_12`.
bool names_output(std::string_view word) {
  if (!word.starts_with('_')) return false;
  std::string_view rest = word.substr(1);
  return rest == "" || rest == "_" || rest == "__" ||
         rest.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Whether the text has a word that may mean what an entry showed.
bool reads_output(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    while (end < text.size() && is_name_part(text[end])) ++end;
    if (names_output(text.substr(i, end - i))) return true;
    i = std::max(end, i + 1);
  }
  return false;
}

/// The text without the empty lines around it.
std::string_view without_margins(std::string_view text) {
  size_t begin = std::min(text.find_first_not_of("\r\n"), text.size());
  text.remove_prefix(begin);
  return text.substr(0, text.find_last_not_of(" \r\n") + 1);
}

/// Where the text's last statement begins, if that is an expression.
std::optional<size_t> last_expression(std::string_view text) {
  auto parsed = frontend::parse(text, SourceId{1}, Mode::kCell);
  auto* tree = std::get_if<frontend::Module>(&parsed);
  if (!tree || tree->body.empty()) return std::nullopt;
  const frontend::Statement& last = *tree->body.back();
  if (!std::holds_alternative<frontend::ExpressionStatement>(last.node)) return std::nullopt;
  size_t line_begin = 0;
  for (uint32_t line = 1; line < last.span.line; ++line)
    line_begin = text.find('\n', line_begin) + 1;
  return line_begin + last.span.column;
}

/// An entry with names for the value that it shows.
std::string with_output_named(const TypedEntry& entry, std::string_view text) {
  std::optional<size_t> at = entry.shows ? last_expression(text) : std::nullopt;
  if (!at) return std::string(text) + "\n";
  return fmt::format("{}_{} = {}\n_, __, ___ = _{}, _, __\n", text.substr(0, *at), entry.number,
                     text.substr(*at), entry.number);
}

std::string as_comment(const TypedEntry& entry, std::string_view text) {
  std::string comment = fmt::format("# raised {}:\n# ", entry.raised);
  for (char c : text) {
    comment += c;
    if (c == '\n') comment += "# ";
  }
  return comment + "\n";
}

}  // namespace

void TypedEntries::begin(uint32_t number, std::string text) {
  entries_.push_back({number, std::move(text)});
}

void TypedEntries::note_raised(std::string exception) {
  if (!entries_.empty()) entries_.back().raised = std::move(exception);
}

void TypedEntries::note_shown(const runtime::Value& value) {
  if (entries_.empty()) return;
  runtime::DictObject& names = interpreter_.builtins();
  auto move_on = [&](std::string_view from, std::string_view to) {
    if (runtime::Value* found = names.table.find(from)) names.set(to, runtime::Value(*found));
  };
  move_on("__", "___");
  move_on("_", "__");
  TypedEntry& entry = entries_.back();
  entry.shows = true;
  names.set(fmt::format("_{}", entry.number), value);
  std::erase(outputs_, entry.number);
  outputs_.push_back(entry.number);
  if (outputs_.size() <= kKeptOutputs) return;
  names.erase(runtime::intern(fmt::format("_{}", outputs_.front())).get());
  outputs_.pop_front();
}

void TypedEntries::clear() {
  runtime::DictObject& names = interpreter_.builtins();
  for (uint32_t number : outputs_) names.erase(runtime::intern(fmt::format("_{}", number)).get());
  for (std::string_view name : {"_", "__", "___"}) names.erase(runtime::intern(name).get());
  outputs_.clear();
  entries_.clear();
}

std::string TypedEntries::script() const {
  bool names_outputs =
      std::ranges::any_of(entries_, [](const TypedEntry& each) { return reads_output(each.text); });
  std::string text = names_outputs ? "_ = __ = ___ = None\n" : "";
  for (const TypedEntry& entry : entries_) {
    std::string_view own = without_margins(entry.text);
    if (own.empty()) continue;
    if (!entry.raised.empty())
      text += as_comment(entry, own);
    else
      text += names_outputs ? with_output_named(entry, own) : std::string(own) + "\n";
  }
  return text;
}

}  // namespace glint
