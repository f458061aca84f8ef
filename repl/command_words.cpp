#include "repl/command_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "core/support/interruption.h"
#include "repl/listing.h"
#include "repl/near_names.h"
#include "runtime/interpreter/interpreter.h"

namespace glint {
namespace {

constexpr std::string_view kSpace = " \t\n";

std::string in_small_letters(std::string_view word) {
  std::string small(word);
  for (char& c : small)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return small;
}

std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const Command& command : command_table()) names.emplace_back(command.name);
  return names;
}

std::string_view first_word(std::string_view text) {
  return text.substr(0, text.find_first_of(kSpace));
}

/// An option as it stands at the beginning or the end of the arguments.
struct TakenOption {
  std::string_view flag;
  std::string_view behind;  ///< up to the end of the arguments, or of those not yet taken
  bool is_at_end;
};

/// It is in the arguments no more then; nor is, of one at the end, what stands behind it.
std::optional<TakenOption> take_option(std::string_view& rest) {
  if (rest.starts_with("--")) {
    const std::string_view flag = first_word(rest);
    rest = trimmed(rest.substr(flag.size()));
    return TakenOption{flag, rest, false};
  }
  const size_t at = rest.rfind(" --");
  bool in_call = at != std::string_view::npos && rest.find(')', at) != std::string_view::npos;
  if (at == std::string_view::npos || in_call) return std::nullopt;
  const std::string_view tail = trimmed(rest.substr(at));
  rest = trimmed(rest.substr(0, at));
  const std::string_view flag = first_word(tail);
  return TakenOption{flag, trimmed(tail.substr(flag.size())), true};
}

/// Takes options (`--table`) from both ends of the arguments; gives a complaint about a wrong one.
std::optional<std::string> take_options(const Command& command, CommandContext& context) {
  std::string_view rest = trimmed(context.arguments);
  if (command.options.empty()) {
    context.arguments = rest;
    return std::nullopt;
  }
  while (const std::optional<TakenOption> taken = take_option(rest)) {
    auto option = std::ranges::find(command.options, taken->flag, &CommandOption::flag);
    if (option == command.options.end())
      return fmt::format("`:{}` has no option `{}`; usage: {}\n", command.name, taken->flag,
                         command_usage(command));
    if (context.option(taken->flag))
      return fmt::format("`{}` is there twice; usage: {}\n", taken->flag, command_usage(command));
    const bool has_value = !option->value.empty();
    const std::string_view value = has_value ? first_word(taken->behind) : std::string_view();
    if (has_value && value.empty())
      return fmt::format("{} follows `{}`; usage: {}\n",
                         option->value == "FILE" ? "a file" : "a number", taken->flag,
                         command_usage(command));
    if (!taken->is_at_end)
      rest = trimmed(rest.substr(value.size()));
    else if (value.size() < taken->behind.size())
      return fmt::format("usage: {}\n", command_usage(command));
    context.options.push_back({std::string(taken->flag), std::string(value)});
  }
  context.arguments = std::string(rest);
  return std::nullopt;
}

/// What is wrong with the arguments, or nothing.
std::optional<std::string> misuse(const Command& command, const CommandContext& context) {
  const std::string& text = context.arguments;
  bool several = text.find_first_of(kSpace) != std::string::npos;
  bool wrong = false;
  if (command.takes == Takes::kNothing) wrong = !text.empty();
  // `(lambda x: x)(y)`: what is called has no name to look its stages up by.
  if (command.takes == Takes::kFunction || command.takes == Takes::kName)
    wrong = (several && !is_call(text)) || text.starts_with('(');
  if (command.takes == Takes::kWord) wrong = several;
  if (command.takes == Takes::kFile || command.takes == Takes::kScript) wrong = text.empty();
  if (wrong) return fmt::format("usage: {}\n", command_usage(command));
  bool names = command.takes == Takes::kFunction && !text.empty() && !is_call(text);
  if (names && !is_known(context.session, text)) return unknown_name(context.session, text);
  return std::nullopt;
}

