// Exceptions: raised, chained, printed as CPython 3.11 prints them.
//
//     Traceback (most recent call last):
//       File "demo.py", line 5, in f
//         return x / y
//                ~~^~~
//     ZeroDivisionError: division by zero
#include <fmt/format.h>

#include <algorithm>

#include "core/support/text_width.h"
#include "runtime/interpreter/builtins_encodings.h"
#include "runtime/interpreter/builtins_files.h"
#include "runtime/interpreter/machine.h"
#include "runtime/interpreter/number_objects.h"
#include "runtime/interpreter/os_errors.h"
#include "runtime/interpreter/suggestions.h"

namespace glint::runtime {

// ---- Raising -----------------------------------------------------------------------------------

Ref<ExceptionObject> Interpreter::new_exception_object(std::string_view exception,
                                                       std::string message) {
  auto found = classes_.exceptions.find(std::string(exception));
  check(found != classes_.exceptions.end(), "an unknown exception was raised");
  Ref<ExceptionObject> object = allocate_exception(*found->second);
  if (!message.empty()) object->args = make_tuple({str_value(std::move(message))});
  return object;
}

Value Interpreter::raise(std::string_view exception, std::string message) {
  return raise(new_exception_object(exception, std::move(message)));
}
Value Interpreter::raise(const Ref<ClassObject>& cls, std::vector<Value> arguments) {
  return raise(make_exception(*this, *cls, std::move(arguments)));
}
Value Interpreter::raise(Ref<ExceptionObject> exception) {
  // A native that was cut short by the tracer has nothing to complain about: it runs again.
  if (tracer_ && stop_requested_) return Value();
  if (!handled_.empty() && !handled_.back().identical(Value(exception))) {
    // Keep the chain free of cycles: cut it where it would come back to this exception.
    auto* at = handled_.back().as<ExceptionObject>();
    for (auto* one = at; one;) {
      auto* next = one->context.try_as<ExceptionObject>();
      if (next == exception.get()) one->context = Value::none();
      one = next == exception.get() ? nullptr : next;
    }
    exception->context = handled_.back();
  }
  reraising_ = false;
  pending_ = Value(std::move(exception));
  return Value();
}

void Interpreter::note_sought(const Ref<StrObject>& name, const Value& in) {
  auto* exception = pending_.try_as<ExceptionObject>();
  if (!exception) return;
  exception->sought = name;
  exception->sought_in = in;
}

Ref<ExceptionObject> Interpreter::take_pending() {
  Ref<ExceptionObject> taken(pending_.as<ExceptionObject>());
  pending_ = Value();
  reraising_ = false;
  return taken;
}
bool Interpreter::pending_is(std::string_view exception) const {
  if (!pending_.is<ExceptionObject>()) return false;
  auto found = classes_.exceptions.find(std::string(exception));
  return found != classes_.exceptions.end() &&
         pending_.as<ExceptionObject>()->cls->is_subclass_of(found->second.get());
}
bool Interpreter::clear_stop_iteration() {
  if (!pending_is("StopIteration")) return false;
  Ref<ExceptionObject> stop = take_pending();
  stop_value_ = stop->args->items.empty() ? Value::none() : stop->args->items[0];
  return true;
}
Value Interpreter::handled_exception() const {
  return handled_.empty() ? Value() : handled_.back();
}

/// What `raise x` and `from x` take: an exception, or a class to be called.
static Ref<ExceptionObject> exception_from(Interpreter& in, const Value& value) {
  if (auto* exception = value.try_as<ExceptionObject>()) return Ref<ExceptionObject>(exception);
  if (auto* cls = value.try_as<ClassObject>(); cls && cls->is_exception) {
    Value made = in.call(value, {});
    if (made.is<ExceptionObject>()) return Ref<ExceptionObject>(made.as<ExceptionObject>());
    if (made.is_undefined()) return nullptr;
  }
  in.raise("TypeError", "exceptions must derive from BaseException");
  return nullptr;
}

Frame* Machine::op_raise(Interpreter& in, Frame& frame, Op& op) {
  const Value* k = frame.code->constants.data();
  Value value = operand(frame.registers, k, op.a);
  Ref<ExceptionObject> exception = exception_from(in, value);
  if (!exception) return unwind(in);
  if (op.b != kNoOperand) {
    Value cause = operand(frame.registers, k, op.b);
    if (!cause.is_none()) {
      Ref<ExceptionObject> from = exception_from(in, cause);
      if (!from) {
        if (in.pending_is("TypeError")) {
          in.take_pending();
          in.raise("TypeError", "exception causes must derive from BaseException");
        }
        return unwind(in);
      }
      cause = Value(from);
    }
    exception->cause = cause;
    exception->suppress_context = true;
  }
  in.raise(std::move(exception));
  return unwind(in);
}

Frame* Machine::op_reraise(Interpreter& in, Frame& frame, Op& op) {
  Value value = op.a == kNoOperand ? in.handled_exception()
                                   : operand(frame.registers, frame.code->constants.data(), op.a);
  if (!value.is<ExceptionObject>()) {
    in.raise("RuntimeError", "No active exception to reraise");
    return unwind(in);
  }
  in.pending_ = std::move(value);
  in.reraising_ = true;
  return unwind(in);
}

// ---- Printing ----------------------------------------------------------------------------------

namespace {

struct Line {
  std::string_view file;
  uint32_t line;
  std::string_view function;
  Span span;
  bool binary = false, subscript = false;
};

/// The columns that a text takes on a screen, as CPython counts them for the carets.
size_t columns(std::string_view text) {
  return text_width(text);
}

/// The place of a binary operator between its operands: after the left one come spaces and perhaps
/// closing brackets. `depth` 0 outside of all brackets and quotes of the expression.
struct Anchor {
  size_t begin, end;
};
constexpr std::string_view kOperatorTexts[] = {"**", "//", "<<", ">>", "@", "+", "-",
                                               "*",  "/",  "%",  "&",  "|", "^"};

int precedence(std::string_view symbol) {
  if (symbol == "|") return 1;
  if (symbol == "^") return 2;
  if (symbol == "&") return 3;
  if (symbol == "<<" || symbol == ">>") return 4;
  if (symbol == "+" || symbol == "-") return 5;
  if (symbol == "**") return 7;
  return 6;
}

/// The operator that the expression's value comes from: of the weakest binding, the last one
/// (the first for `**`), outside of brackets.
std::optional<Anchor> operator_anchor(std::string_view text) {
  std::optional<Anchor> best;
  int weakest = 100, depth = 0;
  char quote = 0;
  bool operand_before = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (quote) {
      if (c == '\\') ++i;
      if (c == quote) quote = 0;
      continue;
    }
    if (c == '\'' || c == '"') {
      quote = c;
      operand_before = true;
      continue;
    }
    if (c == '(' || c == '[' || c == '{') {
      ++depth;
      operand_before = false;
      continue;
    }
    if (c == ')' || c == ']' || c == '}') {
      --depth;
      operand_before = true;
      continue;
    }
    if (c == ' ') continue;
    bool matched = false;
    for (std::string_view symbol : kOperatorTexts) {
      if (text.substr(i, symbol.size()) != symbol) continue;
      matched = true;
      int strength = precedence(symbol);
      bool last_wins = symbol != "**";
      if (depth == 0 && operand_before &&
          (strength < weakest || (strength == weakest && last_wins))) {
        weakest = strength;
        best = Anchor{i, i + symbol.size()};
      }
      i += symbol.size() - 1;
      break;
    }
    operand_before = !matched && c != ',';
  }
  return best;
}

/// The last pair of square brackets of a subscript.
std::optional<Anchor> subscript_anchor(std::string_view text) {
  if (text.empty() || text.back() != ']') return std::nullopt;
  int depth = 0;
  for (size_t i = text.size(); i-- > 0;) {
    if (text[i] == ']') ++depth;
    if (text[i] == '[' && --depth == 0) return Anchor{i, text.size()};
  }
  return std::nullopt;
}

std::string caret_line(std::string_view source, const Line& line, size_t indent) {
  const Span& span = line.span;
  size_t begin = std::min<size_t>(span.column, source.size());
  size_t end =
      span.end_line > span.line ? source.size() : std::min<size_t>(span.end_column, source.size());
  if (end <= begin) return {};
  size_t last = source.find_last_not_of(" \t\r");
  bool entire = begin <= indent && last != std::string_view::npos && end >= last + 1;
  std::string_view text = source.substr(begin, end - begin);
  std::optional<Anchor> anchor;
  if (span.end_line == span.line) {
    if (line.binary) anchor = operator_anchor(text);
    if (line.subscript) anchor = subscript_anchor(text);
  }
  // Carets under all of a line say nothing, but the place of its operator does.
  if (entire && !anchor) return {};
  std::string out(4 + columns(source.substr(indent, begin - indent)), ' ');
  if (!anchor) {
    out.append(columns(text), '^');
  } else {
    out.append(columns(text.substr(0, anchor->begin)), '~');
    out.append(columns(text.substr(anchor->begin, anchor->end - anchor->begin)), '^');
    out.append(columns(text.substr(anchor->end)), '~');
  }
  return out + "\n";
}

std::string frame_text(SourceMap& sources, const Line& line) {
  std::string text =
      fmt::format("  File \"{}\", line {}, in {}\n", line.file, line.line, line.function);
  // Texts without a file have no lines that could be looked up.
  bool is_file = line.file != "<string>" && line.file != "<stdin>";
  std::string_view source =
      is_file ? sources.line(line.span.source, line.line) : std::string_view();
  size_t indent = source.find_first_not_of(" \t\f");
  if (indent == std::string_view::npos) return text;
  size_t last = source.find_last_not_of(" \t\r\n");
  text += fmt::format("    {}\n", source.substr(indent, last + 1 - indent));
  return text + caret_line(source, line, indent);
}

Line line_of(SourceMap& sources, const TracebackEntry& entry) {
  using program::Opcode;
  const program::Instruction& at = entry.code->instructions[entry.pc];
  Line line{sources.name(at.span.source), at.span.line, entry.code->name, at.span};
  line.binary = at.opcode >= Opcode::kAdd && at.opcode <= Opcode::kBitXor;
  line.subscript = at.opcode == Opcode::kItem || at.opcode == Opcode::kSetItem ||
                   at.opcode == Opcode::kDeleteItem;
  return line;
}

std::string frames_text(SourceMap& sources, const Frame* frame) {
  std::vector<std::string> lines;
  for (; frame; frame = frame->caller)
    if (frame->code)
      lines.push_back(
          frame_text(sources, line_of(sources, {frame->code->program, frame->position()})));
  std::string text;
  for (size_t i = lines.size(); i-- > 0;) text += lines[i];
  return text;
}

/// Calls of which it has no lines in a traceback what they do inside: NumPy is compiled code
/// elsewhere, and that a kernel of one's own is an object of the library says nothing of a mistake.
constexpr std::string_view kWithoutLines[] = {"library/numpy/", "library/glint/cuda.py"};

bool has_no_lines(const Line& line) {
  return std::ranges::any_of(kWithoutLines,
                             [&](std::string_view each) { return line.file.starts_with(each); });
}

std::string traceback_text(SourceMap& sources, const ExceptionObject& exception) {
  if (exception.traceback.empty()) return {};
  std::string text = "Traceback (most recent call last):\n";
  std::string previous;
  size_t repeats = 0;
  auto flush = [&] {
    if (repeats > 3) {
      text += fmt::format("  [Previous line repeated {} more time{}]\n", repeats - 3,
                          repeats - 3 == 1 ? "" : "s");
    }
    repeats = 0;
  };
  for (size_t i = exception.traceback.size(); i-- > 0;) {
    const Line line = line_of(sources, exception.traceback[i]);
    const bool is_outermost = i + 1 == exception.traceback.size();
    if (!is_outermost && has_no_lines(line)) continue;
    std::string one = frame_text(sources, line);
    if (one != previous) {
      flush();
      previous = one;
    }
    if (++repeats <= 3) text += one;
  }
  flush();
  return text;
}

/// The lines behind the message; of what is no list, the repr.
std::string notes_text(Interpreter& in, const Value& notes) {
  std::string text;
  if (notes.is_undefined() || notes.is_none()) return text;
  auto* list = notes.try_as<ListObject>();
  if (!list) {
    if (!repr_of(in, notes, text)) in.take_pending();
    return text;
  }
  for (const Value& note : std::vector<Value>(list->items)) {
    if (!str_of(in, note, text)) {
      in.take_pending();
      text += "<note str() failed>";
    }
    text += "\n";
  }
  return text;
}

bool is_syntax_error(Interpreter& in, const ExceptionObject& exception) {
  return exception.cls->is_subclass_of(in.classes().exceptions["SyntaxError"].get());
}

/// An attribute of a syntax error; None where it has none.
Value detail_of(Interpreter& in, ExceptionObject& exception, std::string_view name) {
  Value found = find_attribute(in, Value(&exception), intern(name));
  if (in.raised()) in.take_pending();
  return found.defined() ? found : Value::none();
}

std::string last_line(Interpreter& in, ExceptionObject& exception, bool with_suggestions) {
  ClassObject& cls = *exception.cls;
  std::string name = cls.qualified_name ? cls.qualified_name->text : cls.name->text;
  if (cls.module_name.is<StrObject>()) {
    const std::string& module = cls.module_name.as<StrObject>()->text;
    if (module != "builtins" && module != "__main__") name = module + "." + name;
  }
  std::string message;
  // Where a syntax error lies stands in the lines above, not in its message.
  Value shown(&exception);
  if (is_syntax_error(in, exception) &&
      class_of(shown)->special(Special::kStr).is<NativeFunctionObject>())
    shown = detail_of(in, exception, "msg");
  if (!str_of(in, shown, message)) {
    in.take_pending();
    message = "<exception str() failed>";
  }
  std::string text = message.empty() ? name : name + ": " + message;
  if (with_suggestions) text += suggestion(in, exception);
  return text + "\n" + notes_text(in, exception.notes);
}

/// `  File "x.py", line 3`, the line, and the caret of a syntax error.
std::string syntax_text(Interpreter& in, ExceptionObject& exception) {
  if (!is_syntax_error(in, exception)) return "";
  auto number = [&](std::string_view name) {
    Value value = detail_of(in, exception, name);
    return value.is_int() && value.as_int() > 0 ? static_cast<size_t>(value.as_int()) : 0;
  };
  Value file = detail_of(in, exception, "filename"), source = detail_of(in, exception, "text");
  size_t line = number("lineno"), offset = number("offset");
  if (line == 0) return "";
  std::string where =
      fmt::format("  File \"{}\", line {}\n", is_str(file) ? view_of(file) : "<string>", line);
  std::string_view text = is_str(source) ? view_of(source) : "";
  size_t indent = text.find_first_not_of(" \t\f");
  if (indent == std::string::npos) return where;
  size_t size = text.find_last_not_of("\r\n") + 1;
  where += fmt::format("    {}\n", text.substr(indent, size - indent));
  if (offset <= indent) return where;
  size_t column = offset - 1, end = number("end_offset");
  end = number("end_lineno") > line ? size : end > 0 ? end - 1 : 0;
  size_t count = end > column ? end - column : 1;
  return where + std::string(4 + column - indent, ' ') + std::string(count, '^') + "\n";
}

}  // namespace

