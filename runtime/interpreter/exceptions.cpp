// Exceptions: raised, chained, printed as CPython 3.11 prints them.
//
//     Traceback (most recent call last):
//       File "demo.py", line 5, in f
//         return x / y
//                ~~^~~
//     ZeroDivisionError: division by zero
#include <fmt/format.h>

#include <algorithm>

#include "runtime/interpreter/machine.h"

namespace glint::runtime {

// ---- Raising -----------------------------------------------------------------------------------

Ref<ExceptionObject> Interpreter::new_exception_object(std::string_view exception,
                                                       std::string message) {
  auto found = classes_.exceptions.find(std::string(exception));
  check(found != classes_.exceptions.end(), "an unknown exception was raised");
  auto object = make_ref<ExceptionObject>(found->second.get());
  if (!message.empty()) object->args = make_tuple({str_value(std::move(message))});
  return object;
}

Value Interpreter::raise(std::string_view exception, std::string message) {
  return raise(new_exception_object(exception, std::move(message)));
}
Value Interpreter::raise(const Ref<ClassObject>& cls, std::vector<Value> arguments) {
  auto object = make_ref<ExceptionObject>(cls.get());
  object->args = make_tuple(std::move(arguments));
  return raise(std::move(object));
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
  /// A loop's step, a context, a condition that is no comparison belong to the whole statement: no
  /// part of the line is pointed at.
  bool whole = false;
};

/// Columns of a byte offset: code points, as CPython counts them for the carets.
size_t columns(std::string_view text) {
  return static_cast<size_t>(count_code_points(text));
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
  if (line.whole) return {};
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
  std::string_view source = sources.line(line.span.source, line.line);
  size_t indent = source.find_first_not_of(" \t\f");
  if (indent == std::string_view::npos) return text;
  size_t last = source.find_last_not_of(" \t\r\n");
  text += fmt::format("    {}\n", source.substr(indent, last + 1 - indent));
  return text + caret_line(source, line, indent);
}

bool is_comparison(const program::Instruction& instruction) {
  return instruction.opcode >= program::Opcode::kLess &&
         instruction.opcode <= program::Opcode::kGreaterEqual;
}

Line line_of(SourceMap& sources, const TracebackEntry& entry) {
  using program::Opcode;
  const program::Instruction& at = entry.code->instructions[entry.pc];
  Line line{sources.name(at.span.source), at.span.line, entry.code->name, at.span};
  line.binary = at.opcode >= Opcode::kAdd && at.opcode <= Opcode::kBitXor;
  line.subscript = at.opcode == Opcode::kItem || at.opcode == Opcode::kSetItem ||
                   at.opcode == Opcode::kDeleteItem;
  bool jumps = at.opcode == Opcode::kJumpIfTrue || at.opcode == Opcode::kJumpIfFalse;
  bool compared = jumps && entry.pc > 0 && is_comparison(entry.code->instructions[entry.pc - 1]);
  line.whole = at.opcode == Opcode::kNext || at.opcode == Opcode::kEnterContext ||
               at.opcode == Opcode::kExitContext || at.opcode == Opcode::kMatchException ||
               (jumps && !compared);
  return line;
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
    std::string one = frame_text(sources, line_of(sources, exception.traceback[i]));
    if (one != previous) {
      flush();
      previous = one;
    }
    if (++repeats <= 3) text += one;
  }
  flush();
  return text;
}

std::string last_line(Interpreter& in, ExceptionObject& exception) {
  ClassObject& cls = *exception.cls;
  std::string name = cls.qualified_name ? cls.qualified_name->text : cls.name->text;
  if (cls.module_name.is<StrObject>()) {
    const std::string& module = cls.module_name.as<StrObject>()->text;
    if (module != "builtins" && module != "__main__") name = module + "." + name;
  }
  std::string message;
  if (!str_of(in, Value(&exception), message)) {
    in.take_pending();
    message = "<exception str() failed>";
  }
  std::string text = message.empty() ? name + "\n" : name + ": " + message + "\n";
  for (const std::string& note : exception.notes) text += note + "\n";
  return text;
}

/// `  File "x.py", line 3`, the line, and the caret of a syntax error.
std::string syntax_text(ExceptionObject& exception) {
  Value* where = exception.attributes ? exception.attributes->find("print_file_and_line") : nullptr;
  return where && where->is<StrObject>() ? where->as<StrObject>()->text : std::string();
}

}  // namespace

std::string Interpreter::format_exception(ExceptionObject& exception) {
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
    if (chain[i].first->cls->is_subclass_of(classes_.exceptions["SyntaxError"].get())) {
      text += syntax_text(*chain[i].first);
    }
    text += last_line(*this, *chain[i].first);
    text += chain[i].second;
  }
  return text;
}

int Interpreter::report_exception() {
  Ref<ExceptionObject> exception = take_pending();
  output().flush();
  if (exception->cls->is_subclass_of(classes_.exceptions["SystemExit"].get())) {
    const auto& args = exception->args->items;
    if (args.empty() || args[0].is_none()) return 0;
    if (args[0].is_integral() && args.size() == 1) return static_cast<int>(args[0].as_int() & 0xff);
    std::string text;
    str_of(*this, args.size() == 1 ? args[0] : Value(exception->args), text);
    output().write_error(text + "\n");
    return 1;
  }
  output().write_error(format_exception(*exception));
  return exception->cls->is_subclass_of(classes_.exceptions["KeyboardInterrupt"].get()) ? 130 : 1;
}

Value Interpreter::raise_syntax_error(const SyntaxProblem& problem) {
  Ref<ExceptionObject> error = new_exception_object(problem.kind, problem.message);
  error->attributes = make_dict();
  auto& attributes = *error->attributes;
  attributes.set("msg", str_value(problem.message));
  attributes.set("filename", str_value(problem.file));
  attributes.set("lineno", Value(int64_t{problem.line}));
  attributes.set("offset", Value(int64_t{problem.column}));
  attributes.set("text", str_value(problem.text));
  if (problem.line == 0) return raise(std::move(error));
  std::string where = fmt::format("  File \"{}\", line {}\n", problem.file, problem.line);
  size_t indent = problem.text.find_first_not_of(" \t\f");
  if (indent != std::string::npos) {
    size_t last = problem.text.find_last_not_of("\r\n");
    where += fmt::format("    {}\n", problem.text.substr(indent, last + 1 - indent));
    size_t column = problem.column > 0 ? problem.column - 1 : 0;
    size_t end = problem.end_line > problem.line ? last + 1 : problem.end_column - size_t{1};
    size_t count = end > column ? end - column : 1;
    if (problem.column > 0 && column >= indent) {
      where += std::string(4 + column - indent, ' ') + std::string(count, '^') + "\n";
    }
  }
  attributes.set("print_file_and_line", str_value(where));
  return raise(std::move(error));
}

}  // namespace glint::runtime
