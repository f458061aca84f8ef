// The interpreter: runs Program IR, instruction by instruction, on frames that are data.
//
//     Interpreter interpreter(sources);
//     interpreter.set_importer(&importer);
//     Ref<ModuleObject> main = interpreter.new_module("__main__");
//     if (interpreter.run_module(*main, code).is_undefined()) interpreter.print_exception();
//
// One interpreter is current at a time (`Interpreter::current()`); objects need it for their types.
// Functions that can raise return undefined (or false, or -1) with an exception pending.
#pragma once

#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/support/interruption.h"
#include "core/support/source_map.h"
#include "core/tensor/tensor.h"
#include "runtime/interpreter/frame.h"
#include "runtime/interpreter/importer.h"
#include "runtime/interpreter/native.h"
#include "runtime/interpreter/object.h"
#include "runtime/interpreter/tracer.h"

namespace glint::runtime {

/// Where `print` and tracebacks go; the session sets one. The default writes to the descriptors.
class OutputSink {
 public:
  virtual ~OutputSink() = default;
  /// All give 0, or the `errno` of what could not be written.
  virtual int write_out(std::string_view text) = 0;
  virtual int flush() { return 0; }
  virtual int write_error(std::string_view text) = 0;
  /// What nothing caught, as text.
  virtual void write_traceback(std::string_view text) { write_error(text); }
  /// The value of an expression that was typed; `text` is its repr.
  virtual int write_value(const Value& value, const std::string& text) {
    return write_out(text + "\n");
  }
  /// The `errno` of a flush that failed: what was to be written is lost, which the exit code says.
  virtual int lost() const { return 0; }
  /// A line of standard input with its newline, empty at the end.
  virtual std::string read_line() = 0;
  /// The same behind a prompt.
  virtual std::string ask(const std::string& prompt) {
    write_out(prompt);
    flush();
    return read_line();
  }
};

/// The exit code of a script that an interrupt ended: the program is to die of SIGINT, so that a
/// shell sees what it sees of CPython. No script can ask for it.
inline constexpr int kInterruptedExit = -2;

/// The builtin classes that C++ code names.
struct BuiltinClasses {
  Ref<ClassObject> object, type, none, boolean, integer, floating, complex, str, bytes, list, tuple,
      dict, set, frozenset, range, slice, function, method, native_function, module, cell,
      generator, property, static_method, class_method, super, dtype, device, size, tensor,
      parameter, ellipsis, not_implemented, traceback, code, compiled_function, dict_keys,
      dict_values, dict_items;
  /// Of the kinds whose objects are all of one class; see `class_of`.
  std::array<Ref<ClassObject>, kKindCount> of_kind;
  /// By IteratorObject::type_name, made when asked for.
  std::unordered_map<std::string, Ref<ClassObject>> iterators;
  /// By name: BaseException, ValueError, ...
  std::unordered_map<std::string, Ref<ClassObject>> exceptions;
};

/// How a run of frames ended.
enum class RunEnd : uint8_t { kReturned, kRaised, kStopped };

class Interpreter {
 public:
  explicit Interpreter(SourceMap& sources);
  ~Interpreter();
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;
  static Interpreter& current() { return *current_; }
  /// Whether there is one that can run script code: not while the last one is taken down.
  static bool alive() { return current_ && !current_->closing_; }

  // ---- Set-up ----
  void set_importer(Importer* importer) { importer_ = importer; }
  Importer* importer() const { return importer_; }
  void set_output(OutputSink* output);
  OutputSink& output() { return *output_; }
  void set_region_runner(RegionRunner* runner) { region_runner_ = runner; }
  /// Every call of a script function, other than from inside a compiled one, goes through the
  /// region runner: `--compile`, `:mode compiled`.
  void set_compiles_calls(bool on);
  bool compiles_calls() const { return compiles_calls_; }
  SourceMap& sources() { return sources_; }

  // ---- Modules ----
  Ref<ModuleObject> new_module(std::string_view name);
  /// Runs a module's code with its variables; undefined if it raised, else None (kEval: the value).
  Value run_module(ModuleObject& module, std::shared_ptr<const program::Code> code);
  /// Runs code with any dicts as globals and locals: `exec`, `eval`.
  Value run_code(std::shared_ptr<const program::Code> code, Ref<DictObject> globals,
                 Ref<DictObject> locals);
  /// `import a.b`: gives module a.b, loaded with its parents; undefined if it raised.
  Value import_module(std::string_view name);
  /// How long modules have taken to load, all together.
  std::chrono::duration<double, std::milli> loading_time() const { return loading_time_; }
  /// `sys.modules`.
  DictObject& modules() { return *modules_; }
  /// The builtins: `print`, `len`, ... A name found nowhere else is looked for here.
  DictObject& builtins() { return *builtins_; }
  BuiltinClasses& classes() { return classes_; }

