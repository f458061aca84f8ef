#include "repl/entry.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "repl/commands.h"
#include "repl/documentation.h"
#include "repl/render/colour.h"

namespace glint {
namespace {

/// The text behind the spaces that it begins with: no command is indented, and none is Python.
std::string_view behind_indent(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(' '), text.size()));
}

/// The words that may stand behind a command's name; nothing where names of the script do.
std::optional<Completion> complete_argument(Session& session, const std::string& before,
                                            size_t indent) {
  auto words =
      words_behind(session, before.substr(indent + 1, before.find(' ', indent) - indent - 1));
  if (!words) return std::nullopt;
  Completion completion{before.rfind(' ') + 1, {}};
  for (std::string& word : *words)
    if (word.starts_with(before.substr(completion.begin)))
      completion.candidates.push_back(std::move(word));
  return completion;
}

}  // namespace

bool is_command(std::string_view entry) {
  return behind_indent(entry).starts_with(':');
}

bool is_question(std::string_view entry) {
  return behind_indent(entry).starts_with('?') ||
         (entry.ends_with('?') && entry.find_first_of("\n#'\"") == std::string_view::npos);
}

std::string answer(Session& session, std::string_view question) {
  size_t begin = question.find_first_not_of("? ");
  if (begin == std::string_view::npos)
    return "a name goes with `?`, as in `?print`: how it is called and what it does\n";
  size_t end = question.find_last_not_of("? \n");
  std::string name(question.substr(begin, end - begin + 1));
  if (is_command(name)) return documentation_of(session, name);
  return session.describe(name).value_or(fmt::format("nothing is called `{}` here\n", name));
}

Completion complete(Session& session, const std::string& entry, size_t cursor) {
  std::string before = entry.substr(0, cursor);
  const size_t indent = before.size() - behind_indent(before).size();
  bool command_word = is_command(before) && before.find(' ', indent) == std::string::npos;
  bool in_call = before.find('(') != std::string::npos;
  if (is_command(before) && !command_word && !in_call)
    if (auto completion = complete_argument(session, before, indent)) return *completion;
  Completion completion;
  if (!command_word) {
    if (render::ends_inside_text(before)) return completion;
    completion.candidates = session.completions(before, completion.begin);
    return completion;
  }
  completion.begin = indent;
  for (const Command& command : command_table()) {
    std::string name = fmt::format(":{}", command.name);
    if (name.starts_with(behind_indent(before))) completion.candidates.push_back(name);
  }
  return completion;
}

}  // namespace glint
