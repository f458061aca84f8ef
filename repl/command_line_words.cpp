#include "repl/command_line_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

namespace glint::words {
namespace {

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

}  // namespace

const Word<RunRequest>& run_word() {
  using R = RunRequest;
  static const Word<R> word = {
      "run [OPTIONS] [FILE | -c CODE | -] [ARGS]",
      "runs a script, code, or standard input; without any, the REPL, or standard input where "
      "that is no terminal; `run` may be left out",
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
      "runs the cells of a notebook from a clean start, and writes it with what they gave; "
      "needs no Jupyter",
      {{"-o", "FILE", "where it is written; without it, in place", stores(&R::output)}},
      1,
      1,
      false,
      [](R& r, const std::vector<std::string>& behind) { r.notebook = behind[0]; }};
  return word;
}

}  // namespace glint::words