  // ---- Registering natives (builtins_*.cpp do, from `install_builtins`) ----
  void add_builtin(const NativeDefinition& definition);
  void add_function(ModuleObject& module, const NativeDefinition& definition);
  void add_functions(ModuleObject& module, std::span<const NativeDefinition> definitions);
  /// Methods of a builtin type; the signature's first parameter is self.
  void add_methods(ClassObject& cls, std::span<const NativeDefinition> definitions);
  /// A read-only (or with a setter `name(self, value)`, writable) attribute of a builtin type.
  void add_property(ClassObject& cls, const NativeDefinition& getter,
                    const NativeDefinition* setter = nullptr,
                    const NativeDefinition* deleter = nullptr);
  /// A new builtin type; `module_name.name` is how `repr` shows it.
  Ref<ClassObject> new_class(std::string_view name, const Ref<ClassObject>& base,
                             ObjectKind instance_kind, std::string_view module_name = "builtins");
  Ref<ClassObject> new_exception(std::string_view name, std::string_view base);

  // ---- Calls ----
  /// Runs to the end in a nested loop; undefined if it raised.
  Value call(const Value& callable, std::span<const Value> arguments);
  Value call(const Value& callable, std::initializer_list<Value> arguments) {
    return call(callable, std::span<const Value>(arguments.begin(), arguments.size()));
  }
  Value call_with_keywords(const Value& callable, std::span<const Value> arguments,
                           std::span<const std::pair<StrObject*, Value>> keywords);
  /// `value.name(arguments)`.
  Value call_method(const Value& value, std::string_view name,
                    std::initializer_list<Value> arguments = {});

  // ---- Exceptions ----
  /// Sets the pending exception; gives undefined. `exception` names a builtin class.
  Value raise(std::string_view exception, std::string message);
  Value raise(const Ref<ClassObject>& cls, std::vector<Value> arguments);
  /// Raises an exception object (sets its context to the one being handled).
  Value raise(Ref<ExceptionObject> exception);
  bool raised() const { return pending_.defined(); }
  const Value& pending() const { return pending_; }
  /// Takes the pending exception, which is then no longer pending.
  Ref<ExceptionObject> take_pending();
  /// Whether the pending exception is of the named builtin class or a subclass.
  bool pending_is(std::string_view exception) const;
  /// Clears a pending StopIteration; false if something else (or nothing) is pending.
  bool clear_stop_iteration();
  Ref<ExceptionObject> new_exception_object(std::string_view exception, std::string message);
  /// The exception being handled (`sys.exc_info`), or undefined.
  Value handled_exception() const;
  /// Text as CPython prints it, with the chain of causes.
  std::string format_exception(ExceptionObject& exception, bool with_suggestions = true);
  /// The frames at work, the innermost last, as a traceback shows them.
  std::string stack_text();
  /// What came of an exception that nobody caught.
  struct Uncaught {
    int exit_code = 1;  ///< SystemExit's own, or 1
    std::string text;   ///< the traceback that was printed; empty for a SystemExit
  };
  /// Prints the pending exception and clears it. Where the program goes on, SystemExit is printed
  /// as any other.
  Uncaught report_exception(bool goes_on = false);
  /// Says on standard error that output was lost, as CPython does at its end.
  void report_lost_output();
  Value raise_syntax_error(const SyntaxProblem& problem);
  /// Tells what the pending error's name was looked for in.
  void note_sought(const Ref<StrObject>& name, const Value& in);

  // ---- Limits ----
  /// Ctrl-C, from a signal handler: KeyboardInterrupt at the next call or back-edge.
  void interrupt() {
    interruption::request();
    attention.fetch_or(kAttendInterrupt);
  }
  /// Raises that KeyboardInterrupt now, if there is one: for natives that take their time.
  bool raise_interrupt();
  uint32_t recursion_limit() const { return recursion_limit_; }
  void set_recursion_limit(uint32_t limit) { recursion_limit_ = limit; }

  // ---- Tensors ----
  /// Every tensor operator goes through here: the tracer may take over, else the eager kernel runs.
  /// `arguments` are bound, one per parameter. Gives the result (a tuple or list if several).
  Value call_operator(const ops::OpEntry& entry, std::span<const Value> arguments);
  /// The same without a record for gradients.
  Value call_unrecorded(const ops::OpEntry& entry, std::span<const Value> arguments);
  /// False: raised, or the trace stops here.
  bool demand_value(const Tensor& tensor);

