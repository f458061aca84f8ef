#include "repl/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>

#include "backends/cuda/gpu_listing.h"
#include "repl/documentation.h"
#include "repl/drawing.h"
#include "repl/examples.h"
#include "repl/listing.h"
#include "repl/near_names.h"
#include "repl/render/text.h"
#include "repl/session_commands.h"
#include "repl/step_command.h"
#include "repl/user_files.h"
#include "repl/write_report.h"
#include "runtime/capture/executable.h"

namespace glint {
namespace {

constexpr std::string_view kSpace = " \t\n";

std::string_view trimmed(std::string_view text) {
  size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

bool is_call(std::string_view arguments) {
  return arguments.find('(') != std::string_view::npos;
}

std::vector<std::string> mode_words() {
  return {"eager", "compiled"};
}
std::vector<std::string> backend_words() {
  std::vector<std::string> names;
  for (const capture::BackendInfo& each : capture::backend_table()) names.emplace_back(each.name);
  return names;
}
/// The stages that a compile makes.
std::vector<std::string> watched_words() {
  std::vector<std::string> names;
  for (const StageInfo& stage : stage_table())
    if (stage.stage > Stage::kProgram) names.emplace_back(stage.name);
  return names;
}
std::vector<std::string> command_words() {
  std::vector<std::string> names;
  for (const Command& command : command_table()) names.emplace_back(command.name);
  return names;
}

/// Whether the script has the name, or the log a function of that name.
bool is_known(Session& session, const std::string& name) {
  if (session.describe(name)) return true;
  std::string logged = session.logged_name(name);
  auto names_it = [&](const Artifact& artifact) { return is_named(artifact.function, logged); };
  return std::ranges::any_of(session.log().artifacts(), names_it);
}

std::string unknown_name(Session& session, const std::string& name) {
  std::vector<std::string> names = session.names();
  for (std::string& each : logged_functions(session, false)) names.push_back(std::move(each));
  return fmt::format("nothing is called `{}` here{}\n", name, near_names(name, names));
}

/// Why there is nothing of a stage, of a function or of all.
std::string nothing_of(Session& session, std::string_view stage, const std::string& function) {
  if (stage == "program" || stage == "ast" || stage == "tokens")
    return function.empty() ? "nothing was entered yet\n"
                            : fmt::format("`{}` is no function of the script\n", function);
  std::vector<std::string> compiled = logged_functions(session, true);
  auto fits = [&](const std::string& name) { return is_named(name, function); };
  std::string whose = function.empty() ? "" : fmt::format(" of `{}`", function);
  bool has_graph = std::ranges::any_of(compiled, fits);
  if (has_graph || (!function.empty() && session.was_captured(function))) {
    std::string_view why = stage == "breaks" ? "no region ended early"
                           : has_graph       ? "the backend that it was compiled for makes none"
                                             : "no operator in it has a result that anything needs";
    return fmt::format("no {}{}: {}\n", stage, whose, why);
  }
  std::string others =
      compiled.empty() ? "" : fmt::format("; compiled so far: {}", quoted_names(compiled));
  return fmt::format("no {}{} yet; call {} under torch.compile first{}\n", stage, whose,
                     function.empty() ? "a function" : "it", others);
}

/// The newest artifact of a stage. Of what is made of a region's graph, that of the newest region:
/// null where its backend makes none; `function` is then the region's.
const Artifact* newest_of(const StageLog& log, Stage stage, std::string& function) {
  const Artifact* found = log.latest(stage);
  const Artifact* graph = log.latest(Stage::kGraph);
  bool made_of_graph = stage > Stage::kGraph && stage < Stage::kTime;
  if (!found || !graph || !made_of_graph || found->compile >= graph->compile) return found;
  function = graph->function;
  return nullptr;
}

/// Each under its heading; where they can be shown better, one by one.
void show_listings(CommandContext& context, const std::vector<Listing>& found) {
  if (!context.show) return context.print(with_headings(found, false));
  for (const Listing& each : found) context.show(each);
}

/// Shows a stage: the newest artifact, or all of the function that is named.
template <Stage kStage>
void show(CommandContext& context) {
  std::optional<std::string> function = called_first(context);
  if (!function) return;
  Session& session = context.session;
  std::string_view stage = stage_table()[static_cast<size_t>(kStage)].name;
  if (function->empty()) {
    const Artifact* artifact = newest_of(session.log(), kStage, *function);
    if (!artifact) return context.print(nothing_of(session, stage, *function));
    return show_listings(context, {{fmt::format("{} {}", stage, artifact->title()),
                                    render::text_of(*artifact, &session.sources()),
                                    artifact->function, artifact->lines()}});
  }
  std::vector<Listing> found =
      listings(session, {.stages = {kStage}, .function = *function, .newest_only = true});
  if (found.empty()) return context.print(nothing_of(session, stage, *function));
  show_listings(context, found);
}

/// What compiling cost, and what a call costs now.
void show_times(CommandContext& context) {
  std::optional<std::string> function = called_first(context);
  if (!function) return;
  context.arguments = *function;
  show<Stage::kTime>(context);
  context.print(context.session.call_times(*function));
}

void show_text(CommandContext& context, const Result<std::string>& text) {
  context.print(text ? *text : text.error().message + "\n");
}

/// `f.svg`, `f-2.svg`, ...: a picture for each graph.
void draw_graphs(CommandContext& context, const std::string& function) {
  auto graphs = context.session.graphs_as("dot", function);
  if (graphs.empty()) return context.print(nothing_of(context.session, "graph", function));
  for (size_t i = 0; i < graphs.size(); ++i) {
    std::filesystem::path file = context.value;
    if (i > 0)
      file.replace_filename(
          fmt::format("{}-{}{}", file.stem().string(), i + 1, file.extension().string()));
    if (auto fault = draw(graphs[i].second, file.string()))
      return context.print(fault->message + "\n");
    context.print(fmt::format("{} is drawn in `{}`\n", graphs[i].first, file.string()));
  }
}

/// Forward and backward in one graph; without a function, the newest.
void show_joint(CommandContext& context, const std::string& function) {
  std::vector<Listing> found = listings(
      context.session,
      {.stages = {Stage::kGraph}, .function = function, .newest_only = true, .joint = true});
  if (found.empty()) {
    std::string whose = function.empty() ? "" : fmt::format(" of `{}`", function);
    return context.print(fmt::format(
        "no joint graph{}: no gradient was taken inside, and no backward cut off\n", whose));
  }
  if (function.empty()) found.erase(found.begin(), found.end() - 1);
  show_listings(context, found);
}

void show_graph(CommandContext& context) {
  if (context.options.empty()) return show<Stage::kGraph>(context);
  std::optional<std::string> function = called_first(context);
  if (!function) return;
  if (context.options.back() == "--joint") return show_joint(context, *function);
  if (!context.value.empty()) return draw_graphs(context, *function);
  std::vector<Listing> found;
  std::string_view form = std::string_view(context.options.back()).substr(2);
  for (auto& [title, text] : context.session.graphs_as(form, *function))
    found.push_back({std::move(title), std::move(text)});
  if (found.empty()) return context.print(nothing_of(context.session, "graph", *function));
  show_listings(context, found);
}

void diverge(CommandContext& context) {
  std::optional<std::string> function = called_first(context);
  if (!function) return;
  auto regions = context.session.diverge(*function);
  if (!regions) return context.print(regions.error().message + "\n");
  std::vector<Listing> found;
  for (auto& [title, text] : *regions) found.push_back({std::move(title), std::move(text)});
  show_listings(context, found);
}
void bench(CommandContext& context) {
  show_text(context, context.session.bench(context.arguments));
}
void explain(CommandContext& context) {
  show_text(context, context.session.explain(context.arguments));
}
void report(CommandContext& context) {
  const std::string file =
      context.arguments.empty() ? "report.html" : file_named(context.arguments);
  auto fault = write_report(context.session, file);
  context.print(fault ? fault->message + "\n" : fmt::format("the report is in `{}`\n", file));
}
void why(CommandContext& context) {
  context.print(context.session.why_recompiled());
}

void mode(CommandContext& context) {
  if (context.arguments == "compiled")
    context.session.set_compile_everything(true);
  else if (context.arguments == "eager")
    context.session.set_compile_everything(false);
  else if (!context.arguments.empty())
    return context.print(fmt::format("no mode is called `{}`; a mode is `eager` or `compiled`\n",
                                     context.arguments));
  context.print(context.session.compile_everything() ? "compiled\n" : "eager\n");
}

void backend(CommandContext& context) {
  if (!context.arguments.empty() && !context.session.set_backend(context.arguments)) {
    return context.print(unknown_backend(context.arguments) + "\n");
  }
  context.print(context.session.backend() + "\n");
}

void doc(CommandContext& context) {
  context.print(documentation_of(context.session, context.arguments));
}

/// The commands that a word or its beginning names; `:graph` and `graph` are the same.
std::vector<const Command*> commands_named(std::string_view word) {
  if (word.starts_with(':')) word.remove_prefix(1);
  std::vector<const Command*> found;
  for (const Command& command : command_table()) {
    if (command.name == word) return {&command};
    if (!word.empty() && command.name.starts_with(word)) found.push_back(&command);
  }
  return found;
}

/// What is said of a word that names no command, or several.
std::string no_single_command(std::string_view word, const std::vector<const Command*>& found) {
  if (word.starts_with(':')) word.remove_prefix(1);
  if (word.empty()) return "a command follows `:`, as in `:graph`; :help lists them\n";
  if (found.empty())
    return fmt::format("no command is called `:{}`; :help lists them{}\n", word,
                       near_names(word, command_words()));
  std::vector<std::string> names;
  for (const Command* command : found) names.push_back(fmt::format(":{}", command->name));
  return fmt::format("`:{}` may be {}\n", word, quoted_names(names));
}

/// `:watch f kernels`, `:watch`, `:watch off f`.
void watch(CommandContext& context) {
  Watches& watches = *context.watches;
  std::vector<std::string> words = words_of(context.arguments);
  if (words.empty()) {
    const std::string text = watches.text();
    return context.print(text.empty() ? "nothing is watched\n" : text);
  }
  const std::string second = words.size() > 1 ? words[1] : "";
  if (words[0] == "off") {
    const size_t count = watches.drop(second.empty() ? "" : context.session.logged_name(second));
    return context.print(count == 1 ? "1 stage is no longer watched\n"
                                    : fmt::format("{} stages are no longer watched\n", count));
  }
  const std::optional<Stage> stage = second.empty() ? Stage::kGraph : find_stage(second);
  if (!stage || *stage <= Stage::kProgram)
    return context.print(fmt::format("no stage that a compile makes is called `{}`; there are {}\n",
                                     second, fmt::join(watched_words(), ", ")));
  if (!is_known(context.session, words[0]))
    return context.print(unknown_name(context.session, words[0]));
  watches.add(context.session, context.session.logged_name(words[0]), *stage);
  context.print(watches.text());
}

/// What ran there, of all kernels or those named so; else the launches of a function's kernels.
void gpu(CommandContext& context) {
  const std::string& name = context.arguments;
  const bool is_function = is_call(name) || (!name.empty() && is_known(context.session, name));
  if (cuda::has_run(name) || (!name.empty() && !is_function))
    return context.print(cuda::gpu_text(name));
  show<Stage::kGpu>(context);
}

void help(CommandContext& context) {
  if (!context.arguments.empty()) {
    auto found = commands_named(context.arguments);
    return context.print(found.size() == 1 ? command_page(*found[0])
                                           : no_single_command(context.arguments, found));
  }
  std::string text;
  for (const Command& command : command_table())
    text += fmt::format("  {:<28} {}\n", command_usage(command), command.meaning);
  text += "  ?name                        signature and documentation of a value\n";
  text += "  ??name                       the same, and the text of its definition\n";
  text +=
      "F is a function's name, or a call that is run first. `:help NAME` says more of a command.\n";
  text +=
      "An unambiguous beginning of a command will do: `:gu` is `:guards`. `exit()` or Ctrl-D "
      "leaves.\n";
  context.print(text);
}

constexpr CommandOption kGraphOptions[] = {
    {"--table", "a row an operation: opcode, name, target and arguments"},
    {"--dot", "a drawing, as text for Graphviz"},
    {"--joint", "forward and backward in one graph, as they are before a backward is cut off"},
    {"--svg", "the drawing as a picture; Graphviz must be installed", "FILE"},
};

constexpr CommandOption kStepOptions[] = {
    {"--graph", "the graph, node by node; the default where F is a function"},
    {"--passes", "pass by pass, with what each changed"},
    {"--kernels", "the kernels, statement by statement, at index 0 of the outermost loop"},
    {"--at", "the same at another index", "N"},
    {"--gpu", "a warp's first instructions on the simulated GPU, with registers"},
};

constexpr Command kCommands[] = {
    {"graph", "[--table|--dot|--joint|--svg FILE] [F]", "the operations of a compiled region",
     ":graph f", Takes::kFunction, show_graph, kGraphOptions},
    {"kernels", "[F]", "its loop nests and their schedule", ":kernels", Takes::kFunction,
     show<Stage::kKernels>},
    {"program", "[F]", "the register code that the interpreter runs", ":program f",
     Takes::kFunction, show<Stage::kProgram>},
    {"ast", "[F]", "the syntax tree of the last entry, or of a function", ":ast f",
     Takes::kFunction, show<Stage::kAst>},
    {"tokens", "[F]", "the tokens of the last entry, or of a function", ":tokens f",
     Takes::kFunction, show<Stage::kTokens>},
    {"guards", "[F]", "what must hold for compiled code to be used again", ":guards",
     Takes::kFunction, show<Stage::kGuards>},
    {"breaks", "[F]", "where a region ended early, and why", ":breaks halves", Takes::kFunction,
     show<Stage::kBreaks>},
    {"passes", "[F]", "what each pass changed", ":passes f", Takes::kFunction,
     show<Stage::kPasses>},
    {"fusion", "[F]", "which operations share a kernel, and why", ":fusion f", Takes::kFunction,
     show<Stage::kFusion>},
    {"memory", "[F]", "the buffers between kernels", ":memory f", Takes::kFunction,
     show<Stage::kMemory>},
    {"llvm", "[F]", "LLVM IR, after optimisation", ":llvm f", Takes::kFunction, show<Stage::kLlvm>},
    {"asm", "[F]", "the machine code that runs", ":asm f", Takes::kFunction,
     show<Stage::kAssembly>},
    {"cuda", "[F]", "the kernels as CUDA C++", ":cuda f", Takes::kFunction, show<Stage::kCuda>},
    {"ptx", "[F]", "the PTX of that, by NVRTC", ":ptx f", Takes::kFunction, show<Stage::kPtx>},
    {"sass", "[F]", "the GPU's machine code of that, by nvdisasm", ":sass f", Takes::kFunction,
     show<Stage::kSass>},
    {"gpu", "[KERNEL|F]", "launches on a GPU; of the simulated one, what each line did", ":gpu f",
     Takes::kName, gpu},
    {"step", "[--graph|--passes|--kernels|--at N|--gpu] [F|KERNEL]",
     "walks, forwards and backwards, through what ran last, with its values", ":step f",
     Takes::kName, step, kStepOptions},
    {"time", "[F]", "what each stage cost, and what a call costs now", ":time f", Takes::kFunction,
     show_times},
    {"diverge", "[F]", "of each region the first stage whose result differs, on its last inputs",
     ":diverge f", Takes::kFunction, diverge},
    {"bench", "CALL", "compares the call eager and compiled", ":bench f(x, y)", Takes::kCall,
     bench},
    {"explain", "CALL", "graphs, breaks and guards of a call", ":explain f(x, y)", Takes::kCall,
     explain},
    {"report", "[FILE]", "all stages so far as one HTML page; left out: `report.html`",
     ":report out.html", Takes::kNewFile, report},
    {"watch", "[F [STAGE]|off [F]]",
     "shows a stage, or the graph, again whenever F is compiled; without F, what is watched",
     ":watch f kernels", Takes::kWords, watch},
    {"vars", "[BEGINNING]", "the variables: type, shape, dtype, bytes, value", ":vars",
     Takes::kWord, show_variables},
    {"inputs", "", "what was entered, by its numbers: `_3` is what entry 3 showed", ":inputs",
     Takes::kNothing, show_inputs},
    {"save", "FILE", "writes what was entered as a script", ":save session.py", Takes::kFile,
     save_inputs},
    {"load", "FILE", "enters a file's lines as if they were typed, up to an error",
     ":load session.py", Takes::kFile, load_file},
    {"run", "FILE [ARGS]", "runs a script as `__main__` in this session",
     ":run session.py --steps 3", Takes::kScript, run_file},
    {"reset", "", "forgets the variables, what was entered and what was compiled", ":reset",
     Takes::kNothing, reset_session},
    {"why", "", "which guard failed at the last recompile", ":why", Takes::kNothing, why},
    {"mode",
     "[eager|compiled]",
     "whether what is typed here is compiled",
     ":mode compiled",
     Takes::kWord,
     mode,
     {},
     mode_words},
    {"backend",
     "[NAME]",
     "what compiled regions run on",
     ":backend interp",
     Takes::kWord,
     backend,
     {},
     backend_words},
    {"doc",
     "[NAME]",
     "an operator, a pass, a command, a diagnostic, a variable",
     ":doc relu",
     Takes::kWord,
     doc,
     {},
     page_names},
    {"help",
     "[COMMAND]",
     "this list, or a command with its options",
     ":help mode",
     Takes::kWord,
     help,
     {},
     command_words},
};

/// The option at the beginning or the end of the arguments, which it leaves there no more; the word
/// behind an option at the end goes with it.
std::optional<std::string_view> take_option(std::string_view& rest) {
  size_t end = std::min(rest.find_first_of(kSpace), rest.size());
  if (rest.starts_with("--")) {
    std::string_view word = rest.substr(0, end);
    rest = trimmed(rest.substr(end));
    return word;
  }
  size_t at = rest.rfind(" --");
  bool in_call = at != std::string_view::npos && rest.find(')', at) != std::string_view::npos;
  if (at == std::string_view::npos || in_call) return std::nullopt;
  std::string_view tail = trimmed(rest.substr(at));
  rest = trimmed(rest.substr(0, at));
  return tail.substr(0, tail.find_first_of(kSpace));
}

/// Takes options (`--table`) from both ends of the arguments; gives a complaint about a wrong one.
std::optional<std::string> take_options(const Command& command, CommandContext& context) {
  std::string_view rest = trimmed(context.arguments);
  if (command.options.empty()) {
    context.arguments = rest;
    return std::nullopt;
  }
  while (std::optional<std::string_view> word = take_option(rest)) {
    auto option = std::ranges::find(command.options, *word, &CommandOption::flag);
    if (option == command.options.end())
      return fmt::format("`:{}` has no option `{}`; usage: {}\n", command.name, *word,
                         command_usage(command));
    context.options.emplace_back(*word);
    size_t begin = static_cast<size_t>(word->data() - context.arguments.data()) + word->size();
    std::string_view behind = trimmed(std::string_view(context.arguments).substr(begin));
    if (option->value.empty()) {
      if (behind.empty() || behind == rest) continue;
      return fmt::format("usage: {}\n", command_usage(command));
    }
    // Its file stands behind it, also where the option is the last but one word.
    context.value = behind.substr(0, behind.find_first_of(kSpace));
    if (context.value.empty())
      return fmt::format("{} follows `{}`; usage: {}\n",
                         option->value == "FILE" ? "a file" : "a number", *word,
                         command_usage(command));
    if (rest.starts_with(context.value)) rest = trimmed(rest.substr(context.value.size()));
  }
  context.arguments = rest;
  return std::nullopt;
}

/// What is wrong with the arguments, or nothing.
std::optional<std::string> misuse(const Command& command, const CommandContext& context) {
  const std::string& text = context.arguments;
  bool several = text.find_first_of(kSpace) != std::string::npos;
  bool wrong = false;
  if (command.takes == Takes::kNothing) wrong = !text.empty();
  if (command.takes == Takes::kFunction || command.takes == Takes::kName)
    wrong = several && !is_call(text);
  if (command.takes == Takes::kWord) wrong = several;
  if (command.takes == Takes::kFile || command.takes == Takes::kScript) wrong = text.empty();
  if (wrong) return fmt::format("usage: {}\n", command_usage(command));
  bool names = command.takes == Takes::kFunction && !text.empty() && !is_call(text);
  if (names && !is_known(context.session, text)) return unknown_name(context.session, text);
  return std::nullopt;
}

}  // namespace

std::span<const Command> command_table() {
  return kCommands;
}

std::optional<std::string> called_first(CommandContext& context) {
  if (!is_call(context.arguments)) return context.session.logged_name(context.arguments);
  int exit_code = 0;
  if (context.session.run_entry(context.arguments, exit_code) != EntryOutcome::kDone)
    return std::nullopt;
  std::string_view called =
      std::string_view(context.arguments).substr(0, context.arguments.find('('));
  return context.session.logged_name(std::string(trimmed(called)));
}

std::string command_usage(const Command& command) {
  return fmt::format(":{}{}{}", command.name, command.arguments.empty() ? "" : " ",
                     command.arguments);
}

std::string command_page(const Command& command) {
  std::string page = fmt::format("{}\n\n  {}\n", command_usage(command), command.meaning);
  if (command.takes == Takes::kFunction)
    page += "  F is a function's name, or a call that is run first; left out: the newest\n";
  if (!command.options.empty()) page += "\n";
  for (const CommandOption& option : command.options)
    page += fmt::format("  {:<10} {}\n", fmt::format("{} {}", option.flag, option.value),
                        option.meaning);
  return page + "\n" + example_of(command.name);
}

std::optional<std::vector<std::string>> words_behind(Session& session, std::string_view name) {
  auto found = commands_named(name);
  if (found.size() != 1) return std::nullopt;
  if (found[0]->words) return found[0]->words();
  if (found[0]->takes != Takes::kFunction && found[0]->takes != Takes::kName) return std::nullopt;
  constexpr std::string_view kOfAnyFunction[] = {"program", "ast", "tokens"};
  bool any = std::ranges::find(kOfAnyFunction, found[0]->name) != std::end(kOfAnyFunction);
  std::vector<std::string> words = logged_functions(session, !any);
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

void show_watched(const CommandContext& context) {
  if (!context.watches) return;
  for (const Listing& each : context.watches->take_new(context.session))
    context.show ? context.show(each) : context.print(render::heading(each.title) + each.text);
}

std::string unknown_backend(std::string_view name) {
  return fmt::format("no backend is called `{}`; there are {}", name,
                     fmt::join(backend_words(), ", "));
}

void run_command(std::string_view line, CommandContext context) {
  std::string_view rest = trimmed(line.substr(line.find(':') + 1));
  size_t end = std::min(rest.find_first_of(kSpace), rest.size());
  std::string_view word = rest.substr(0, end);
  context.arguments = std::string(rest.substr(end));
  std::vector<const Command*> found = commands_named(word);
  if (found.size() != 1) return context.print(no_single_command(word, found));
  auto complaint = take_options(*found[0], context);
  if (!complaint) complaint = misuse(*found[0], context);
  if (complaint) return context.print(*complaint);
  try {
    found[0]->run(context);
  } catch (const std::exception& error) {
    context.print(fmt::format("internal error of glint: {}\n", error.what()));
  }
}

}  // namespace glint
