#include "ir/program.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>

namespace glint::program {
namespace {

using enum Opcode;
constexpr auto kNoImmediate = Immediate::kNone;
constexpr auto kNoTail = Tail::kNone;

constexpr InstructionInfo kTable[] = {
    {kMove, "move", true, 1, kNoImmediate, kNoTail, "result = a"},
    {kGlobal, "global", true, 0, Immediate::kName, kNoTail,
     "a module variable, else a builtin; NameError if neither"},
    {kSetGlobal, "set_global", false, 1, Immediate::kName, kNoTail, "a module variable = a"},
    {kDeleteGlobal, "delete_global", false, 0, Immediate::kName, kNoTail,
     "del of a module variable"},
    {kName, "name", true, 0, Immediate::kName, kNoTail,
     "looked up in the namespace of a class body or of exec, then as `global` does"},
    {kSetName, "set_name", false, 1, Immediate::kName, kNoTail, "binds in that namespace"},
    {kDeleteName, "delete_name", false, 0, Immediate::kName, kNoTail, "unbinds in that namespace"},
    {kMakeCell, "make_cell", false, 1, Immediate::kCell, kNoTail,
     "a fresh own cell that holds a, or that is empty without a"},
    {kCell, "cell", true, 0, Immediate::kCell, kNoTail,
     "what a cell holds; NameError or UnboundLocalError when it is empty"},
    {kSetCell, "set_cell", false, 1, Immediate::kCell, kNoTail, "a cell now holds a"},
    {kDeleteCell, "delete_cell", false, 0, Immediate::kCell, kNoTail, "empties a cell"},
    {kDeleteLocal, "delete_local", false, 1, Immediate::kLocal, kNoTail, "unbinds register a"},
    {kCheckBound, "check_bound", false, 1, Immediate::kLocal, kNoTail,
     "UnboundLocalError when register a is unbound"},
    {kNegative, "negative", true, 1, kNoImmediate, kNoTail, "-a"},
    {kPositive, "positive", true, 1, kNoImmediate, kNoTail, "+a"},
    {kInvert, "invert", true, 1, kNoImmediate, kNoTail, "~a"},
    {kNot, "not", true, 1, kNoImmediate, kNoTail, "not a, a bool"},
    {kAdd, "add", true, 2, kNoImmediate, kNoTail, "a + b"},
    {kSubtract, "subtract", true, 2, kNoImmediate, kNoTail, "a - b"},
    {kMultiply, "multiply", true, 2, kNoImmediate, kNoTail, "a * b"},
    {kMatrixMultiply, "matrix_multiply", true, 2, kNoImmediate, kNoTail, "a @ b"},
    {kDivide, "divide", true, 2, kNoImmediate, kNoTail, "a / b"},
    {kFloorDivide, "floor_divide", true, 2, kNoImmediate, kNoTail, "a // b"},
    {kModulo, "modulo", true, 2, kNoImmediate, kNoTail, "a % b"},
    {kPower, "power", true, 2, kNoImmediate, kNoTail, "a ** b"},
    {kLeftShift, "left_shift", true, 2, kNoImmediate, kNoTail, "a << b"},
    {kRightShift, "right_shift", true, 2, kNoImmediate, kNoTail, "a >> b"},
    {kBitAnd, "bit_and", true, 2, kNoImmediate, kNoTail, "a & b"},
    {kBitOr, "bit_or", true, 2, kNoImmediate, kNoTail, "a | b"},
    {kBitXor, "bit_xor", true, 2, kNoImmediate, kNoTail, "a ^ b"},
    {kAddInPlace, "add_in_place", true, 2, kNoImmediate, kNoTail, "a += b"},
    {kSubtractInPlace, "subtract_in_place", true, 2, kNoImmediate, kNoTail, "a -= b"},
    {kMultiplyInPlace, "multiply_in_place", true, 2, kNoImmediate, kNoTail, "a *= b"},
    {kMatrixMultiplyInPlace, "matrix_multiply_in_place", true, 2, kNoImmediate, kNoTail, "a @= b"},
    {kDivideInPlace, "divide_in_place", true, 2, kNoImmediate, kNoTail, "a /= b"},
    {kFloorDivideInPlace, "floor_divide_in_place", true, 2, kNoImmediate, kNoTail, "a //= b"},
    {kModuloInPlace, "modulo_in_place", true, 2, kNoImmediate, kNoTail, "a %= b"},
    {kPowerInPlace, "power_in_place", true, 2, kNoImmediate, kNoTail, "a **= b"},
    {kLeftShiftInPlace, "left_shift_in_place", true, 2, kNoImmediate, kNoTail, "a <<= b"},
    {kRightShiftInPlace, "right_shift_in_place", true, 2, kNoImmediate, kNoTail, "a >>= b"},
    {kBitAndInPlace, "bit_and_in_place", true, 2, kNoImmediate, kNoTail, "a &= b"},
    {kBitOrInPlace, "bit_or_in_place", true, 2, kNoImmediate, kNoTail, "a |= b"},
    {kBitXorInPlace, "bit_xor_in_place", true, 2, kNoImmediate, kNoTail, "a ^= b"},
    {kLess, "less", true, 2, kNoImmediate, kNoTail, "a < b"},
    {kLessEqual, "less_equal", true, 2, kNoImmediate, kNoTail, "a <= b"},
    {kEqual, "equal", true, 2, kNoImmediate, kNoTail, "a == b"},
    {kNotEqual, "not_equal", true, 2, kNoImmediate, kNoTail, "a != b"},
    {kGreater, "greater", true, 2, kNoImmediate, kNoTail, "a > b"},
    {kGreaterEqual, "greater_equal", true, 2, kNoImmediate, kNoTail, "a >= b"},
    {kIs, "is", true, 2, kNoImmediate, kNoTail, "a is b"},
    {kIsNot, "is_not", true, 2, kNoImmediate, kNoTail, "a is not b"},
    {kIn, "in", true, 2, kNoImmediate, kNoTail, "a in b"},
    {kNotIn, "not_in", true, 2, kNoImmediate, kNoTail, "a not in b"},
    {kAttribute, "attribute", true, 1, Immediate::kName, kNoTail, "a.name"},
    {kSetAttribute, "set_attribute", false, 2, Immediate::kName, kNoTail, "a.name = b"},
    {kDeleteAttribute, "delete_attribute", false, 1, Immediate::kName, kNoTail, "del a.name"},
    {kMethod, "method", true, 1, Immediate::kName, kNoTail,
     "a.name, which the next `call` of the result calls and nothing else reads"},
    {kItem, "item", true, 2, kNoImmediate, kNoTail, "a[b]"},
    {kSetItem, "set_item", false, 3, kNoImmediate, kNoTail, "a[b] = c"},
    {kDeleteItem, "delete_item", false, 2, kNoImmediate, kNoTail, "del a[b]"},
    {kSlice, "slice", true, 3, kNoImmediate, kNoTail, "slice(a, b, c)"},
    {kUnpack, "unpack", false, 1, kNoImmediate, Tail::kResults,
     "the items of a, exactly as many as results"},
    {kUnpackStar, "unpack_star", false, 1, Immediate::kCount, Tail::kResults,
     "the items of a; the result number `immediate` takes the rest, as a list"},
    {kList, "list", true, 0, kNoImmediate, Tail::kOperands, "[operands...]"},
    {kTuple, "tuple", true, 0, kNoImmediate, Tail::kOperands, "(operands...)"},
    {kSet, "set", true, 0, kNoImmediate, Tail::kOperands, "{operands...}"},
    {kDict, "dict", true, 0, kNoImmediate, Tail::kOperands, "{key: value, ...}, alternating"},
    {kListAppend, "list_append", false, 2, kNoImmediate, kNoTail, "list a gains item b"},
    {kListExtend, "list_extend", false, 3, kNoImmediate, kNoTail,
     "list a gains all items of b, the one starred argument of callee c, or of a display"},
    {kListToTuple, "list_to_tuple", true, 1, kNoImmediate, kNoTail, "tuple(a) of a list"},
    {kSetAdd, "set_add", false, 2, kNoImmediate, kNoTail, "set a gains b"},
    {kSetUpdate, "set_update", false, 2, kNoImmediate, kNoTail, "set a gains all items of b"},
    {kDictInsert, "dict_insert", false, 3, kNoImmediate, kNoTail, "dict a: a[b] = c"},
    {kDictUpdate, "dict_update", false, 2, kNoImmediate, kNoTail, "dict a: a.update(b)"},
    {kDictMerge, "dict_merge", false, 3, kNoImmediate, kNoTail,
     "keyword arguments: dict a gains the items of mapping b; TypeError on a repeated key, named "
     "after callee c"},
    {kFormat, "format", true, 2, Immediate::kCount, kNoTail,
     "format(a, b); b may be none; immediate is the conversion's letter or 0"},
    {kJoin, "join", true, 0, kNoImmediate, Tail::kOperands, "the strings, one after the other"},
    {kJump, "jump", false, 0, Immediate::kTarget, kNoTail, "go on at the target"},
    {kJumpIfTrue, "jump_if_true", false, 1, Immediate::kTarget, kNoTail, "if bool(a)"},
    {kJumpIfFalse, "jump_if_false", false, 1, Immediate::kTarget, kNoTail, "if not bool(a)"},
    {kIterator, "iterator", true, 1, kNoImmediate, kNoTail, "iter(a)"},
    {kNext, "next", true, 1, Immediate::kTarget, kNoTail,
     "the next item of iterator a, or, when there is none, on at the target"},
    {kReturn, "return", false, 1, kNoImmediate, kNoTail, "ends the frame with a"},
    {kYield, "yield", true, 1, kNoImmediate, kNoTail, "hands out a; result is what is sent in"},
    {kYieldFrom, "yield_from", true, 1, kNoImmediate, kNoTail,
     "hands out all that iterator a yields; result is the value it ends with"},
    {kCall, "call", true, 1, kNoImmediate, Tail::kArguments, "a(arguments)"},
    {kCallUnpacked, "call_unpacked", true, 3, kNoImmediate, kNoTail,
     "a(*b, **c); b a tuple or list, c a dict or none"},
    {kFunction, "function", true, 3, Immediate::kCode, kNoTail,
     "a function object: a the tuple of defaults or none, b the dict of keyword-only defaults or "
     "none, c the dict of annotations or none; takes its free cells from this frame"},
    {kClass, "class", true, 2, Immediate::kCode, Tail::kArguments,
     "a class: a its name, the tail its bases and keywords; the code object is its body"},
    {kSuper, "super", true, 2, kNoImmediate, kNoTail,
     "super() without arguments: a the __class__ cell's value, b the first parameter"},
    {kRaise, "raise", false, 2, kNoImmediate, kNoTail, "raise a from b; b may be none"},
    {kReraise, "reraise", false, 1, kNoImmediate, kNoTail,
     "raises exception a again, traceback kept; without a the one being handled"},
    {kMatchException, "match_exception", true, 2, kNoImmediate, kNoTail,
     "whether exception a is of class b or of one in tuple b"},
    {kEndHandler, "end_handler", false, 1, kNoImmediate, kNoTail,
     "exception a is handled: the one before it is current again"},
    {kEnterContext, "enter_context", true, 1, kNoImmediate, Tail::kResults,
     "result = a.__enter__(); the one tail register gets the bound a.__exit__"},
    {kExitContext, "exit_context", true, 2, kNoImmediate, kNoTail,
     "a(type(b), b, traceback of b), or a(None, None, None) without b; a as enter_context gave it"},
    {kImport, "import", true, 0, Immediate::kName, kNoTail,
     "the module of that dotted name, loaded with its parents; result is the named one itself"},
    {kImportFrom, "import_from", true, 1, Immediate::kName, kNoTail,
     "attribute or submodule of module a; ImportError if neither"},
    {kImportStar, "import_star", false, 1, kNoImmediate, kNoTail,
     "binds all public names of module a here"},
    {kMatchSequence, "match_sequence", true, 1, Immediate::kCount, kNoTail,
     "whether a is a sequence, not a str; immediate: length * 2 + 1 if longer ones match too"},
    {kMatchMapping, "match_mapping", true, 1, kNoImmediate, kNoTail, "whether a is a mapping"},
    {kMatchKey, "match_key", true, 2, Immediate::kTarget, kNoTail,
     "a[b] of a mapping, or on at the target when there is no such key"},
    {kMatchClass, "match_class", true, 2, Immediate::kTarget, Tail::kArguments,
     "if a is an instance of b: the tuple of the positional count given by the tail's positional "
     "operands (placeholders) and of the named attributes; else on at the target"},
    {kDisplay, "display", false, 1, kNoImmediate, kNoTail,
     "the REPL's echo: prints repr(a) and binds _ unless a is None"},
};
static_assert(std::size(kTable) == static_cast<size_t>(kDisplay) + 1);
static_assert([] {
  for (size_t i = 0; i < std::size(kTable); ++i) {
    if (kTable[i].opcode != static_cast<Opcode>(i)) return false;
  }
  return true;
}());

std::string quoted(std::string_view text) {
  bool single =
      text.find('\'') == std::string_view::npos || text.find('"') != std::string_view::npos;
  char quote = single ? '\'' : '"';
  std::string out(1, quote);
  for (char c : text) {
    switch (c) {
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\\':
        out += "\\\\";
        break;
      default:
        if (c == quote) out += '\\';
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
          out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        } else {
          out += c;
        }
    }
  }
  return out + quote;
}

std::string number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  std::string text = fmt::format("{}", value);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string register_name(const Code& code, uint32_t index) {
  if (index < code.local_names.size()) return code.local_names[index];
  return fmt::format("r{}", index - code.local_names.size());
}

std::string immediate_text(const Code& code, const Instruction& instruction) {
  switch (info(instruction.opcode).immediate) {
    case Immediate::kNone:
      return {};
    case Immediate::kName:
      return code.names[instruction.immediate];
    case Immediate::kLocal:
      return {};
    case Immediate::kCell:
      return code.cells[instruction.immediate].name;
    case Immediate::kTarget:
      return fmt::format("to {}", instruction.immediate);
    case Immediate::kCode:
      return code.functions[instruction.immediate]->name;
    case Immediate::kCount:
      return fmt::format("#{}", instruction.immediate);
  }
  return {};
}

std::string argument_text(const Code& code, const Instruction& instruction) {
  std::string text;
  std::span<const Operand> tail = code.tail(instruction);
  size_t positional = tail.size() - instruction.keyword_count;
  for (size_t i = 0; i < tail.size(); ++i) {
    if (i > 0) text += ", ";
    if (i >= positional) {
      const auto& names =
          std::get<ConstantTuple>(code.constants[instruction.keywords.index()].value);
      text += std::get<std::string>(names.items[i - positional].value) + "=";
    }
    text += text_of(code, tail[i]);
  }
  return text;
}

/// The part after `name`: most instructions print operands, then the immediate; the ones that read
/// better otherwise (attributes, calls, items) say so here.
std::string body_text(const Code& code, const Instruction& instruction) {
  auto a = [&] { return text_of(code, instruction.a); };
  auto b = [&] { return text_of(code, instruction.b); };
  switch (instruction.opcode) {
    case kAttribute:
    case kMethod:
      return fmt::format(" {}.{}", a(), code.names[instruction.immediate]);
    case kSetAttribute:
      return fmt::format(" {}.{} = {}", a(), code.names[instruction.immediate], b());
    case kItem:
      return fmt::format(" {}[{}]", a(), b());
    case kSetItem:
      return fmt::format(" {}[{}] = {}", a(), b(), text_of(code, instruction.c));
    case kCall:
      return fmt::format(" {}({})", a(), argument_text(code, instruction));
    default:
      break;
  }
  std::string text;
  auto append = [&](const std::string& part) {
    if (!part.empty()) text += (text.empty() ? " " : ", ") + part;
  };
  uint8_t count = info(instruction.opcode).operand_count;
  if (count > 0) append(text_of(code, instruction.a));
  if (count > 1) append(text_of(code, instruction.b));
  if (count > 2) append(text_of(code, instruction.c));
  if (info(instruction.opcode).tail != Tail::kNone &&
      info(instruction.opcode).tail != Tail::kResults) {
    append(argument_text(code, instruction));
  }
  append(immediate_text(code, instruction));
  return text;
}

std::string results_text(const Code& code, const Instruction& instruction) {
  std::string text;
  auto append = [&](uint32_t index) {
    if (!text.empty()) text += ", ";
    text += register_name(code, index);
  };
  if (info(instruction.opcode).has_result && instruction.result != kNoRegister) {
    append(instruction.result);
  }
  if (info(instruction.opcode).tail == Tail::kResults) {
    for (Operand operand : code.tail(instruction)) append(operand.index());
  }
  return text.empty() ? text : text + " = ";
}

std::string parameter_list(const Code& code) {
  std::string text;
  bool star_shown = false;
  for (size_t i = 0; i < code.parameters.size(); ++i) {
    const Parameter& parameter = code.parameters[i];
    if (i > 0) text += ", ";
    if (parameter.kind == ParameterKind::kKeywordOnly && !star_shown) {
      text += "*, ";
      star_shown = true;
    }
    if (parameter.kind == ParameterKind::kStarArgs) {
      text += "*";
      star_shown = true;
    }
    if (parameter.kind == ParameterKind::kStarKeywords) text += "**";
    text += parameter.name;
    if (parameter.has_default) text += "=...";
    bool last_positional_only = parameter.kind == ParameterKind::kPositionalOnly &&
                                (i + 1 == code.parameters.size() ||
                                 code.parameters[i + 1].kind != ParameterKind::kPositionalOnly);
    if (last_positional_only) text += ", /";
  }
  return text;
}

}  // namespace