std::string Interpreter::stack_text() {
  return frames_text(sources_, frame_);
}

std::string Interpreter::format_exception(ExceptionObject& exception, bool with_suggestions) {
  std::vector<std::pair<ExceptionObject*, std::string_view>> chain;
  std::string_view link;
  for (ExceptionObject* at = &exception; at && chain.size() < 100;) {
    chain.emplace_back(at, link);
    if (auto* cause = at->cause.try_as<ExceptionObject>()) {
      link = "\nThe above exception was the direct cause of the following exception:\n\n";
      at = cause;
    } else if (auto* context = at->context.try_as<ExceptionObject>();
               context && !at->suppress_context) {
      link = "\nDuring handling of the above exception, another exception occurred:\n\n";
      at = context;
    } else {
      at = nullptr;
    }
    bool seen =
        std::any_of(chain.begin(), chain.end(), [&](const auto& one) { return one.first == at; });
    if (seen) at = nullptr;
  }
  std::string text;
  for (size_t i = chain.size(); i-- > 0;) {
    text += traceback_text(sources_, *chain[i].first);
    text += syntax_text(*this, *chain[i].first);
    text += last_line(*this, *chain[i].first, with_suggestions);
    text += chain[i].second;
  }
  return text;
}

Interpreter::Uncaught Interpreter::report_exception(bool goes_on) {
  Ref<ExceptionObject> exception = take_pending();
  output().flush();
  if (!goes_on && exception->cls->is_subclass_of(classes_.exceptions["SystemExit"].get())) {
    Value code = get_attribute(*this, Value(exception), "code");
    if (code.is_undefined() || code.is_none()) return {0, {}};
    code = number_in(code);
    if (code.is_integral()) return {static_cast<int>(code.as_int() & 0xff), {}};
    std::string text;
    if (!str_of(*this, code, text)) take_pending();
    output().write_error(with_escapes(*this, text + "\n"));
    return {};
  }
  std::string text = with_escapes(*this, format_exception(*exception));
  output().write_traceback(text);
  bool interrupted = exception->cls->is_subclass_of(classes_.exceptions["KeyboardInterrupt"].get());
  return {interrupted ? kInterruptedExit : 1, std::move(text)};
}

void Interpreter::report_lost_output() {
  raise_os_error(*this, output().lost());
  output().write_error(
      "Exception ignored in: <_io.TextIOWrapper name='<stdout>' mode='w' encoding='utf-8'>\n" +
      format_exception(*take_pending()));
}

Value Interpreter::raise_syntax_error(const SyntaxProblem& problem) {
  Ref<ExceptionObject> error = new_exception_object(problem.kind, problem.message);
  bool has_details = error->cls->is_subclass_of(classes_.exceptions["SyntaxError"].get());
  if (problem.line > 0 && has_details) {
    auto number = [](uint32_t value) { return Value(int64_t{value}); };
    Value text = problem.text.empty() ? Value::none() : str_value(problem.text);
    Value details(make_tuple({str_value(problem.file), number(problem.line), number(problem.column),
                              text, number(problem.end_line), number(problem.end_column)}));
    error->args = make_tuple({str_value(problem.message), details});
  }
  return raise(std::move(error));
}

}  // namespace glint::runtime
