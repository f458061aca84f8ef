// A session: everything wired together, for the command line, the REPL, and C++ programs.
//
//     Session session({});
//     int exit_code = session.run_file("demo.py");
//     const Artifact* graph = session.log().latest(Stage::kGraph, "f");
//
// It owns the source texts, the stage log, the interpreter and what capture and the backends keep.
// One session lives at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/support/result.h"
#include "core/support/source_map.h"
#include "core/support/stage_log.h"
#include "core/support/whose.h"
#include "runtime/session/cell.h"
#include "runtime/session/variable_rows.h"
#include "runtime/session/walk.h"

namespace glint {

class Display;

namespace runtime {
class OutputSink;
}

struct SessionOptions {
  std::vector<std::string> arguments = {};  ///< sys.argv, the program's name first
  bool compile_everything = false;          ///< as if every function were under torch.compile
  bool goes_on = false;                     ///< a script's SystemExit is shown, as `-i` does
  /// Where the script writes and reads; null: the process's streams. It outlives the session.
  runtime::OutputSink* output = nullptr;
};

/// The exit code where output could not be written, as CPython's.
inline constexpr int kLostOutputExit = 120;

/// A script's text, or why there is none, in CPython's words.
Result<std::string> read_script(const std::string& path);

class TypedEntries;

class Session {
 public:
  explicit Session(SessionOptions options);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Runs a script to its end and gives its exit code; tracebacks go to standard error. The hint
  /// stands behind the complaint that the file cannot be opened.
  int run_file(const std::string& path, std::string_view hint = {});
  /// Runs a text under a name (`<string>`, `<stdin>`).
  int run_text(std::string name, std::string text);
  /// Runs one REPL entry in `__main__`; `exit_code` is set for kExit. One of blanks is none.
  EntryOutcome run_entry(const std::string& text, int& exit_code);
  /// Runs the call behind a command, `:graph f(x)`, as an entry, and gives whether it raised
  /// nothing. Ctrl-C ends the command, and what is left of a cell, with it:
  /// `interruption::Interrupted`.
  bool run_call(const std::string& text);
  /// What is run from now on belongs to this cell of a notebook.
  void begin_cell(uint32_t number);
  /// Runs the Python of a notebook's cell in `__main__`, under the name `<cell 3>`. What it prints,
  /// and the value of its last expression, go to the output.
  CellOutcome run_cell(const std::string& text);
  /// Calls what asked to be called behind each cell: open figures are shown. What that raised.
  std::optional<RaisedException> end_cell();
  /// `:run`: a script in `__main__`, beside what is there, with `sys.argv` and `__file__` its own
  /// as long as it runs. Its exit code, where a traceback was printed 1.
  Result<int> run_script(const std::string& path, const std::vector<std::string>& arguments);
  /// What was typed so far: `:save`, `:inputs`.
  TypedEntries& typed();
  /// `:vars`.
  std::vector<VariableRow> variables() const;
  /// `:reset`: the variables, what was typed and shown, and all that was compiled. Gives the number
  /// of variables that are gone.
  size_t reset();
  /// An expression in `__main__`, in the forms that a notebook shows.
  std::variant<MimeForms, RaisedException> evaluate(const std::string& expression);
  /// Adds `display` to the builtins; what it is given goes there, which outlives the session. Null:
  /// it is printed.
  void add_display(Display* display);
  /// The script's variables go and its output is flushed. Gives the exit code, or the one that
  /// says that output is lost, which is then reported.
  int end(int exit_code);
  /// Whether a REPL entry can run, or needs more lines.
  bool entry_is_complete(const std::string& text) const;
  TextState cell_state(const std::string& text) const;
  /// Names that may stand at the end of `text`, and where the word to complete begins.
  std::vector<std::string> completions(const std::string& text, size_t& begin);
  /// The keys of the dict whose item the text names, `d["ke`, that begin as the string at `begin`.
  std::vector<std::string> keys_beginning(const std::string& text, size_t begin);
  /// What `?name` shows: signature and doc; nothing for an unknown name.
  std::optional<std::string> describe(const std::string& expression);
  /// What `??name` shows: the text of a function's or class's definition; nothing for what has
  /// none.
  std::optional<std::string> source_of(const std::string& expression);
  /// Whose stages are meant by a name: those of the function that the variable holds, a function by
  /// another name, a bound method, a compiled module; of no variable, those that the log has under
  /// that name.
  Whose whose(const std::string& expression);
  /// The kernel of CUDA C++ that a variable holds (`glint.cuda.RawKernel`).
  struct RawKernelText {
    std::string name;
    std::string source;
  };
  std::optional<RawKernelText> raw_kernel_of(const std::string& expression);