std::span<const InstructionInfo> instruction_table() {
  return kTable;
}

bool ConstantTuple::operator==(const ConstantTuple& other) const {
  return items == other.items;
}

bool Constant::operator==(const Constant& other) const {
  const double* x = std::get_if<double>(&value);
  const double* y = std::get_if<double>(&other.value);
  if (x && y) return std::bit_cast<uint64_t>(*x) == std::bit_cast<uint64_t>(*y);
  return value == other.value;
}

std::string text_of(const Constant& constant) {
  struct Writer {
    std::string operator()(None) const { return "None"; }
    std::string operator()(bool value) const { return value ? "True" : "False"; }
    std::string operator()(int64_t value) const { return fmt::format("{}", value); }
    std::string operator()(double value) const { return number(value); }
    std::string operator()(const BigInt& value) const { return value.digits(10); }
    std::string operator()(Imaginary value) const { return number(value.value) + "j"; }
    std::string operator()(const std::string& value) const { return quoted(value); }
    std::string operator()(const Bytes& value) const { return "b" + quoted(value.data); }
    std::string operator()(Ellipsis) const { return "..."; }
    std::string operator()(const ConstantTuple& value) const {
      std::string text = "(";
      for (size_t i = 0; i < value.items.size(); ++i) {
        if (i > 0) text += ", ";
        text += text_of(value.items[i]);
      }
      return text + (value.items.size() == 1 ? ",)" : ")");
    }
  };
  return std::visit(Writer{}, constant.value);
}

