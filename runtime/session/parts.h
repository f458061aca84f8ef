// What a session is made of. Inside the folder only.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/support/control_characters.h"
#include "core/support/environment.h"
#include "frontend/frontend.h"
#include "repl/report/document.h"
#include "runtime/capture/runner.h"
#include "runtime/device/install.h"
#include "runtime/interpreter/interpreter.h"
#include "runtime/session/cell.h"
#include "runtime/session/importer.h"
#include "runtime/session/session.h"
#include "runtime/session/typed_entries.h"
#include "runtime/session/watched_output.h"

namespace glint {

struct Session::Parts {
  explicit Parts(SessionOptions chosen)
      : options(std::move(chosen)),
        importer(
            sources,
            [this](const frontend::CompiledSource& compiled, SourceId source) {
              log_source(compiled, source);
            },
            [this](const frontend::SyntaxWarning& warning) { print_warning(warning); }),
        interpreter(sources),
        typed_entries(interpreter),
        runner(interpreter, context) {
    importer.folders = [this] { return search_folders(); };
    interpreter.set_importer(&importer);
    if (options.output) interpreter.set_output(options.output);
    output.emplace(interpreter, typed_entries);
    interpreter.set_region_runner(&runner);
    context.log = &log;
    context.sources = &sources;
    context.fail_stage = environment::value(environment::Variable::kFail).value_or("");
    context.warn = [this](std::string_view line) {
      interpreter.output().write_error(with_controls_escaped(line) + "\n");
    };
    capture::install(runner);
    runtime::install_builtins(interpreter);
    device::install();
    install_help();
    install_report();
    install_bench();
    install_display();
    install_profile();
    main = interpreter.new_module("__main__");
    set_arguments();
    interpreter.set_compiles_calls(options.compile_everything);
  }

  void set_arguments();
  void set_in_sys(std::string_view name, const std::vector<std::string>& texts);
  /// `sys.path`, once: the script's folder, then those of `GLINT_PATH`.
  void set_search_folders(const std::string& folder);
  std::vector<std::string> search_folders();
  Artifact of_source(Stage stage, SourceId source, Span definition) const;
  void log_tokens(SourceId source, Span definition);
  void log_source(const frontend::CompiledSource& compiled, SourceId source);
  void log_program(const std::shared_ptr<const program::Code>& code, double milliseconds);
  int run(SourceId source);
  /// Prints the pending exception and keeps what it says for the report; gives the exit code.
  int report_exception(bool goes_on);
  /// Runs an entry; false: an exception is pending.
  bool enter(const std::string& text);
  /// Runs what was typed in `__main__`; undefined: an exception is pending.
  runtime::Value run_typed(SourceId source, frontend::Mode mode);
  /// Takes the pending exception, as words, and keeps what it says for the report.
  RaisedException take_raised();
  /// The page about a function's compiles, or about all.
  std::string report_page(Whose whose);
  /// Adds the native part of `glint.report`.
  void install_report();
  /// The last runs of the regions of a function, or of the one that ran last.
  Result<std::vector<capture::KeptRun>> runs_of(const Whose& whose) const;
  /// Adds the native part of `glint.bench`.
  void install_bench();
  /// Adds the native part of `IPython.display`.
  void install_display();
  /// Adds the native part of `torch.profiler`.
  void install_profile();
  /// The function of a script that a call of a value runs; nobody's in particular where it runs
  /// none.
  Whose whose_of(const runtime::Value& object);
  /// Whether that is the function that the record compiles.
  bool is_of(const Whose& whose, const capture::CompileRecord& record);
  /// As CPython prints it, unless the script's filters of warnings say no.
  void print_warning(const frontend::SyntaxWarning& warning);
  /// Prints the pending exception of what a command ran; a Ctrl-C ends the command.
  void report_of_command();
  runtime::Value attribute_path(std::string_view path);
  /// The parameters, as `name=`, that may be named behind a text that ends in a call's brackets.
  std::vector<std::string> keyword_names(std::string_view before);
  /// A builtin, a module of Glint's own, or what is in one, by its full name; undefined if there is
  /// none.
  runtime::Value library_path(std::string_view path);
  /// The same of a name that may leave out `torch`, `torch.nn` or `torch.nn.functional`.
  runtime::Value library_object(const std::string& name);
  /// What the builtin `help` prints of a value, or of what a str names.
  std::string help_on(const runtime::Value& object);
  /// Adds `help` to the builtins.
  void install_help();

  /// See `Session`.
  std::optional<Error> fault_of_target(const std::string& file, bool writes_script) const;

  /// What is called, and with what.
  struct ReadCall {
    runtime::Value function;
    std::vector<runtime::Value> positional;
    std::vector<std::pair<runtime::StrObject*, runtime::Value>> keywords;
    runtime::Value held;  ///< keeps the keywords' names alive
  };
  /// Evaluates `f` and the arguments of `f(x, k=2)`, the text behind `:command`; nothing where that
  /// raised, which is then reported.
  Result<std::optional<ReadCall>> read_call(std::string_view command, const std::string& text);

  /// A call for each of several numbers, and what they stand for.
  struct ReadSweep {
    std::string variable;
    runtime::Value numbers;  ///< a list
    std::vector<ReadCall> calls;
  };
  /// Whether it is `CALL over n in NUMBERS`; then the same as `read_call`.
  static bool is_sweep(const std::string& text);
  Result<std::optional<ReadSweep>> read_sweep(std::string_view command, const std::string& text);

  SessionOptions options;
  SourceMap sources;
  StageLog log;
  SessionImporter importer;
  runtime::Interpreter interpreter;
  TypedEntries typed_entries;
  capture::CaptureContext context;
  capture::Runner runner;
  std::optional<WatchedOutput> output;
  Ref<runtime::ModuleObject> main;
  std::string script;  ///< the script's path from the root; empty if there is none
  SourceId script_source = SourceId::kNone;  ///< of what `run` was given last
  report::Failure failure;                   ///< of the script, or of the last entry
  bool has_folders = false;
  uint32_t entries = 0;  ///< of the REPL; a command's call is one
  uint32_t cell = 0;     ///< the notebook's cell at work; 0: at the REPL
};

/// While it lives, no inputs and no calls are kept, and nothing but what is asked for is compiled:
/// for measuring.
class WithoutSideWork {
 public:
  explicit WithoutSideWork(Session::Parts& parts)
      : parts_(parts),
        keeps_inputs_(parts.runner.keeps_inputs()),
        keeps_calls_(parts.runner.keeps_calls()),
        compiles_(parts.interpreter.compiles_calls()) {
    parts.runner.keep_inputs(false);
    parts.runner.keep_calls(false);
    parts.interpreter.set_compiles_calls(false);
  }
  ~WithoutSideWork() {
    parts_.runner.keep_inputs(keeps_inputs_);
    parts_.runner.keep_calls(keeps_calls_);
    parts_.interpreter.set_compiles_calls(compiles_);
  }
  WithoutSideWork(const WithoutSideWork&) = delete;
  WithoutSideWork& operator=(const WithoutSideWork&) = delete;

 private:
  Session::Parts& parts_;
  bool keeps_inputs_;
  bool keeps_calls_;
  bool compiles_;
};

}  // namespace glint
