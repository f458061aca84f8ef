#include "repl/program.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <iterator>

#include "core/support/environment.h"
#include "passes/pipeline.h"
#include "repl/command_line.h"
#include "repl/commands.h"
#include "repl/documentation.h"
#include "repl/read_ir.h"
#include "repl/render/text.h"
#include "repl/repl.h"
#include "runtime/session/session.h"

namespace glint {
namespace {

/// The session that Ctrl-C interrupts.
Session* interruptible = nullptr;

void on_interrupt(int) {
  if (interruptible) interruptible->interrupt();
}

/// Ctrl-C is a KeyboardInterrupt in the script while this lives.
class InterruptGuard {
 public:
  explicit InterruptGuard(Session& session) {
    interruptible = &session;
    struct sigaction action = {};
    action.sa_handler = on_interrupt;
    sigaction(SIGINT, &action, &previous_);
  }
  ~InterruptGuard() {
    sigaction(SIGINT, &previous_, nullptr);
    interruptible = nullptr;
  }
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

 private:
  struct sigaction previous_ = {};
};

std::string standard_input() {
  return {std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
}

SessionOptions options_of(const RunRequest& request) {
  SessionOptions options;
  switch (request.source) {
    case ProgramSource::kFile:
      options.arguments.push_back(request.program);
      break;
    case ProgramSource::kCode:
      options.arguments.push_back("-c");
      break;
    case ProgramSource::kStandardInput:
      options.arguments.push_back("-");
      break;
    case ProgramSource::kRepl:
      options.arguments.push_back("");
      break;
  }
  options.arguments.insert(options.arguments.end(), request.arguments.begin(),
                           request.arguments.end());
  options.compile_everything =
      request.compile_everything || environment::value(environment::Variable::kCompile) == "1";
  return options;
}

/// `--backend`, else `GLINT_BACKEND`; false, with a complaint, where there is no such backend.
bool choose_backend(Session& session, const std::string& asked) {
  std::string name = asked;
  if (name.empty()) name = environment::value(environment::Variable::kBackend).value_or("");
  if (name.empty() || session.set_backend(name)) return true;
  std::cerr << fmt::format("glint: {}\n", unknown_backend(name));
  return false;
}

/// What is wrong with the variable's value, where it is one of a few words or a number.
std::optional<std::string> problem_of(environment::Variable variable) {
  using enum environment::Variable;
  std::vector<std::string> allowed;
  if (variable == kCompile) allowed = {"0", "1"};
  if (variable == kCpu) allowed = {"x86-64-v3", "x86-64-v4"};
  if (variable == kFail) {
    allowed = {"capture", "verify", "link",   "llvm",    "cpu",
               "interp",  "passes", "fusion", "kernels", "memory"};
    for (const passes::Pass& pass : passes::pass_table()) allowed.emplace_back(pass.name);
  }
  auto value = environment::value(variable);
  if (!value) return std::nullopt;
  const char* name = environment::table()[static_cast<size_t>(variable)].name;
  if (variable == kThreads) {
    bool number = value->size() <= 4 && value->find_first_not_of("0123456789") == std::string::npos;
    if (number && std::stoi(*value) > 0) return std::nullopt;
    return fmt::format("{} is `{}`, which is no number from 1 to 9999", name, *value);
  }
  bool fine = allowed.empty() || std::ranges::find(allowed, *value) != allowed.end();
  if (fine) return std::nullopt;
  return fmt::format("{} is `{}`; it can be {}", name, *value, fmt::join(allowed, ", "));
}

/// `--show`: each asked-for stage is printed as it happens.
void listen(Session& session, const std::vector<Stage>& stages) {
  if (stages.empty()) return;
  session.log().listen([&session, stages](const Artifact& artifact) {
    bool wanted = std::find(stages.begin(), stages.end(), artifact.stage) != stages.end();
    if (!wanted) return;
    std::string title = fmt::format(
        "-- {} {}", stage_table()[static_cast<size_t>(artifact.stage)].name, artifact.function);
    std::cout << title << '\n' << render::text_of(artifact, &session.sources()) << std::flush;
  });
}

int perform(const RunRequest& request) {
  Session session(options_of(request));
  if (!choose_backend(session, request.backend)) return 2;
  listen(session, request.show);
  InterruptGuard guard(session);
  int exit_code = 0;
  switch (request.source) {
    case ProgramSource::kFile:
      exit_code = session.run_file(request.program);
      break;
    case ProgramSource::kCode:
      exit_code = session.run_text("<string>", request.program);
      break;
    case ProgramSource::kStandardInput:
      exit_code = session.run_text("<stdin>", standard_input());
      break;
    case ProgramSource::kRepl:
      return run_repl(session, request.quiet);
  }
  return request.interactive_after ? run_repl(session, true) : exit_code;
}

int perform(const ShowRequest& request) {
  Session session({.arguments = {request.file}});
  if (!choose_backend(session, {})) return 2;
  InterruptGuard guard(session);
  // The script's own output would stand between the stages: it goes to standard error.
  std::fflush(stdout);
  int saved = ::dup(STDOUT_FILENO);
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  int exit_code = session.run_file(request.file);
  std::fflush(stdout);
  ::dup2(saved, STDOUT_FILENO);
  ::close(saved);
  // Tokens and the syntax tree are the file's: they are shown for a function that there is.
  bool exists = request.function.empty() || session.log().latest(Stage::kProgram, request.function);
  bool found = false;
  for (const StageInfo& stage : stage_table()) {
    bool wanted = request.stages.empty() || std::find(request.stages.begin(), request.stages.end(),
                                                      stage.stage) != request.stages.end();
    if (!wanted) continue;
    bool of_source = stage.stage == Stage::kTokens || stage.stage == Stage::kAst;
    const Artifact* artifact =
        session.log().latest(stage.stage, of_source ? request.file : request.function);
    if (!artifact || !exists) continue;
    found = true;
    std::cout << fmt::format("== {} {}\n", stage.name, artifact->function)
              << render::text_of(*artifact, &session.sources()) << '\n';
  }
  std::cout << std::flush;
  if (!found && exit_code == 0) {
    std::cerr << fmt::format("glint: nothing to show for `{}`; no such function ran in {}\n",
                             request.function, request.file);
    return 1;
  }
  return exit_code;
}

int perform(const BenchRequest& request) {
  SessionOptions options;
  options.arguments.push_back(request.file);
  options.arguments.insert(options.arguments.end(), request.arguments.begin(),
                           request.arguments.end());
  Session session(std::move(options));
  if (!choose_backend(session, {})) return 2;
  InterruptGuard guard(session);
  session.keep_calls();
  int exit_code = session.run_file(request.file);
  if (exit_code != 0) return exit_code;
  std::cout << session.bench_report(request.function) << std::flush;
  return 0;
}

int perform(const IrRequest& request) {
  return read_ir(request);
}
int perform(const DocRequest& request) {
  return print_documentation(request);
}
int perform(const DoctorRequest&) {
  return print_doctor();
}
int perform(const MessageRequest& request) {
  (request.exit_code == 0 ? std::cout : std::cerr) << request.text << std::flush;
  return request.exit_code;
}

}  // namespace

int run_program(const std::vector<std::string>& arguments) {
  for (const environment::VariableInfo& variable : environment::table()) {
    std::optional<std::string> problem = problem_of(variable.variable);
    if (!problem) continue;
    std::cerr << "glint: " << *problem << '\n';
    return 2;
  }
  return std::visit([](const auto& request) { return perform(request); },
                    parse_command_line(arguments));
}

}  // namespace glint
