#include "runtime/session/typed_entries.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
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
  return rest.empty() || rest == "_" || rest == "__" ||
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

/// The statements that show their value, from the last to the first: those outside of definitions.
class ShownStatements {
 public:
  explicit ShownStatements(const TypedEntry& entry, std::string_view text) {
    auto parsed = frontend::parse(text, SourceId{1}, Mode::kCell);
    auto* tree = std::get_if<frontend::Module>(&parsed);
    if (!tree || tree->body.empty()) return;
    if (entry.is_cell)
      look_at(*tree->body.back(), false);
    else
      look_at(tree->body);
    std::ranges::reverse(spans);
  }

  std::vector<Span> spans;

 private:
  void look_at(const frontend::Block& block) {
    for (const auto& statement : block) look_at(*statement, true);
  }
  void look_at(const frontend::Statement& statement, bool inside) {
    if (std::holds_alternative<frontend::ExpressionStatement>(statement.node))
      spans.push_back(statement.span);
    if (inside) std::visit([&](const auto& node) { look_inside(node); }, statement.node);
  }
  void look_inside(const frontend::If& node) {
    look_at(node.then);
    look_at(node.otherwise);
  }
  void look_inside(const frontend::While& node) {
    look_at(node.body);
    look_at(node.otherwise);
  }
  void look_inside(const frontend::For& node) {
    look_at(node.body);
    look_at(node.otherwise);
  }
  void look_inside(const frontend::Try& node) {
    look_at(node.body);
    for (const frontend::ExceptClause& each : node.handlers) look_at(each.body);
    look_at(node.otherwise);
    look_at(node.finally);
  }
  void look_inside(const frontend::With& node) { look_at(node.body); }
  void look_inside(const frontend::Match& node) {
    for (const frontend::MatchCase& each : node.cases) look_at(each.body);
  }
  void look_inside(const auto&) {}
};

size_t place_in(std::string_view text, uint32_t line, uint32_t column) {
  size_t begin = 0;
  for (uint32_t each = 1; each < line; ++each) begin = text.find('\n', begin) + 1;
  return begin + column;
}

/// The functions of a script that reads what entries showed: `{0}` is what their names end with.
constexpr std::string_view kOutputNames = R"(_outputs{0} = {{}}
def _shown{0}(number, value):
    """Names a value as the session did, `_` and, of entry 3, `_3`: but for names of the script."""
    if value is None:
        return
    last, before = _outputs{0}.get("_"), _outputs{0}.get("__")
    named = {{"_": value, "__": last, "___": before, f"_{{number}}": value}}
    for name, value in named.items():
        if value is not None and globals().get(name) is _outputs{0}.get(name):
            globals()[name] = value
    _outputs{0}.update(named)

def _end_outputs{0}():
    for name, value in _outputs{0}.items():
        if value is not None and globals().get(name) is value:
            del globals()[name]

)";
constexpr std::string_view kOutputsEnd =
    "_end_outputs{0}()\ndel _outputs{0}, _shown{0}, _end_outputs{0}\n";

/// An entry that names the values that it shows.
std::string with_outputs_named(const TypedEntry& entry, std::string_view text,
                               std::string_view suffix) {
  std::string script(text);
  if (!entry.shows) return script + "\n";
  for (const Span& span : ShownStatements(entry, text).spans) {
    script.insert(place_in(text, span.end_line, span.end_column), "))");
    script.insert(place_in(text, span.line, span.column),
                  fmt::format("_shown{}({}, (", suffix, entry.number));
  }
  return script + "\n";
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

void TypedEntries::begin(uint32_t number, std::string text, bool is_cell) {
  entries_.push_back({number, std::move(text), is_cell});
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
  const bool names_outputs =
      std::ranges::any_of(entries_, [](const TypedEntry& each) { return reads_output(each.text); });
  // What was loaded may be such a script itself, and the user's names go before.
  std::string suffix;
  auto has_names = [&](const TypedEntry& each) {
    return std::ranges::any_of(std::array{"_shown", "_outputs"}, [&](std::string_view name) {
      return each.text.find(fmt::format("{}{}", name, suffix)) != std::string::npos;
    });
  };
  while (std::ranges::any_of(entries_, has_names)) suffix += "_";
  std::string text = names_outputs ? fmt::format(kOutputNames, suffix) : "";
  for (const TypedEntry& entry : entries_) {
    std::string_view own = without_margins(entry.text);
    if (own.empty()) continue;
    if (!entry.raised.empty())
      text += as_comment(entry, own);
    else
      text += names_outputs ? with_outputs_named(entry, own, suffix) : std::string(own) + "\n";
  }
  return names_outputs ? text + fmt::format(kOutputsEnd, suffix) : text;
}

}  // namespace glint
