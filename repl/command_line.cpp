#include "repl/command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "core/support/environment.h"
#include "repl/command_line_words.h"

namespace glint {
namespace {

using namespace words;

template <class R>
std::string written(const Option<R>& option) {
  return fmt::format("{}{}{}", option.flags, option.argument.empty() ? "" : " ", option.argument);
}

template <class R>
std::string option_lines(const Word<R>& word) {
  std::string text;
  for (const Option<R>& option : word.options)
    text += fmt::format("  {:<18} {}\n", written(option), option.meaning);
  return text;
}

/// What comes before options and arguments: `run`, `kernel install`.
template <class R>
std::string_view name_of(const Word<R>& word) {
  size_t end = word.usage.find_first_not_of("abcdefghijklmnopqrstuvwxyz ");
  std::string_view name = word.usage.substr(0, end);
  return name.substr(0, name.find_last_not_of(' ') + 1);
}

template <class R>
std::string help_of(const Word<R>& word) {
  std::string options = option_lines(word);
  return fmt::format("usage: glint {}\n\n{}\n{}{}", word.usage, word.meaning,
                     options.empty() ? "" : "\n", options);
}

constexpr std::pair<std::string_view, std::string_view> kExitCodes[] = {
    {"0", "all went well"},
    {"1",
     "the script ended with an exception; or there was nothing to show, to compare or to read"},
    {"2", "the command line or a variable is wrong, or a file cannot be opened"},
    {"N", "the script called `sys.exit(N)`"},
    {"130", "Ctrl-C, as a shell counts it"},
};

constexpr std::pair<std::string_view, std::string_view> kOwnOptions[] = {
    {"--version", "prints the version"},
    {"--help", "prints the help; behind a word, that word's"},
};

std::string general_help() {
  std::string text =
      "usage: glint [OPTIONS] [FILE | -c CODE | -] [ARGS]\n"
      "       glint WORD ...\n\n"
      "A glass-box tensor compiler. Without a script it starts the REPL; `glint < FILE` runs a "
      "script, `glint -i < FILE` enters its lines at the REPL.\n\n";
  for_each_word([&](const auto& word) {
    text += fmt::format("  glint {}\n      {}\n", word.usage, word.meaning);
  });
  text += "\nOptions of a run:\n" + option_lines(run_word());
  for (const auto& [name, meaning] : kOwnOptions)
    text += fmt::format("  {:<18} {}\n", name, meaning);
  text += "\nStages, for `--show` and `glint show --stage`:\n";
  for (const StageInfo& stage : stage_table())
    text += fmt::format("  {:<18} {}\n", stage.name, stage.description);
  text += "\nEnvironment variables (`glint doc NAME` lists the values of one):\n";
  for (const environment::VariableInfo& variable : environment::table())
    text += fmt::format("  {:<18} {}\n", variable.name, variable.meaning);
  text += "\nExit codes:\n";
  for (const auto& [code, meaning] : kExitCodes)
    text += fmt::format("  {:<18} {}\n", code, meaning);
  return text;
}

MessageRequest mistake(const std::string& complaint) {
  return {fmt::format("glint: {}\ntry `glint --help`\n", complaint), 2};
}

/// `glint help show`, as `glint show --help`.
MessageRequest help_of_word(std::string_view name) {
  if (std::optional<std::string> page = word_page(name)) return {*page, 0};
  std::string names;
  for_each_word([&](const auto& word) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", name_of(word));
  });
  return mistake(fmt::format("no word is called `{}`; there are {}", name, names));
}

template <class R>
const Option<R>* find_option(const Word<R>& word, std::string_view flags) {
  for (const Option<R>& option : word.options)
    if (option.flags == flags) return &option;
  return nullptr;
}

/// Whether it is several options of one letter, `-iq`, of which only the last may take a value.
template <class R>
bool are_letters(const Word<R>& word, const std::string& argument) {
  if (argument.size() < 3 || argument[0] != '-') return false;
  for (size_t i = 1; i < argument.size(); ++i) {
    const Option<R>* option = find_option(word, std::string{'-', argument[i]});
    if (!option || (i + 1 < argument.size() && !option->argument.empty())) return false;
  }
  return true;
}

/// `-iq` becomes `-i` and `-q`.
void take_apart(std::vector<std::string>& arguments, size_t at) {
  const std::string letters = arguments[at].substr(1);
  arguments.erase(arguments.begin() + static_cast<long>(at));
  for (size_t i = 0; i < letters.size(); ++i)
    arguments.insert(arguments.begin() + static_cast<long>(at + i), {'-', letters[i]});
}

template <class R>
Request parse_word(const Word<R>& word, std::span<const std::string> given) {
  std::vector<std::string> arguments(given.begin(), given.end());
  R request;
  std::vector<std::string> positional;
  size_t least_positional = word.least_positional;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (are_letters(word, arguments[i])) take_apart(arguments, i);
    const std::string argument = arguments[i];
    bool is_option = argument.size() > 1 && argument[0] == '-';
    if (!is_option) {
      positional.push_back(argument);
      if (!word.script_takes_rest) continue;
      positional.insert(positional.end(), arguments.begin() + static_cast<long>(i) + 1,
                        arguments.end());
      break;
    }
    if (argument == "--help" || argument == "-h") return MessageRequest{help_of(word), 0};
    const Option<R>* found = find_option(word, argument);
    if (!found) return mistake(fmt::format("unknown option `{}`", argument));
    std::string value;
    if (!found->argument.empty()) {
      if (i + 1 == arguments.size())
        return mistake(fmt::format("`{}` needs {}", argument, found->argument));
      value = arguments[++i];
    }
    if (found->stands_alone) least_positional = 0;
    if (auto complaint = found->apply(request, value)) return mistake(*complaint);
    if (argument == "-c") {
      positional.assign(arguments.begin() + static_cast<long>(i) + 1, arguments.end());
      break;
    }
  }
  if (positional.size() < least_positional)
    return mistake(fmt::format("usage: glint {}", word.usage));
  if (!word.script_takes_rest && positional.size() > word.most_positional) {
    return mistake(fmt::format("unexpected `{}`", positional[word.most_positional]));
  }
  word.finish(request, positional);
  return request;
}