  /// Ctrl-C, from a signal handler.
  void interrupt();
  /// Whether that has come while nothing ran; told once.
  bool take_interrupt();
  /// A line of standard input with its newline; empty at the end.
  std::string read_line();
  /// What is compiled from now on runs through this backend (`:backend`); false: no such backend.
  bool set_backend(const std::string& name);
  std::string backend() const;
  /// `:mode compiled`: what is typed at the REPL is compiled, and each function at its calls.
  void set_compile_everything(bool on);
  bool compile_everything() const;

  /// `:graph --table` and `--dot`: the last graph in another form, or all of a function, each with
  /// its title (`graph f, entry 2`).
  std::vector<std::pair<std::string, std::string>> graphs_as(std::string_view form,
                                                             const Whose& whose);
  /// As `--dot`, of the region of one compile; empty where that is none.
  std::string graph_drawing(uint32_t compile);
  /// Names that a function or a value has here, to say which one was meant.
  std::vector<std::string> names();
  /// `:why`: which guard failed at the last recompile.
  std::string why_recompiled() const;
  /// As `describe`, of what the language and its modules have: `len`, `torch.compile`, `nn.Linear`,
  /// `Linear`.
  std::optional<std::string> describe_library(const std::string& name);
  /// Whether a function of that name was called under torch.compile, whatever came of it.
  bool was_captured(const Whose& whose) const;
  /// `:diverge`: runs every stage of each region of a function (or of the last one) on the inputs
  /// of its last run and names the first whose result differs. Title and table of each.
  Result<std::vector<std::pair<std::string, std::string>>> diverge(const Whose& whose);
  /// `:step`: each region of a function (or the last one) run again on the inputs of its last run,
  /// node by node.
  Result<std::vector<Walk>> graph_walks(const Whose& whose);
  /// What each pass did to them, pass by pass.
  Result<std::vector<Walk>> pass_walks(const Whose& whose);
  /// Their kernels, statement by statement, at one index of the outermost loop. The name is a
  /// function's or a kernel's.
  Result<std::vector<Walk>> kernel_walks(const Whose& whose, int64_t at);
  /// `:time`: what the parts of the last call cost, of each region of a function, or of the last.
  std::string call_times(const Whose& whose);
  /// Whether the last thing that the script wrote ends in the middle of a line; told once.
  bool line_is_open();
  /// Gives the tracebacks of what is entered their colours.
  void paint_tracebacks(std::function<std::string(std::string_view)> paint);
  /// All stages so far as one HTML page.
  std::string report_page();
  /// Why nothing is to be written to a file: it is a script of the session's, any script for what
  /// is none, or it cannot be written.
  std::optional<Error> fault_of_target(const std::string& file, bool writes_script = false) const;
  /// Keeps copies of what compiled regions are called with, for `diverge`.
  void keep_inputs();
  /// `:explain f(x)`: graphs, breaks and guards of a call.
  Result<std::string> explain(const std::string& call);
  /// `:bench f(x)`, `:bench f(randn(n)) over n in 1e3, 1e4`: eager against compiled, in the forms
  /// that a notebook shows; none where that raised, which is reported.
  Result<MimeForms> bench(const std::string& call);
  /// Records what happens from now on, until the profile with that handle is stopped, as trace
  /// events (`:profile`, `glint run --profile`).
  static int64_t start_profile();
  std::string stop_profile(int64_t handle);
  /// `glint bench`: all functions that a script compiled and called with arguments by position, or
  /// those of that name; empty where there is none.
  std::string bench_report(const Whose& whose);
  /// Keeps the arguments of each compiled function's first call, for `bench_report`.
  void keep_calls();

  StageLog& log();
  const SourceMap& sources() const;

  struct Parts;

 private:
  std::unique_ptr<Parts> parts_;
};

}  // namespace glint
