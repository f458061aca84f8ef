#include "repl/entry.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "repl/documentation.h"
#include "repl/near_names.h"
#include "repl/render/colour.h"
#include "repl/render/text.h"
#include "repl/user_files.h"
#include "runtime/interpreter/interpreter.h"

namespace glint {
namespace {

/// The text behind the spaces that it begins with: no command is indented, and none is Python.
std::string_view behind_indent(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(' '), text.size()));
}

/// What may stand behind a command's name; nothing where names of the script do.
std::optional<Completion> complete_argument(Session& session, const std::string& before,
                                            size_t indent) {
  const size_t name_end = before.find(' ', indent);
  const std::string name = before.substr(indent + 1, name_end - indent - 1);
  const size_t begin = before.rfind(' ') + 1;
  if (takes_file(name, before.substr(name_end, begin - name_end)))
    return Completion{begin, files_beginning(before.substr(begin))};
  auto words = words_behind(session, name);
  if (!words) return std::nullopt;
  Completion completion{begin, {}};
  for (std::string& word : *words)
    if (word.starts_with(before.substr(begin))) completion.candidates.push_back(std::move(word));
  // `net.head`: an attribute of a variable.
  const bool is_attribute = before.find('.', begin) != std::string::npos;
  if (completion.candidates.empty() && is_attribute) return std::nullopt;
  return completion;
}

/// Adds Python's keywords where a name may stand that begins as they do.
void add_keywords(std::string_view before, Completion& completion) {
  const std::string_view word = before.substr(completion.begin);
  std::string_view line = behind_indent(before.substr(before.find_last_of("\n;") + 1));
  const bool imports = line.starts_with("import ") || line.starts_with("from ");
  const bool is_attribute = completion.begin > 0 && before[completion.begin - 1] == '.';
  if (word.empty() || is_attribute || imports) return;
  for (std::string_view keyword : render::python_keywords())
    if (keyword.starts_with(word)) completion.candidates.emplace_back(keyword);
}

}  // namespace

bool is_command(std::string_view entry) {
  return behind_indent(entry).starts_with(':');
}

bool is_question(std::string_view entry) {
  return behind_indent(entry).starts_with('?') ||
         (entry.ends_with('?') && entry.find_first_of("\n#'\"") == std::string_view::npos);
}

std::string answer(Session& session, std::string_view question, bool colours) {
  size_t begin = question.find_first_not_of("? ");
  if (begin == std::string_view::npos)
    return "a name goes with `?`, as in `?print`: how it is called and what it does\n";
  size_t end = question.find_last_not_of("? \n");
  std::string name(question.substr(begin, end - begin + 1));
  if (is_command(name)) return documentation_of(session, name);
  std::optional<std::string> page = session.describe(name);
  if (!page) page = session.describe_library(name);
  if (!page)
    return fmt::format("nothing is called `{}` here{}\n", name, near_names(name, session.names()));
  bool asks_for_source = question.find("??") != std::string_view::npos;
  *page = render::with_controls_escaped(*page);
  if (!asks_for_source) return *page;
  std::optional<std::string> source = session.source_of(name);
  if (!source) return *page + "\nit is not written in Python: there is no text of it\n";
  *source = render::with_controls_escaped(*source);
  return *page + "\n" + (colours ? render::highlight_python(*source) : *source);
}

EntryOutcome enter(const std::string& entry, const CommandContext& context, int& exit_code) {
  EntryOutcome outcome = EntryOutcome::kDone;
  if (is_command(entry)) {
    outcome = run_command(entry, context, exit_code);
    if (exit_code == runtime::kInterruptedExit) context.print("KeyboardInterrupt\n");
  } else if (is_question(entry)) {
    context.print(answer(context.session, entry, context.colours));
  } else {
    outcome = context.session.run_entry(entry, exit_code);
  }
  show_watched(context);
  if (context.finish) context.finish();
  return outcome;
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
    if (std::optional<size_t> begin = render::open_string(before)) {
      std::vector<std::string> keys = session.keys_beginning(before, *begin);
      return {*begin, keys.empty() ? files_beginning(before.substr(*begin)) : keys};
    }
    if (render::ends_inside_text(before)) return completion;
    completion.candidates = session.completions(before, completion.begin);
    add_keywords(before, completion);
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
