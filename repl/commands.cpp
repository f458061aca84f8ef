#include "repl/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include "backends/cuda/listing/gpu_listing.h"
#include "core/support/interruption.h"
#include "repl/command_words.h"
#include "repl/documentation.h"
#include "repl/drawing.h"
#include "repl/examples.h"
#include "repl/listing.h"
#include "repl/near_names.h"
#include "repl/profile_file.h"
#include "repl/raw_kernels.h"
#include "repl/render/code.h"
#include "repl/render/html.h"
#include "repl/render/narrow.h"
#include "repl/render/text.h"
#include "repl/session_commands.h"
#include "repl/step_command.h"
#include "repl/user_files.h"
#include "repl/write_report.h"
#include "runtime/capture/executable.h"

namespace glint {
namespace {

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
std::vector<std::string> watch_words() {
  std::vector<std::string> words = watched_words();
  words.emplace_back("off");
  return words;
}
std::vector<std::string> command_words() {
  std::vector<std::string> names;
  for (const Command& command : command_table()) names.emplace_back(command.name);
  return names;
}

/// Why there is nothing of a stage, of a function or of all.
std::string nothing_of(Session& session, std::string_view stage, const Whose& whose) {
  const std::string& function = whose.name;
  if (stage == "program" || stage == "ast" || stage == "tokens")
    return function.empty() ? "nothing was entered yet\n"
                            : fmt::format("`{}` is no function of the script\n", function);
  std::string of_whom = function.empty() ? "" : fmt::format(" of `{}`", function);
  bool has_graph = latest(session.log(), Stage::kGraph, whose) != nullptr;
  if (has_graph || (!function.empty() && session.was_captured(whose))) {
    const bool is_cut = latest(session.log(), Stage::kBreaks, whose) != nullptr;
    std::string_view why = stage == "breaks" ? "no region ended early"
                           : has_graph       ? "the backend that it was compiled for makes none"
                           : is_cut          ? "nothing of it was compiled, `:breaks` says why"
                                             : "no operator in it has a result that anything needs";
    return fmt::format("no {}{}: {}\n", stage, of_whom, why);
  }
  std::vector<std::string> compiled = logged_functions(session, true);
  // One of its name that is not it: defined before it, or the one that a wrapper calls.
  const bool has_namesake = std::erase(compiled, function) > 0;
  std::string others = has_namesake ? fmt::format("; another `{}` was compiled", function) : "";
  if (!compiled.empty()) others += fmt::format("; compiled so far: {}", quoted_names(compiled));
  if (!function.empty() && !whose.definition.known())
    return fmt::format("no {}{}: it is no function of the script{}\n", stage, of_whom, others);
  return fmt::format("no {}{} yet; call {} under torch.compile first{}\n", stage, of_whom,
                     function.empty() ? "a function" : "it", others);
}

/// The newest artifact of a stage. Of what is made of a region's graph, that of the newest region:
/// null where its backend makes none; `whose` is then the region's.
const Artifact* newest_of(const StageLog& log, Stage stage, Whose& whose) {
  const Artifact* found = latest(log, stage, whose);
  const Artifact* graph = latest(log, Stage::kGraph, whose);
  bool made_of_graph = stage > Stage::kGraph && stage < Stage::kTime;
  if (!found || !graph || !made_of_graph || found->compile >= graph->compile) return found;
  whose.name = graph->function;
  return nullptr;
}

/// Each under its heading; where they can be shown better, one by one.
void show_listings(CommandContext& context, const std::vector<Listing>& found,
                   bool even_one = false) {
  if (!context.show) return context.print(with_headings(found, even_one));
  for (const Listing& each : found) context.show(each);
}

/// At how many places regions of the artifact's function begin: one, and one behind each break.
size_t pieces_of(const StageLog& log, const Artifact& artifact) {
  std::set<std::pair<uint32_t, uint32_t>> begins;
  for (const Artifact& each : log.artifacts())
    if (each.stage == artifact.stage && each.function == artifact.function &&
        each.definition == artifact.definition)
      begins.emplace(each.begin.line, each.begin.column);
  return begins.size();
}

/// All of a function.
void show_all_of(CommandContext& context, Stage stage, const Whose& whose) {
  Session& session = context.session;
  std::vector<Listing> found = listings(
      session,
      {.stages = {stage}, .whose = whose, .newest_only = true, .colours = context.colours});
  const std::string_view name = stage_table()[static_cast<size_t>(stage)].name;
  if (found.empty()) return context.print(nothing_of(session, name, whose));
  show_listings(context, found);
}

/// The newest region, of a stage that nothing is asked of by name. Where others of its function
/// end in breaks, it is told which of them it is.
void show_newest(CommandContext& context, Stage stage, Whose& whose) {
  Session& session = context.session;
  const std::string_view name = stage_table()[static_cast<size_t>(stage)].name;
  const Artifact* artifact = newest_of(session.log(), stage, whose);
  if (!artifact) return context.print(nothing_of(session, name, whose));
  const size_t pieces = pieces_of(session.log(), *artifact);
  show_listings(context, {listing_of(*artifact, session.sources(), context.colours)}, pieces > 1);
  if (pieces > 1)
    context.print(fmt::format("the newest of {} pieces; `:{} {}` shows all\n", pieces, name,
                              artifact->function));
}

/// The breaks of the function that was compiled last; not those of one before it, which would seem
/// to be its own.
void show_newest_breaks(CommandContext& context, Whose& whose) {
  const auto& all = context.session.log().artifacts();
  const auto newest = std::find_if(all.rbegin(), all.rend(), [&](const Artifact& each) {
    return (each.stage == Stage::kGuards || each.stage == Stage::kBreaks) && whose.has(each);
  });
  if (newest == all.rend()) return context.print(nothing_of(context.session, "breaks", whose));
  whose.name = newest->function;
  whose.definition = newest->definition;
  show_all_of(context, Stage::kBreaks, whose);
}

/// Shows a stage: the newest artifact, or all of the function that is named.
template <Stage kStage>
void show(CommandContext& context) {
  std::optional<Whose> whose = called_first(context);
  if (!whose) return;
  Session& session = context.session;
  std::string_view stage = stage_table()[static_cast<size_t>(kStage)].name;
  if (const auto why = nothing_of_raw_kernel(session, callee(context), stage))
    return context.print(*why);
  if (!whose->name.empty()) return show_all_of(context, kStage, *whose);
  if (kStage == Stage::kBreaks) return show_newest_breaks(context, *whose);
  show_newest(context, kStage, *whose);
}

/// A function's kernels; else of kernels that were launched by themselves how they were.
void show_kernels(CommandContext& context) {
  std::optional<Whose> whose = called_first(context);
  if (!whose) return;
  Session& session = context.session;
  context.arguments = callee(context);  // it ran
  const std::string& name = context.arguments;
  const bool is_raw = session.raw_kernel_of(name).has_value();
  const bool is_region = name.empty() ? newest_of(session.log(), Stage::kKernels, *whose) != nullptr
                                      : is_known(session, name) && !is_raw;
  if (is_region) return show<Stage::kKernels>(context);
  if (const auto launched = eager_launches_listing(session, name, context.colours))
    return show_listings(context, {*launched});
  if (is_raw) return context.print(fmt::format("`{}` was not launched yet\n", name));
  if (name.empty()) return context.print(nothing_of(session, "kernels", *whose));
  const Artifact* region = region_of_kernel(session, name, false);
  if (region == nullptr) return context.print(unknown_name(session, name));
  show_listings(context, {listing_of(*region, session.sources(), context.colours)});
}

/// The same of a stage that kernels have which the script wrote itself.
template <Stage kStage>
void show_code(CommandContext& context) {
  const std::string& name = context.arguments;
  if (name.empty() || is_call(name)) return show<kStage>(context);
  const std::array stages = {kStage};
  const std::vector<Listing> raw =
      raw_kernel_listings(context.session, name, stages, context.colours);
  if (!raw.empty()) return show_listings(context, raw);
  if (!is_known(context.session, name)) return context.print(unknown_name(context.session, name));
  show<kStage>(context);
}

/// What compiling cost, and what a call costs now.
void show_times(CommandContext& context) {
  std::optional<Whose> whose = called_first(context);
  if (!whose) return;
  context.arguments = callee(context);  // it ran
  show<Stage::kTime>(context);
  context.print(context.session.call_times(*whose));
}

void show_text(CommandContext& context, const Result<std::string>& text) {
  context.print(text ? *text : text.error().message + "\n");
}

/// `f.svg`, `f-2.svg`, ...: a picture for each graph.
void draw_graphs(CommandContext& context, const Whose& whose, const std::string& path) {
  auto graphs = context.session.graphs_as("dot", whose);
  if (graphs.empty()) return context.print(nothing_of(context.session, "graph", whose));
  for (size_t i = 0; i < graphs.size(); ++i) {
    std::filesystem::path file = file_named(path);
    if (i > 0)
      file.replace_filename(
          fmt::format("{}-{}{}", file.stem().string(), i + 1, file.extension().string()));
    if (auto fault = context.session.fault_of_target(file.string()))
      return context.print(fault->message + "\n");
    if (auto fault = draw(graphs[i].second, file.string()))
      return context.print(fault->message + "\n");
    context.print(fmt::format("{} is drawn in `{}`\n", graphs[i].first, file.string()));
  }
}

/// Forward and backward in one graph; without a function, the newest.
void show_joint(CommandContext& context, const Whose& whose) {
  std::vector<Listing> found = listings(context.session, {.stages = {Stage::kGraph},
                                                          .whose = whose,
                                                          .newest_only = true,
                                                          .joint = true,
                                                          .colours = context.colours});
  if (found.empty()) {
    std::string of_whom = whose.name.empty() ? "" : fmt::format(" of `{}`", whose.name);
    return context.print(fmt::format(
        "no joint graph{}: no gradient was taken inside, and no backward cut off\n", of_whom));
  }
  if (whose.name.empty()) found.erase(found.begin(), found.end() - 1);
  show_listings(context, found);
}

void show_graph(CommandContext& context) {
  if (context.options.empty()) return show<Stage::kGraph>(context);
  std::optional<Whose> whose = called_first(context);
  if (!whose) return;
  if (const auto why = nothing_of_raw_kernel(context.session, callee(context), "graph"))
    return context.print(*why);
  if (context.option("--joint")) return show_joint(context, *whose);
  if (const auto file = context.option("--svg")) return draw_graphs(context, *whose, *file);
  std::vector<Listing> found;
  std::string_view form = std::string_view(context.options.back().flag).substr(2);
  for (auto& [title, text] : context.session.graphs_as(form, *whose))
    found.push_back({std::move(title), std::move(text)});
  if (found.empty()) return context.print(nothing_of(context.session, "graph", *whose));
  show_listings(context, found);
}

void diverge(CommandContext& context) {
  std::optional<Whose> whose = called_first(context);
  if (!whose) return;
  if (const auto why = nothing_of_raw_kernel(context.session, callee(context), "comparison"))
    return context.print(*why);
  auto regions = context.session.diverge(*whose);
  if (!regions) return context.print(regions.error().message + "\n");
  std::vector<Listing> found;
  for (auto& [title, text] : *regions) found.push_back({std::move(title), std::move(text)});
  show_listings(context, found);
}
void bench(CommandContext& context) {
  const std::string called(callee(context));
  if (const auto why = nothing_of_raw_kernel(context.session, called, "comparison"))
    return context.print(*why);
  auto forms = context.session.bench(context.arguments);
  if (!forms) return context.print(forms.error().message + "\n");
  if (forms->empty()) return;
  if (context.display) return context.display(*forms);
  context.print(render::folded(forms->at("text/plain"), render::fitting_width()));
}

/// `f(x) out.json`: the file stands behind the call.
void profile_call(CommandContext& context) {
  std::string_view call = trimmed(context.arguments);
  std::string file = "profile.json";
  if (const size_t end = call.rfind(')'); end != std::string_view::npos) {
    if (std::string_view behind = trimmed(call.substr(end + 1)); !behind.empty()) file = behind;
    call = call.substr(0, end + 1);
  }
  // `f(x) + 1`, `f(x).T`: the expression goes on behind the bracket.
  const bool is_path = file.starts_with("./") || file.starts_with("../");
  const bool goes_on = !is_path && file.find_first_of(".+-*@%=<>[({,;|&^") == 0;
  // `[f(x)]`, `f(x)  # why`, `f(x) over n in 1, 2`: no file is called so.
  const bool is_file = file.find_first_of(" \t\"'#()[]{}") == std::string::npos;
  if (!is_call(call) || goes_on || !is_file)
    return context.print("usage: :profile CALL [FILE], as in `:profile f(x)`\n");
  ProfileFile profile(context.session, file);
  if (profile.fault()) return context.print(profile.fault()->message + "\n");
  bool is_interrupted = false;
  try {
    context.session.run_call(std::string(call));
  } catch (const interruption::Interrupted&) {
    is_interrupted = true;  // what happened until then is worth seeing
  }
  profile.write();
  context.print(profile.fault() ? profile.fault()->message + "\n"
                                : fmt::format("the profile is in `{}`\n", file));
  if (is_interrupted) throw interruption::Interrupted();
}

void explain(CommandContext& context) {
  if (const auto why = nothing_of_raw_kernel(context.session, callee(context), "explanation"))
    return context.print(*why);
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

/// `:watch f kernels`, `:watch`, `:watch off f`.
void watch(CommandContext& context) {
  Watches& watches = *context.watches;
  std::vector<std::string> words = words_of(context.arguments);
  if (words.empty()) {
    const std::string text = watches.text();
    return context.print(text.empty() ? "nothing is watched\n" : text);
  }
  if (words.size() > 2)
    return context.print(fmt::format("usage: {}\n", command_usage(*commands_named("watch")[0])));
  const std::string second = words.size() > 1 ? words[1] : "";
  if (words[0] == "off") {
    const size_t count = watches.drop(second);
    if (count == 0 && !second.empty())
      return context.print(fmt::format("nothing of `{}` is watched\n", second));
    return context.print(count == 1 ? "1 stage is no longer watched\n"
                                    : fmt::format("{} stages are no longer watched\n", count));
  }
  const std::optional<Stage> stage = second.empty() ? Stage::kGraph : find_stage(second);
  if (!stage || *stage <= Stage::kProgram)
    return context.print(fmt::format("no stage that a compile makes is called `{}`; there are {}\n",
                                     second, fmt::join(watched_words(), ", ")));
  if (!is_known(context.session, words[0]))
    return context.print(unknown_name(context.session, words[0]));
  if (const auto why = nothing_of_raw_kernel(context.session, words[0],
                                             stage_table()[static_cast<size_t>(*stage)].name))
    return context.print(*why);
  if (!is_function(context.session, words[0]))
    return context.print(fmt::format("`{}` is no function: nothing compiles it\n", words[0]));
  watches.add(context.session, words[0], *stage);
  context.print(watches.text());
}

void show_gpu(CommandContext& context, const cuda::KernelChoice& kernel) {
  const std::string text = render::narrowed(cuda::gpu_text(kernel), render::fitting_width());
  context.print(context.colours ? render::highlight_code(text, render::language_of(Stage::kGpu))
                                : text);
}

/// The launches of a function's kernels; else what ran there, of all kernels or those named so.
void gpu(CommandContext& context) {
  Session& session = context.session;
  const std::string& name = context.arguments;
  if (session.raw_kernel_of(name)) return show_gpu(context, kernel_meant(session, name));
  Whose whose = session.whose(name);
  const bool is_compiled =
      is_call(name) || (!name.empty() && newest_of(session.log(), Stage::kGpu, whose) != nullptr);
  const bool is_unknown = !name.empty() && !is_known(session, name);
  if (!is_compiled && (cuda::has_run({name}) || is_unknown)) return show_gpu(context, {name});
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
  if (!context.display) return context.print(text);
  // A notebook would wrap the longer lines, in the middle of a word.
  context.display({{"text/plain", text}, {"text/html", render::html_of(text)}});
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
    {"--at", "the same at another index; with `--gpu` another warp, through all blocks", "N"},
    {"--gpu", "a warp's instructions on the simulated GPU, with registers"},
    {"--from", "the same from another instruction on, counted from 1", "N"},
    {"--count", "so many of them; without it 50000 on a terminal, elsewhere 100", "N"},
};

constexpr CommandOption kSaveOptions[] = {
    {"--force", "replaces a file that no `:save` of this session wrote"},
};

constexpr Command kCommands[] = {
    {"graph", "[--table|--dot|--joint|--svg FILE] [F]", "the operations of a compiled region",
     ":graph f", Takes::kFunction, show_graph, kGraphOptions},
    {"kernels", "[F|KERNEL]", "its loop nests and their schedule; of a kernel, its launches",
     ":kernels", Takes::kName, show_kernels},
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
    {"cuda", "[F|KERNEL]", "the kernels as CUDA C++", ":cuda f", Takes::kName,
     show_code<Stage::kCuda>},
    {"ptx", "[F|KERNEL]", "the PTX of that, by NVRTC", ":ptx f", Takes::kName,
     show_code<Stage::kPtx>},
    {"sass", "[F|KERNEL]", "the GPU's machine code of that, by nvdisasm", ":sass f", Takes::kName,
     show_code<Stage::kSass>},
    {"gpu", "[KERNEL|F]", "launches on a GPU; of the simulated one, what each line did", ":gpu f",
     Takes::kName, gpu},
    {"step", "[--graph|--passes|--kernels|--gpu] [--at N] [--from N] [--count N] [F|KERNEL]",
     "walks, forwards and backwards, through what ran last, with its values", ":step f",
     Takes::kName, step, kStepOptions},
    {"time", "[F]", "what each stage cost, and what a call costs now", ":time f", Takes::kFunction,
     show_times},
    {"diverge", "[F]", "of each region the first stage whose result differs, on its last inputs",
     ":diverge f", Takes::kFunction, diverge},
    {"bench", "CALL [over NAME in NUMBERS]",
     "compares the call eager and compiled, or one call for each of several numbers",
     ":bench f(x, y)", Takes::kCall, bench},
    {"profile", "CALL [FILE]",
     "what happens when in a call, for trace viewers; left out: `profile.json`",
     ":profile f(x, y) out.json", Takes::kCall, profile_call},
    {"explain", "CALL", "graphs, breaks and guards of a call", ":explain f(x, y)", Takes::kCall,
     explain},
    {"report", "[FILE]", "all stages so far as one HTML page; left out: `report.html`",
     ":report out.html", Takes::kNewFile, report},
    {"watch",
     "[F [STAGE]|off [F]]",
     "shows a stage, or the graph, again whenever F is compiled; without F, what is watched",
     ":watch f kernels",
     Takes::kWords,
     watch,
     {},
     watch_words},
    {"vars", "[BEGINNING]", "the variables: type, shape, dtype, bytes, value", ":vars",
     Takes::kWord, show_variables},
    {"inputs", "", "what was entered, by its numbers: `_3` is what entry 3 showed", ":inputs",
     Takes::kNothing, show_inputs},
    {"save", "[--force] FILE", "writes what was entered as a script", ":save session.py",
     Takes::kFile, save_inputs, kSaveOptions},
    {"load", "FILE", "enters a file's lines as if they were typed, up to an error",
     ":load session.py", Takes::kFile, load_file},
    {"run", "FILE [ARGS]", "runs a script as `__main__` in this session",
     ":run session.py --steps 3", Takes::kScript, run_file},
    {"reset", "", "forgets the variables, what was entered and what was compiled", ":reset",
     Takes::kNothing, reset_session},
    {"why", "", "which guard of each entry failed at the last recompile", ":why", Takes::kNothing,
     why},
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

}  // namespace

std::optional<std::string> CommandContext::option(std::string_view flag) const {
  const auto found = std::ranges::find(options, flag, &GivenOption::flag);
  return found == options.end() ? std::nullopt : std::optional(found->value);
}

std::span<const Command> command_table() {
  return kCommands;
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

void show_watched(const CommandContext& context) {
  if (!context.watches) return;
  for (const Listing& each : context.watches->take_new(context.session, context.colours))
    context.show ? context.show(each) : context.print(render::heading(each.title) + each.text);
}

std::string unknown_backend(std::string_view name) {
  return fmt::format("no backend is called `{}`; there are {}", name,
                     fmt::join(backend_words(), ", "));
}

}  // namespace glint