std::string text_of(const Code& code, Operand operand) {
  if (operand.none()) return "-";
  if (operand.is_constant()) return text_of(code.constants[operand.index()]);
  return register_name(code, operand.index());
}

std::vector<ProgramLine> print(const Code& code) {
  std::vector<ProgramLine> lines;
  lines.push_back(
      {fmt::format("function {}({})", code.qualified_name, parameter_list(code)), code.span});
  for (size_t i = 0; i < code.instructions.size(); ++i) {
    const Instruction& instruction = code.instructions[i];
    lines.push_back({fmt::format("{:4}  {}{}{}", i, results_text(code, instruction),
                                 info(instruction.opcode).name, body_text(code, instruction)),
                     instruction.span});
  }
  for (const Handler& handler : code.handlers) {
    lines.push_back(
        {fmt::format("      {}..{} raises to {}, exception in {}", handler.begin, handler.end,
                     handler.target, register_name(code, handler.exception)),
         code.span});
  }
  return lines;
}

namespace {

class Verifier {
 public:
  explicit Verifier(const Code& code) : code_(code) {}

  std::optional<std::string> run() {
    if (code_.instructions.empty()) return "a code object without instructions";
    for (pc_ = 0; pc_ < code_.instructions.size(); ++pc_) {
      if (auto fault = instruction(code_.instructions[pc_])) {
        return fmt::format("{} at {}: {}", code_.qualified_name, pc_, *fault);
      }
    }
    if (!ends_control(code_.instructions.back().opcode)) return "control falls off the end";
    return handlers();
  }