/// What F may be: the functions of the log, and the variables that hold one; `compiled`: only what
/// has stages of a region. What has no name, as a comprehension, nobody types.
std::vector<std::string> function_names(Session& session, bool compiled) {
  std::vector<std::string> names;
  for (std::string& each : logged_functions(session, compiled))
    if (!each.substr(each.rfind('.') + 1).starts_with('<')) names.push_back(std::move(each));
  for (std::string& each : session.names()) {
    const Whose whose = session.whose(each);
    const bool fits = whose.definition.known() &&
                      (!compiled || latest(session.log(), Stage::kGuards, whose) != nullptr);
    if (fits && std::ranges::find(names, each) == names.end()) names.push_back(std::move(each));
  }
  return names;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

bool is_call(std::string_view arguments) {
  return arguments.find('(') != std::string_view::npos;
}

std::string callee(const CommandContext& context) {
  const std::string_view arguments = context.arguments;
  return std::string(trimmed(arguments.substr(0, arguments.find('('))));
}

bool is_logged(Session& session, const Whose& whose) {
  auto names_it = [&](const Artifact& artifact) { return whose.has(artifact); };
  return std::ranges::any_of(session.log().artifacts(), names_it);
}

bool is_known(Session& session, const std::string& name) {
  return session.describe(name) || is_logged(session, session.whose(name));
}

bool is_function(Session& session, const std::string& name) {
  const Whose whose = session.whose(name);
  return whose.definition.known() || session.source_of(name) || is_logged(session, whose);
}

std::string unknown_name(Session& session, const std::string& name) {
  std::vector<std::string> names = session.names();
  for (std::string& each : logged_functions(session, false)) names.push_back(std::move(each));
  return fmt::format("nothing is called `{}` here{}\n", name, near_names(name, names));
}

std::vector<const Command*> commands_named(std::string_view word) {
  if (word.starts_with(':')) word.remove_prefix(1);
  std::vector<const Command*> found;
  for (const Command& command : command_table()) {
    if (command.name == word) return {&command};
    if (!word.empty() && command.name.starts_with(word)) found.push_back(&command);
  }
  return found;
}

std::string no_single_command(std::string_view word, const std::vector<const Command*>& found) {
  if (word.starts_with(':')) word.remove_prefix(1);
  if (word.empty()) return "a command follows `:`, as in `:graph`; :help lists them\n";
  if (found.empty())
    return fmt::format("no command is called `:{}`; :help lists them{}\n", word,
                       near_names(in_small_letters(word), all_names()));
  std::vector<std::string> names;
  for (const Command* command : found) names.push_back(fmt::format(":{}", command->name));
  return fmt::format("`:{}` may be {}\n", word, quoted_names(names));
}

std::optional<Whose> called_first(CommandContext& context) {
  if (!is_call(context.arguments)) return context.session.whose(context.arguments);
  if (!context.session.run_call(context.arguments)) return std::nullopt;
  return context.session.whose(callee(context));
}

std::optional<std::vector<std::string>> words_behind(Session& session, std::string_view name) {
  auto found = commands_named(name);
  if (found.size() != 1) return std::nullopt;
  if (found[0]->words) {
    std::vector<std::string> words = found[0]->words();
    if (found[0]->takes == Takes::kWords)
      for (std::string& each : function_names(session, false)) words.push_back(std::move(each));
    return words;
  }
  if (found[0]->takes != Takes::kFunction && found[0]->takes != Takes::kName) return std::nullopt;
  constexpr std::string_view kOfAnyFunction[] = {"program", "ast", "tokens"};
  bool any = std::ranges::find(kOfAnyFunction, found[0]->name) != std::end(kOfAnyFunction);
  std::vector<std::string> words = function_names(session, !any);
  for (const CommandOption& option : found[0]->options) words.emplace_back(option.flag);
  return words;
}

bool takes_file(std::string_view name, std::string_view arguments) {
  auto found = commands_named(name);
  if (found.size() != 1) return false;
  const Takes takes = found[0]->takes;
  if (takes == Takes::kFile || takes == Takes::kNewFile || takes == Takes::kScript) return true;
  return std::ranges::any_of(found[0]->options, [&](const CommandOption& option) {
    return option.value == "FILE" && arguments.ends_with(fmt::format("{} ", option.flag));
  });
}

EntryOutcome run_command(std::string_view line, CommandContext context, int& exit_code) {
  std::string_view rest = trimmed(line.substr(line.find(':') + 1));
  size_t end = std::min(rest.find_first_of(kSpace), rest.size());
  std::string_view word = rest.substr(0, end);
  context.arguments = std::string(rest.substr(end));
  std::vector<const Command*> found = commands_named(word);
  std::optional<std::string> complaint;
  if (found.size() != 1) complaint = no_single_command(word, found);
  if (!complaint) complaint = take_options(*found[0], context);
  if (!complaint) complaint = misuse(*found[0], context);
  if (complaint) {
    context.print(*complaint);
    return EntryOutcome::kRaised;
  }
  bool is_interrupted = false;
  try {
    found[0]->run(context);
  } catch (const interruption::Interrupted&) {
    interruption::take_back();
    is_interrupted = true;
  } catch (const std::exception& error) {
    context.print(fmt::format("internal error of glint: {}\n", error.what()));
  }
  // One that came too late to end it ends nothing that follows.
  is_interrupted = context.session.take_interrupt() || is_interrupted;
  exit_code = is_interrupted ? runtime::kInterruptedExit : context.exit_code;
  return is_interrupted ? EntryOutcome::kRaised : context.outcome;
}

}  // namespace glint
