#include "repl/commands.h"

#include <fmt/format.h>

#include <vector>

#include "repl/documentation.h"
#include "repl/render/text.h"

namespace glint {
namespace {

std::string_view trimmed(std::string_view text) {
  size_t begin = text.find_first_not_of(" \t\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\n") - begin + 1);
}

/// A call among the arguments is run first; gives the function's name in the log.
std::string called_first(CommandContext& context) {
  std::string function(trimmed(context.arguments));
  size_t call = function.find('(');
  if (call == std::string::npos) return context.session.logged_name(function);
  int exit_code = 0;
  context.session.run_entry(function, exit_code);
  return context.session.logged_name(std::string(trimmed(function.substr(0, call))));
}

/// Shows the newest artifact of a stage; an argument names a function, or is a call that is run
/// first.
template <Stage kStage>
void show(CommandContext& context) {
  std::string function = called_first(context);
  const Artifact* artifact = context.session.log().latest(kStage, function);
  if (!artifact) {
    std::string_view stage = stage_table()[static_cast<size_t>(kStage)].name;
    return context.print(
        function.empty()
            ? fmt::format(
                  "nothing compiled yet has a {}; call a function under torch.compile first\n",
                  stage)
            : fmt::format("no {} of `{}`; call it under torch.compile first\n", stage, function));
  }
  context.print(render::text_of(*artifact, &context.session.sources()));
}

void show_text(CommandContext& context, const Result<std::string>& text) {
  context.print(text ? *text : text.error().message + "\n");
}

void show_graph(CommandContext& context) {
  std::string_view arguments = trimmed(context.arguments);
  for (std::string_view form : {"--table", "--dot"}) {
    if (!arguments.starts_with(form)) continue;
    std::string function(trimmed(arguments.substr(form.size())));
    return show_text(context, context.session.graph_as(form.substr(2), function));
  }
  show<Stage::kGraph>(context);
}

void diverge(CommandContext& context) {
  show_text(context, context.session.diverge(called_first(context)));
}
void bench(CommandContext& context) {
  show_text(context, context.session.bench(std::string(trimmed(context.arguments))));
}
void explain(CommandContext& context) {
  show_text(context, context.session.explain(std::string(trimmed(context.arguments))));
}
void why(CommandContext& context) {
  context.print(context.session.why_recompiled());
}

void mode(CommandContext& context) {
  std::string_view wanted = trimmed(context.arguments);
  if (wanted == "compiled")
    context.session.set_compile_everything(true);
  else if (wanted == "eager")
    context.session.set_compile_everything(false);
  else if (!wanted.empty())
    return context.print("a mode is `eager` or `compiled`\n");
  context.print(context.session.compile_everything() ? "compiled\n" : "eager\n");
}

void backend(CommandContext& context) {
  std::string wanted(trimmed(context.arguments));
  if (!wanted.empty() && !context.session.set_backend(wanted)) {
    return context.print(unknown_backend(wanted) + "\n");
  }
  context.print(context.session.backend() + "\n");
}

void doc(CommandContext& context) {
  context.print(documentation_of(std::string(trimmed(context.arguments))));
}

void help(CommandContext& context) {
  std::string text;
  for (const Command& command : command_table()) {
    std::string left = fmt::format(":{} {}", command.name, command.arguments);
    text += fmt::format("  {:<28} {}\n", left, command.meaning);
  }
  text += "  ?name                        signature and documentation of a value\n";
  text += "An unambiguous beginning of a command will do: `:gu` is `:guards`.\n";
  context.print(text);
}

constexpr Command kCommands[] = {
    {"graph", "[--table|--dot] [F]", "the operations of the last compiled region", ":graph f(x)",
     show_graph},
    {"kernels", "[F]", "its loop nests and their schedule", ":kernels", show<Stage::kKernels>},
    {"program", "[F]", "the register code that the interpreter runs", ":program f",
     show<Stage::kProgram>},
    {"ast", "", "the syntax tree of the last entry", ":ast", show<Stage::kAst>},
    {"tokens", "", "the tokens of the last entry", ":tokens", show<Stage::kTokens>},
    {"guards", "[F]", "what must hold for compiled code to be used again", ":guards",
     show<Stage::kGuards>},
    {"breaks", "[F]", "where a region ended early, and why", ":breaks f", show<Stage::kBreaks>},
    {"passes", "[F]", "what each pass changed", ":passes", show<Stage::kPasses>},
    {"fusion", "[F]", "which operations share a kernel, and why", ":fusion", show<Stage::kFusion>},
    {"memory", "[F]", "the buffers between kernels", ":memory", show<Stage::kMemory>},
    {"llvm", "[F]", "LLVM IR, after optimisation", ":llvm", show<Stage::kLlvm>},
    {"asm", "[F]", "the machine code that runs", ":asm", show<Stage::kAssembly>},
    {"time", "[F]", "what each stage cost", ":time", show<Stage::kTime>},
    {"diverge", "[F]", "the first stage whose result differs, on the last inputs", ":diverge f",
     diverge},
    {"bench", "CALL", "compares the call eager and compiled", ":bench f(x)", bench},
    {"explain", "CALL", "graphs, breaks and guards of a call", ":explain f(x)", explain},
    {"why", "", "which guard failed at the last recompile", ":why", why},
    {"mode", "[eager|compiled]", "whether what is called here is compiled", ":mode compiled", mode},
    {"backend", "[NAME]", "what compiled regions run on", ":backend interp", backend},
    {"doc", "NAME", "an operator, a pass, a command, a diagnostic", ":doc relu", doc},
    {"help", "", "this list", ":help", help},
};

}  // namespace

std::span<const Command> command_table() {
  return kCommands;
}

std::string unknown_backend(std::string_view name) {
  return fmt::format("no backend is called `{}`; there are cpu, interp, aot_eager, eager", name);
}

void run_command(std::string_view line, CommandContext context) {
  std::string_view rest = trimmed(line.substr(line.find(':') + 1));
  size_t end = std::min(rest.find_first_of(" \t"), rest.size());
  std::string_view word = rest.substr(0, end);
  context.arguments = std::string(rest.substr(end));
  std::vector<const Command*> found;
  for (const Command& command : command_table()) {
    if (command.name == word) {
      found = {&command};
      break;
    }
    if (!word.empty() && command.name.starts_with(word)) found.push_back(&command);
  }
  if (found.size() == 1) return found[0]->run(context);
  if (found.empty())
    return context.print(fmt::format("no command is called `:{}`; see :help\n", word));
  std::string names;
  for (const Command* command : found)
    names += fmt::format("{}:{}", names.empty() ? "" : ", ", command->name);
  context.print(fmt::format("`:{}` may be {}\n", word, names));
}

}  // namespace glint