/// `glint kernel install`, `glint kernel run`, `glint kernel execute`.
Request parse_kernel(std::span<const std::string> given) {
  const std::string action = given.empty() ? "" : given[0];
  if (action == "install") return parse_word(kernel_install_word(), given.subspan(1));
  if (action == "run") return parse_word(kernel_run_word(), given.subspan(1));
  if (action == "execute") return parse_word(kernel_execute_word(), given.subspan(1));
  if (action == "--help" || action == "-h") return help_of_word("kernel");
  return mistake("`glint kernel` is followed by `install`, `run` or `execute`");
}

}  // namespace

Request parse_command_line(const std::vector<std::string>& arguments) {
  std::span<const std::string> rest(arguments);
  if (rest.empty()) return RunRequest{};
  const std::string& first = rest[0];
  if (first == "--version" || first == "-V")
    return MessageRequest{fmt::format("glint {}\n", kVersion), 0};
  auto behind = rest.subspan(1);
  if (first == "help" && !behind.empty()) return help_of_word(behind[0]);
  if (first == "--help" || first == "-h" || first == "help")
    return MessageRequest{general_help(), 0};
  if (first == "run") return parse_word(run_word(), behind);
  if (first == "show") return parse_word(show_word(), behind);
  if (first == "bench") return parse_word(bench_word(), behind);
  if (first == "report") return parse_word(report_word(), behind);
  if (first == "explore") return parse_word(explore_word(), behind);
  if (first == "ir") return parse_word(ir_word(), behind);
  if (first == "doc") return parse_word(doc_word(), behind);
  if (first == "doctor") return parse_word(doctor_word(), behind);
  if (first == "kernel") return parse_kernel(behind);
  return parse_word(run_word(), rest);
}

std::vector<std::string> word_names() {
  std::vector<std::string> names;
  for_each_word([&](const auto& word) {
    const std::string_view name = name_of(word);
    names.emplace_back(name.substr(0, name.find(' ')));
  });
  return names;
}

std::optional<std::string> word_page(std::string_view name) {
  std::optional<std::string> page;
  for_each_word([&](const auto& word) {
    bool begins = name_of(word).starts_with(fmt::format("{} ", name));
    if (name_of(word) == name || begins) page = page ? *page + "\n" + help_of(word) : help_of(word);
  });
  return page;
}

std::string command_line_manual() {
  std::string text =
      "# The command line\n\nGenerated by `scripts/docs`. Everything behind FILE or CODE belongs "
      "to the script, as with CPython.\n";
  for_each_word([&](const auto& word) {
    text +=
        fmt::format("\n## glint {}\n\n`glint {}`: {}.\n", name_of(word), word.usage, word.meaning);
    if (!word.options.empty()) text += "\n| option | meaning |\n| --- | --- |\n";
    for (const auto& option : word.options)
      text += fmt::format("| `{}` | {} |\n", written(option), option.meaning);
  });
  text += "\n## Without a word\n\n| option | meaning |\n| --- | --- |\n";
  for (const auto& [name, meaning] : kOwnOptions)
    text += fmt::format("| `{}` | {} |\n", name, meaning);
  text +=
      "\n## Stages\n\nFor `--show` and `--stage`, and as commands of the REPL.\n\n| stage | what "
      "it shows |\n| --- | --- |\n";
  for (const StageInfo& stage : stage_table())
    text += fmt::format("| `{}` | {} |\n", stage.name, stage.description);
  text += "\n## Exit codes\n\n| code | meaning |\n| --- | --- |\n";
  for (const auto& [code, meaning] : kExitCodes)
    text += fmt::format("| {} | {} |\n", code, meaning);
  return text;
}

}  // namespace glint
