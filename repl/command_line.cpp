#include "repl/command_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <span>

#include "core/support/environment.h"

namespace glint {
namespace {

/// One option of one word of the command line.
template <class R>
struct Option {
  std::string_view flags;     ///< `-c` or `--show`
  std::string_view argument;  ///< the name of what follows it; empty for a switch
  std::string_view meaning;
  /// Takes the value in; gives a complaint, or nothing.
  std::function<std::optional<std::string>(R&, const std::string& value)> apply;
  /// With it, no positional argument is needed.
  bool stands_alone = false;
};

/// One word: how it is written, its options, and what it does with the other arguments.
template <class R>
struct Word {
  std::string_view usage;
  std::string_view meaning;
  std::vector<Option<R>> options;
  size_t least_positional = 0;
  size_t most_positional = 0;
  /// Arguments behind the first positional one belong to the script.
  bool script_takes_rest = false;
  std::function<void(R&, const std::vector<std::string>& positional)> finish;
};

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= list.size();) {
    size_t end = std::min(list.find(',', begin), list.size());
    if (end > begin) parts.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::string stage_names() {
  std::string names;
  for (const StageInfo& stage : stage_table())
    names += (names.empty() ? "" : ", ") + std::string(stage.name);
  return names;
}

std::optional<std::string> add_stages(std::vector<Stage>& stages, const std::string& list) {
  for (const std::string& name : split(list)) {
    std::optional<Stage> stage = find_stage(name);
    if (!stage) return fmt::format("no stage is called `{}`; there are {}", name, stage_names());
    stages.push_back(*stage);
  }
  return std::nullopt;
}

/// `1,2`: one output, two tangents.
std::optional<std::string> set_cut(std::optional<CutRequest>& cut, const std::string& numbers) {
  CutRequest read;
  const char* end = numbers.data() + numbers.size();
  auto [comma, first] = std::from_chars(numbers.data(), end, read.outputs);
  bool good = first == std::errc() && comma != end && *comma == ',';
  if (good) {
    auto [rest, second] = std::from_chars(comma + 1, end, read.tangents);
    good = second == std::errc() && rest == end;
  }
  if (!good) return fmt::format("`--partition` takes two numbers, as in `1,2`, not `{}`", numbers);
  cut = read;
  return std::nullopt;
}

/// What a switch does: it turns a field of the request on.
template <class R>
auto sets(bool R::* field) {
  return [field](R& request, const std::string&) {
    request.*field = true;
    return std::optional<std::string>();
  };
}

/// What an option with a text does: it keeps it in a field.
template <class R>
auto stores(std::string R::* field) {
  return [field](R& request, const std::string& text) {
    request.*field = text;
    return std::optional<std::string>();
  };
}

template <class R>
auto stores(std::vector<Stage> R::* field) {
  return [field](R& request, const std::string& list) { return add_stages(request.*field, list); };
}

/// The options of a word that runs a script: its own, then those of all.
template <class R>
std::vector<Option<R>> with_common(std::vector<Option<R>> options) {
  options.push_back({"--compile", "", "compiles every function, without a change to the script",
                     sets(&R::compile_everything)});
  options.push_back(
      {"--backend", "NAME", "the backend that `inductor` stands for", stores(&R::backend)});
  return options;
}

const Word<RunRequest>& run_word() {
  using R = RunRequest;
  static const Word<R> word = {
      "run [OPTIONS] [FILE | -c CODE | -] [ARGS]",
      "runs a script, code, or standard input; without any, the REPL, or standard input where that "
      "is "
      "no terminal; `run` may be left out",
      with_common<R>(
          {{"-c", "CODE", "runs the code; it ends the options",
            [](R& r, const std::string& code) {
              r.source = ProgramSource::kCode;
              r.program = code;
              return std::optional<std::string>();
            }},
           {"-i", "",
            "goes on at the REPL when the script is done; without one, reads REPL entries, piped "
            "ones too",
            sets(&R::interactive_after)},
           {"-q", "", "no banner at the REPL", sets(&R::quiet)},
           {"--no-startup", "", "the REPL does not read its start-up file", sets(&R::no_startup)},
           {"--no-pager", "", "long texts at the REPL are written at once", sets(&R::no_pager)},
           {"--no-colour", "", "no colours at the REPL", sets(&R::no_colour)},
           {"--profile", "FILE",
            "writes what happened when, for the trace viewers of Perfetto and Chrome; see "
            "docs/timing.md",
            stores(&R::profile)},
           {"--show", "STAGES", "prints these stages as they happen, separated by commas",
            stores(&R::show)}}),
      0,
      1,
      true,
      [](R& r, const std::vector<std::string>& positional) {
        r.arguments = positional;
        if (r.source == ProgramSource::kCode || positional.empty()) return;
        r.source = positional[0] == "-" ? ProgramSource::kStandardInput : ProgramSource::kFile;
        r.program = positional[0];
        r.arguments.erase(r.arguments.begin());
      }};
  return word;
}

const Word<ShowRequest>& show_word() {
  using R = ShowRequest;
  static const Word<R> word = {
      "show [OPTIONS] FILE [FUNCTION]",
      "runs a script and prints every stage of a function, or of all",
      with_common<R>(
          {{"--stage", "STAGES", "only these stages, separated by commas", stores(&R::stages)},
           {"--joint", "",
            "only the graphs that hold forward and backward, as they are before a backward is cut "
            "off",
            sets(&R::joint)}}),
      1,
      2,
      false,
      [](R& r, const std::vector<std::string>& positional) {
        r.file = positional[0];
        if (positional.size() > 1) r.function = positional[1];
      }};
  return word;
}

const Word<BenchRequest>& bench_word() {
  using R = BenchRequest;
  static const Word<R> word = {
      "bench [OPTIONS] FILE [ARGS]",
      "compares eager and compiled for each function that a script compiles",
      with_common<R>({{"--function", "NAME", "only this function", stores(&R::function)}}),
      1,
      1,
      true,
      [](R& r, const std::vector<std::string>& positional) {
        r.file = positional[0];
        r.arguments.assign(positional.begin() + 1, positional.end());
      }};
  return word;
}

const Word<ReportRequest>& report_word() {
  using R = ReportRequest;
  static const Word<R> word = {
      "report [OPTIONS] FILE [ARGS]",
      "runs a script and writes all its stages as one HTML page, which opens without a network",
      with_common<R>(
          {{"-o", "PAGE", "where to; left out, the script's name with `.html`, in this folder",
            stores(&R::output)}}),
      1,
      1,
      true,
      [](R& r, const std::vector<std::string>& positional) {
        r.file = positional[0];
        r.arguments.assign(positional.begin() + 1, positional.end());
        // `report FILE -o PAGE`: behind the script the option is meant too.
        auto option = std::ranges::find(r.arguments, "-o");
        if (!r.output.empty() || r.arguments.end() - option < 2) return;
        r.output = *(option + 1);
        r.arguments.erase(option, option + 2);
      }};
  return word;
}

/// A port that anybody may listen at.
std::optional<std::string> set_port(int& port, const std::string& number) {
  int read = 0;
  auto [end, fault] = std::from_chars(number.data(), number.data() + number.size(), read);
  if (fault != std::errc() || end != number.data() + number.size() || read < 0 || read > 65535)
    return fmt::format("`--port` takes a number up to 65535, not `{}`", number);
  port = read;
  return std::nullopt;
}

const Word<ExploreRequest>& explore_word() {
  using R = ExploreRequest;
  static const Word<R> word = {
      "explore [OPTIONS] FILE [ARGS]",
      "serves the report of a script on this machine alone, and makes it anew as the script "
      "changes",
      with_common<R>({{"--port", "NUMBER", "the port of 127.0.0.1; left out: one that is free",
                       [](R& r, const std::string& number) { return set_port(r.port, number); }}}),
      1,
      1,
      true,
      [](R& r, const std::vector<std::string>& positional) {
        r.file = positional[0];
        r.arguments.assign(positional.begin() + 1, positional.end());
      }};
  return word;
}

const Word<IrRequest>& ir_word() {
  using R = IrRequest;
  static const Word<R> word = {
      "ir [OPTIONS] FILE",
      "reads Graph or Kernel IR (`-`: standard input), applies passes, prints or runs it",
      {{"--passes", "NAMES", "the passes to apply, in this order, separated by commas",
        [](R& r, const std::string& list) {
          r.passes = split(list);
          return std::optional<std::string>();
        }},
       {"--partition", "OUTPUTS,TANGENTS",
        "cuts a graph with its gradients into forward and backward: how many of the first outputs "
        "and the last parameters are the forward's outputs and their gradients",
        [](R& r, const std::string& numbers) { return set_cut(r.partition, numbers); }},
       {"--run", "", "runs it on made-up inputs and prints the outputs", sets(&R::run)},
       {"--list-passes", "", "lists the passes in their order; needs no FILE",
        sets(&R::list_passes), true}},
      1,
      1,
      false,
      [](R& r, const std::vector<std::string>& positional) {
        if (!positional.empty()) r.file = positional[0];
      }};
  return word;
}

const Word<DocRequest>& doc_word() {
  using R = DocRequest;
  static const Word<R> word = {
      "doc [--markdown] [NAME]",
      "explains an operator, a pass, a command, a diagnostic, a variable; without a name, lists "
      "them",
      {{"--markdown", "",
        "the whole page as it stands in docs/: operators, functions, commands, diagnostics, "
        "command_line",
        sets(&R::markdown)}},
      0,
      2,
      false,
      [](R& r, const std::vector<std::string>& positional) {
        r.name = fmt::format("{}", fmt::join(positional, " "));
      }};
  return word;
}

const Word<DoctorRequest>& doctor_word() {
  static const Word<DoctorRequest> word = {
      "doctor", "what was found on this machine, and what is missing", {}, 0, 0,
      false,    [](DoctorRequest&, const std::vector<std::string>&) {}};
  return word;
}

const Word<KernelInstallRequest>& kernel_install_word() {
  using R = KernelInstallRequest;
  static const Word<R> word = {
      "kernel install [OPTIONS]",
      "registers the Jupyter kernel, for notebooks; see docs/notebooks.md",
      {{"--prefix", "FOLDER", "below this folder, in share/jupyter/kernels", stores(&R::prefix)},
       {"--user", "", "for this user; the default",
        [](R& r, const std::string&) {
          r = {};
          return std::optional<std::string>();
        }},
       {"--sys-prefix", "", "in the Python environment that is active", sets(&R::in_environment)}},
      0,
      0,
      false,
      [](R&, const std::vector<std::string>&) {}};
  return word;
}

const Word<KernelRunRequest>& kernel_run_word() {
  using R = KernelRunRequest;
  static const Word<R> word = {
      "kernel run -f FILE",
      "is the Jupyter kernel; Jupyter calls it so, with a file that says where to listen",
      {{"-f", "FILE", "the connection file", stores(&R::connection_file), true}},
      1,
      0,
      false,
      [](R&, const std::vector<std::string>&) {}};
  return word;
}

const Word<KernelExecuteRequest>& kernel_execute_word() {
  using R = KernelExecuteRequest;
  static const Word<R> word = {
      "kernel execute [OPTIONS] FILE",
      "runs the cells of a notebook from a clean start, and writes it with what they gave; needs "
      "no "
      "Jupyter",
      {{"-o", "FILE", "where it is written; without it, in place", stores(&R::output)}},
      1,
      1,
      false,
      [](R& r, const std::vector<std::string>& behind) { r.notebook = behind[0]; }};
  return word;
}

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

/// Calls `visit` with each word, in the order of the help.
template <class F>
void for_each_word(F&& visit) {
  visit(run_word());
  visit(show_word());
  visit(bench_word());
  visit(report_word());
  visit(explore_word());
  visit(ir_word());
  visit(doc_word());
  visit(doctor_word());
  visit(kernel_install_word());
  visit(kernel_run_word());
  visit(kernel_execute_word());
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