 private:
  static bool ends_control(Opcode opcode) {
    return opcode == kReturn || opcode == kJump || opcode == kRaise || opcode == kReraise;
  }

  std::optional<std::string> instruction(const Instruction& instruction) const {
    const InstructionInfo& form = info(instruction.opcode);
    if (!instruction.span.known()) return "no span";
    if (form.has_result && !valid_register(instruction.result)) return "result out of range";
    for (Operand operand : {instruction.a, instruction.b, instruction.c, instruction.keywords}) {
      if (!valid(operand)) return "operand out of range";
    }
    if (instruction.tail_begin + instruction.tail_count > code_.operands.size()) {
      return "tail out of range";
    }
    for (Operand operand : code_.tail(instruction)) {
      if (operand.none() || !valid(operand)) return "tail operand out of range";
      if (form.tail == Tail::kResults && !operand.is_register()) return "result is no register";
    }
    if (form.tail == Tail::kNone && instruction.tail_count > 0) return "unexpected tail";
    return immediate(form.immediate, instruction.immediate);
  }

  std::optional<std::string> immediate(Immediate kind, uint32_t value) const {
    size_t limit = 0;
    switch (kind) {
      case Immediate::kNone:
      case Immediate::kCount:
        return std::nullopt;
      case Immediate::kName:
        limit = code_.names.size();
        break;
      case Immediate::kLocal:
        limit = code_.local_names.size();
        break;
      case Immediate::kCell:
        limit = code_.cells.size();
        break;
      case Immediate::kTarget:
        limit = code_.instructions.size();
        break;
      case Immediate::kCode:
        limit = code_.functions.size();
        break;
    }
    if (value < limit) return std::nullopt;
    return "immediate out of range";
  }

  std::optional<std::string> handlers() const {
    for (const Handler& handler : code_.handlers) {
      bool in_range = handler.begin < handler.end && handler.end <= code_.instructions.size() &&
                      handler.target < code_.instructions.size();
      if (!in_range || !valid_register(handler.exception)) return "handler out of range";
    }
    return std::nullopt;
  }

  bool valid_register(uint32_t index) const { return index < code_.register_count; }
  bool valid(Operand operand) const {
    if (operand.none()) return true;
    return operand.is_constant() ? operand.index() < code_.constants.size()
                                 : valid_register(operand.index());
  }

  const Code& code_;
  size_t pc_ = 0;
};

}  // namespace

std::optional<std::string> verify(const Code& code) {
  if (auto fault = Verifier(code).run()) return fault;
  for (const auto& function : code.functions) {
    if (auto fault = verify(*function)) return fault;
  }
  return std::nullopt;
}

}  // namespace glint::program
