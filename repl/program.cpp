#include "repl/program.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <iostream>
#include <iterator>

#include "core/support/apart.h"
#include "core/support/environment.h"
#include "repl/command_line.h"
#include "repl/commands.h"
#include "repl/doctor.h"
#include "repl/documentation.h"
#include "repl/explore_word.h"
#include "repl/interrupt_guard.h"
#include "repl/listing.h"
#include "repl/near_names.h"
#include "repl/profile_file.h"
#include "repl/raw_kernels.h"
#include "repl/read_ir.h"
#include "repl/render/colour.h"
#include "repl/render/narrow.h"
#include "repl/render/text.h"
#include "repl/repl.h"
#include "repl/variables.h"
#include "repl/write_report.h"
#include "runtime/interpreter/interpreter.h"
#include "runtime/session/session.h"

namespace glint {
namespace {

/// What is above this folder.
KernelWord kernel_word;

std::string standard_input() {
  return {std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
}

/// The script's own arguments behind its name, and whether every call is compiled: `--compile`.
SessionOptions options_of(const std::string& script, const std::vector<std::string>& arguments,
                          bool compile_everything) {
  SessionOptions options;
  options.arguments.push_back(script);
  options.arguments.insert(options.arguments.end(), arguments.begin(), arguments.end());
  options.compile_everything =
      compile_everything || environment::value(environment::Variable::kCompile) == "1";
  return options;
}

/// Without a script, the REPL; standard input that is no terminal is a script itself, as with
/// CPython, unless `-i` asks for the REPL.
ProgramSource source_of(const RunRequest& request) {
  bool piped = request.source == ProgramSource::kRepl && !request.interactive_after &&
               ::isatty(STDIN_FILENO) == 0;
  return piped ? ProgramSource::kStandardInput : request.source;
}

/// What `sys.argv[0]` is, as CPython has it.
std::string script_name(const RunRequest& request) {
  switch (request.source) {
    case ProgramSource::kFile:
      return request.program;
    case ProgramSource::kCode:
      return "-c";
    case ProgramSource::kStandardInput:
      return "-";
    case ProgramSource::kRepl:
      break;
  }
  return "";
}

/// `--backend`, else `GLINT_BACKEND`; false, with a complaint, where there is no such backend.
bool choose_backend(Session& session, const std::string& asked) {
  std::string name = asked;
  if (name.empty()) name = environment::value(environment::Variable::kBackend).value_or("");
  if (name.empty() || session.set_backend(name)) return true;
  std::cerr << fmt::format("glint: {}\n", unknown_backend(name));
  return false;
}

/// `--show`: each asked-for stage is printed as it happens.
void listen(Session& session, const std::vector<Stage>& stages) {
  if (stages.empty()) return;
  session.log().listen([&session, stages](const Artifact& artifact) {
    bool wanted = std::find(stages.begin(), stages.end(), artifact.stage) != stages.end();
    if (!wanted) return;
    const Listing shown = listing_of(artifact, session.sources(), render::terminal_has_colours());
    std::cout << render::heading(shown.title) << shown.text << std::flush;
  });
}

ReplOptions repl_options(const RunRequest& request) {
  return {.banner = !request.quiet, .startup = !request.no_startup, .pager = !request.no_pager};
}

int run_source(Session& session, const RunRequest& request) {
  int exit_code = 0;
  if (request.interactive_after) session.keep_inputs();
  switch (source_of(request)) {
    case ProgramSource::kFile:
      exit_code = session.run_file(request.program, meant_file(request.program, word_names()));
      break;
    case ProgramSource::kCode:
      exit_code = session.run_text("<string>", request.program);
      break;
    case ProgramSource::kStandardInput:
      exit_code = session.run_text("<stdin>", standard_input());
      break;
    case ProgramSource::kRepl:
      return run_repl(session, repl_options(request));
  }
  if (!request.interactive_after) return exit_code;
  ReplOptions options = repl_options(request);
  options.banner = options.startup = false;
  return run_repl(session, options);
}

int perform(const RunRequest& request) {
  SessionOptions options =
      options_of(script_name(request), request.arguments, request.compile_everything);
  options.goes_on = request.interactive_after;
  if (request.no_colour) render::turn_colours_off();
  Session session(std::move(options));
  if (!choose_backend(session, request.backend)) return 2;
  listen(session, request.show);
  std::optional<ProfileFile> profile;
  if (!request.profile.empty()) profile.emplace(session, request.profile);
  if (profile && profile->fault()) {
    std::cerr << fmt::format("glint: {}\n", profile->fault()->message);
    return 2;
  }
  InterruptGuard guard(session);
  int exit_code = run_source(session, request);
  if (profile) profile->write();
  if (profile && profile->fault()) {
    std::cerr << fmt::format("glint: {}\n", profile->fault()->message);
    if (exit_code == 0) exit_code = 2;
  }
  return session.end(exit_code);
}

/// Runs the script; what it prints would stand between the stages and goes to standard error.
int run_aside(Session& session, const std::string& file) {
  std::fflush(stdout);
  int saved = ::dup(STDOUT_FILENO);
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  int exit_code = session.run_file(file, meant_file(file));
  std::fflush(stdout);
  ::dup2(saved, STDOUT_FILENO);
  ::close(saved);
  return exit_code;
}

/// Why `glint show` or `glint bench` has nothing of the function.
std::string nothing_of(Session& session, const std::string& function, const Whose& whose) {
  std::vector<std::string> compiled = logged_functions(session, true);
  std::vector<std::string> all = logged_functions(session, false);
  auto fits = [&](const std::string& name) { return is_named(name, function); };
  bool known = function.empty() || whose.definition.known() || std::ranges::any_of(all, fits);
  if (!function.empty() && latest(session.log(), Stage::kGraph, whose))
    return fmt::format("`{}` was compiled, for a backend that makes none of these stages",
                       function);
  std::string text = function.empty() ? "nothing was compiled"
                     : known          ? fmt::format("`{}` has no compiled region", function)
                                      : fmt::format("no function is called `{}`", function);
  text += compiled.empty() ? "; the script compiled no function, `--compile` compiles all"
                           : "; compiled functions: " + quoted_names(compiled);
  return known ? text : text + near_names(function, all);
}

int perform(const ShowRequest& request) {
  Session session(options_of(request.file, {}, request.compile_everything));
  if (!choose_backend(session, request.backend)) return 2;
  InterruptGuard guard(session);
  int exit_code = run_aside(session, request.file);
  const Whose whose = session.whose(request.function);
  std::vector<Listing> found = listings(session, {.stages = request.stages,
                                                  .whose = whose,
                                                  .file = request.file,
                                                  .joint = request.joint,
                                                  .colours = render::terminal_has_colours()});
  const bool wants_kernels =
      request.stages.empty() || std::ranges::count(request.stages, Stage::kKernels) > 0;
  const bool is_of_regions = request.joint || !wants_kernels || whose.definition.known();
  if (auto launched = is_of_regions ? std::nullopt
                                    : eager_launches_listing(session, request.function,
                                                             render::terminal_has_colours()))
    found.push_back(std::move(*launched));
  if (!request.joint)
    std::ranges::move(raw_kernel_listings(session, request.function, request.stages,
                                          render::terminal_has_colours()),
                      std::back_inserter(found));
  std::cout << with_headings(found, true) << std::flush;
  if (!found.empty() || exit_code != 0) return exit_code;
  std::string why =
      request.joint ? "no gradient was taken inside, and no backward cut off: no output carries one"
                    : nothing_of(session, request.function, whose);
  std::cerr << fmt::format("glint: {}\n", why);
  return 1;
}

int perform(const BenchRequest& request) {
  Session session(options_of(request.file, request.arguments, request.compile_everything));
  if (!choose_backend(session, request.backend)) return 2;
  InterruptGuard guard(session);
  session.keep_calls();
  int exit_code = session.run_file(request.file, meant_file(request.file));
  if (exit_code != 0) return exit_code;
  const Whose whose = session.whose(request.function);
  std::string report = session.bench_report(whose);
  std::cout << render::folded(report, render::fitting_width()) << std::flush;
  if (!report.empty()) return 0;
  std::cerr << fmt::format("glint: nothing to compare: {}\n",
                           nothing_of(session, request.function, whose));
  return 1;
}

int perform(const ReportRequest& request) {
  Session session(options_of(request.file, request.arguments, request.compile_everything));
  if (!choose_backend(session, request.backend)) return 2;
  std::string page = request.output;
  if (page.empty()) page = std::filesystem::path(request.file).stem().string() + ".html";
  if (auto fault = session.fault_of_target(page)) {
    std::cerr << fmt::format("glint: {}\n", fault->message);
    return 2;
  }
  InterruptGuard guard(session);
  int exit_code = session.run_file(request.file, meant_file(request.file));
  if (exit_code == 2 && session.log().artifacts().empty()) return exit_code;  // there is no script
  if (auto fault = write_report(session, page)) {
    std::cerr << fmt::format("glint: {}\n", fault->message);
    return 2;
  }
  // What reads a device or a pipe knows where the page is.
  if (!page.starts_with("/dev/")) std::cerr << fmt::format("glint: the report is in `{}`\n", page);
  return exit_code;
}

int perform(const ExploreRequest& request) {
  return explore_script(request);
}
int perform(const IrRequest& request) {
  return read_ir(request);
}
int perform(const DocRequest& request) {
  return print_documentation(request);
}
int perform(const DoctorRequest&) {
  std::cout << doctor_text();
  return 0;
}
int perform(const KernelInstallRequest& request) {
  return kernel_word.install(request);
}
int perform(const KernelRunRequest& request) {
  return kernel_word.run(request);
}
int perform(const KernelExecuteRequest& request) {
  return kernel_word.execute(request);
}
int perform(const MessageRequest& request) {
  (request.exit_code == 0 ? std::cout : std::cerr) << request.text << std::flush;
  return request.exit_code;
}

/// A fault of Glint's own that no fallback has caught ends the command, not the process.
int perform_any(const Request& request) {
  try {
    return std::visit([](const auto& each) { return perform(each); }, request);
  } catch (const std::exception& error) {
    std::fflush(stdout);
    std::cerr << fmt::format("glint: internal error: {}\n", error.what());
    return 1;
  }
}

/// So that a shell, or whatever has started the program, sees that it was interrupted.
int die_of_interrupt() {
  std::fflush(nullptr);
  std::signal(SIGINT, SIG_DFL);
  std::raise(SIGINT);
  return 128 + SIGINT;
}

/// Nobody waits for a compiler whose compile was interrupted.
int end_with(int exit_code) {
  if (!apart::is_left_behind()) return exit_code;
  std::cout.flush();
  std::fflush(nullptr);
  ::_exit(exit_code);
}

}  // namespace

int run_program(const std::vector<std::string>& arguments, const KernelWord& kernel) {
  kernel_word = kernel;
  std::signal(SIGPIPE, SIG_IGN);  // a pipe that nobody reads is an error of a write
  for (const environment::VariableInfo& variable : environment::table()) {
    std::optional<std::string> problem = problem_of(variable.variable);
    if (!problem) continue;
    std::cerr << "glint: " << *problem << '\n';
    return 2;
  }
  Request request = parse_command_line(arguments);
  bool runs_script = std::holds_alternative<RunRequest>(request) ||
                     std::holds_alternative<ShowRequest>(request) ||
                     std::holds_alternative<BenchRequest>(request) ||
                     std::holds_alternative<ReportRequest>(request);
  if (runs_script)
    for (const std::string& line : folder_warnings()) std::cerr << "glint: " << line << '\n';
  int exit_code = perform_any(request);
  return exit_code == runtime::kInterruptedExit ? die_of_interrupt() : end_with(exit_code);
}

}  // namespace glint