  // ---- Capture's view ----
  Tracer* tracer() const { return tracer_; }
  /// From now on, frames run (or stop running) through the tracing loop.
  void set_tracer(Tracer* tracer);
  Frame* top_frame() const { return frame_; }
  /// Pushes a frame for a call; undefined arguments take their defaults already bound by
  /// `bind_arguments`. The frame's continuation is kExit.
  Frame* push_frame(FunctionObject& function, std::span<const Value> registers);
  /// Fills the parameters' registers from a call's arguments; false if it raised TypeError.
  bool bind_arguments(FunctionObject& function, std::span<const Value> positional,
                      std::span<const std::pair<StrObject*, Value>> keywords,
                      std::vector<Value>& registers);
  /// Runs the top frame until the frame `base` has ended. kReturned: `result` is its value.
  /// kStopped: the tracer stopped; frames from `base` up are still there.
  RunEnd run_frames(Frame* base, Value& result);
  /// The frames from the top down to `base`, as data, innermost last; and back.
  std::vector<FrameSnapshot> snapshot(Frame* base) const;
  Frame* restore(std::span<const FrameSnapshot> frames);
  /// Pops frames down to and including `base`, without running them.
  void drop_frames(Frame* base);
  /// Whether a trace is made, which a native may stop.
  bool is_tracing() const { return tracer_ && tracer_->may_be_stopped(); }
  /// From within a tracer's `call_operator`, or a native that then gives undefined: the loop ends
  /// before the instruction at work, which runs eagerly. Where that is so already, nothing would
  /// come of stopping again, and nothing does: the native's undefined is a fault then.
  void stop_trace() { stop_requested_ = is_tracing(); }
  /// Whether a stop was asked for and has not been obeyed: a native took it for the end of an
  /// iterator. It is taken back.
  bool take_missed_stop() { return std::exchange(stop_requested_, false); }
  /// Sets the instruction at which a frame goes on.
  void jump_to(Frame& frame, uint32_t pc);
  FunctionCode* prepare(const std::shared_ptr<const program::Code>& code);

 private:
  friend struct Machine;
  static Interpreter* current_;

  SourceMap& sources_;
  Importer* importer_ = nullptr;
  std::unique_ptr<OutputSink> plain_output_;
  OutputSink* output_;
  RegionRunner* region_runner_ = nullptr;
  bool compiles_calls_ = false;
  Tracer* tracer_ = nullptr;
  BuiltinClasses classes_;
  Ref<DictObject> modules_;
  std::chrono::duration<double, std::milli> loading_time_ = {};
  uint32_t loading_depth_ = 0;  ///< modules that load: one loads others
  Ref<DictObject> builtins_;
  uint32_t recursion_limit_ = 1000;
  bool closing_ = false;

  // The running script.
  Frame* frame_ = nullptr;
  char* stack_ = nullptr;      ///< memory for frames
  char* stack_top_ = nullptr;  ///< where the next frame goes
  char* stack_end_ = nullptr;
  uint32_t native_depth_ = 0;    ///< levels of C++ recursion, see recursion.h
  Value pending_;                ///< the exception on its way up
  bool reraising_ = false;       ///< it keeps its traceback: the frame at hand is in there already
  bool stop_requested_ = false;  ///< the tracer wants the loop to end before this instruction
  std::vector<Value> handled_;   ///< exceptions being handled, innermost last
  RunEnd run_end_ = RunEnd::kReturned;
  Value result_;                      ///< of the run that ended
  Value sent_;                        ///< what a generator is resumed with
  Value stop_value_;                  ///< what the generator that just ended returned
  std::unique_ptr<Resumable> begun_;  ///< by a native that was just called
  Frame* driving_ = nullptr;          ///< the native frame whose request is being made
  Value driven_;                      ///< the answer, if it came at once
  std::unordered_map<const program::Code*, std::unique_ptr<FunctionCode>> prepared_;
};

/// Sets a tracer, or none, for a scope.
class TracerScope {
 public:
  TracerScope(Interpreter& interpreter, Tracer* tracer)
      : interpreter_(interpreter), before_(interpreter.tracer()) {
    interpreter.set_tracer(tracer);
  }
  ~TracerScope() { interpreter_.set_tracer(before_); }
  TracerScope(const TracerScope&) = delete;
  TracerScope& operator=(const TracerScope&) = delete;

 private:
  Interpreter& interpreter_;
  Tracer* before_;
};

/// Writes the builtin functions, types' methods and native modules; in builtins_*.cpp.
void install_builtins(Interpreter& interpreter);
/// The native module of that name, if there is one; in builtins_*.cpp. The session's importer asks.
const NativeModule* find_native_module(std::string_view name);
/// The names of all that it finds.
std::vector<std::string> native_module_names();

}  // namespace glint::runtime
