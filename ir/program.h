// Program IR: what the user wrote, as register code; one code object a function.
//
// The front end lowers the syntax tree to it, the interpreter runs it, capture runs it over traced
// tensors. It keeps Python's meaning, not a machine's: an instruction is one step of the language
// (`attribute`, `multiply`, `call`), and every instruction has the span of the expression that it
// came from, which is what a traceback's carets and every later stage's source column show.
//
//     def f(x, y):                        function f(x, y)
//         return torch.relu(x * y)           0  r0 = global torch          2:11   torch
//                                            1  r1 = attribute r0.relu     2:11   torch.relu
//                                            2  r2 = multiply x, y         2:22   x * y
//                                            3  r3 = call r1(r2)           2:11   torch.relu(x * y)
//                                            4  return r3                  2:4    return ...
//
// Semantics
//   Registers   A frame has `register_count` registers. The first `parameter_count()` hold the
//               parameters in the order of `parameters` (`*args` and `**kwargs` included), then
//               come the other local variables, then temporaries. A register starts unbound. Locals
//               have names (`local_names`), temporaries do not.
//   Cells       A local that an inner function uses lives in a cell: `cells` first the function's
//               own (a parameter's cell is filled from its register by `make_cell`), then the
//               free ones that the closure brought. Cell instructions name an index in that list.
//   Operands    A register or a constant of the code object's pool. Reading an unbound register
//               never happens: where the front end cannot prove a local bound, a `check_bound`
//               stands before the read and raises UnboundLocalError.
//   Exceptions  `handlers` is a table: an instruction in [begin, end) that raises continues at
//               `target`, with the exception in register `exception`; the innermost range comes
//               first. `finally` and `with` are lowered to such handlers plus copies of their code.
//               A frame keeps a stack of the exceptions it is handling: a raise cuts it to the
//               handler's `depth` and pushes the exception, `end_handler` pops it again.
//   Suspension  A code object with `is_generator` makes a generator when called; `yield` and
//               `yield_from` suspend the frame.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/support/big_int.h"
#include "core/support/span.h"

namespace glint::program {

/// One step of the language. `instruction_table` has each one's name, form and meaning.
enum class Opcode : uint8_t {
  // Values and variables.
  kMove,
  kGlobal,
  kSetGlobal,
  kDeleteGlobal,
  kName,
  kSetName,
  kDeleteName,
  kMakeCell,
  kCell,
  kSetCell,
  kDeleteCell,
  kDeleteLocal,
  kCheckBound,
  // Operators.
  kNegative,
  kPositive,
  kInvert,
  kNot,
  kAdd,
  kSubtract,
  kMultiply,
  kMatrixMultiply,
  kDivide,
  kFloorDivide,
  kModulo,
  kPower,
  kLeftShift,
  kRightShift,
  kBitAnd,
  kBitOr,
  kBitXor,
  kAddInPlace,
  kSubtractInPlace,
  kMultiplyInPlace,
  kMatrixMultiplyInPlace,
  kDivideInPlace,
  kFloorDivideInPlace,
  kModuloInPlace,
  kPowerInPlace,
  kLeftShiftInPlace,
  kRightShiftInPlace,
  kBitAndInPlace,
  kBitOrInPlace,
  kBitXorInPlace,
  kLess,
  kLessEqual,
  kEqual,
  kNotEqual,
  kGreater,
  kGreaterEqual,
  kIs,
  kIsNot,
  kIn,
  kNotIn,
  // Parts of objects.
  kAttribute,
  kSetAttribute,
  kDeleteAttribute,
  kMethod,
  kItem,
  kSetItem,
  kDeleteItem,
  kSlice,
  kUnpack,
  kUnpackStar,
  // Displays.
  kList,
  kTuple,
  kSet,
  kDict,
  kListAppend,
  kListExtend,
  kListToTuple,
  kSetAdd,
  kSetUpdate,
  kDictInsert,
  kDictUpdate,
  kDictMerge,
  kFormat,
  kJoin,
  // Control.
  kJump,
  kJumpIfTrue,
  kJumpIfFalse,
  kIterator,
  kNext,
  kReturn,
  kYield,
  kYieldFrom,
  // Calls and definitions.
  kCall,
  kCallUnpacked,
  kFunction,
  kClass,
  kSuper,
  // Exceptions and contexts.
  kRaise,
  kReraise,
  kMatchException,
  kEndHandler,
  kEnterContext,
  kExitContext,
  // Modules.
  kImport,
  kImportFrom,
  kImportStar,
  // Patterns.
  kMatchSequence,
  kMatchMapping,
  kMatchKey,
  kMatchClass,
  // The REPL's echo of an expression statement.
  kDisplay,
};

/// What an instruction's `immediate` is.
enum class Immediate : uint8_t {
  kNone,
  kName,    ///< index in `names`
  kLocal,   ///< index in `local_names`, for messages
  kCell,    ///< index in `cells`
  kTarget,  ///< an instruction's number
  kCode,    ///< index in `functions`
  kCount,   ///< a plain number, as the entry's meaning says
};

/// What follows the fixed operands.
enum class Tail : uint8_t {
  kNone,
  kOperands,   ///< any number of operands
  kArguments,  ///< positional operands, then keyword ones, named by `keywords`
  kResults,    ///< registers that are written
};

struct InstructionInfo {
  Opcode opcode;
  std::string_view name;
  bool has_result;
  uint8_t operand_count;
  Immediate immediate;
  Tail tail;
  std::string_view meaning;  ///< a is the first fixed operand, b the second, c the third
};

/// Every instruction, in the order of `Opcode`: the one table that the printer, the verifier, the
/// interpreter and the documentation follow.
std::span<const InstructionInfo> instruction_table();
inline const InstructionInfo& info(Opcode opcode) {
  return instruction_table()[static_cast<size_t>(opcode)];
}

/// A register, a constant, or nothing.
class Operand {
 public:
  constexpr Operand() = default;
  static constexpr Operand in_register(uint32_t index) { return Operand(index); }
  static constexpr Operand constant(uint32_t index) { return Operand(index | kConstantBit); }

  constexpr bool none() const { return bits_ == kNone; }
  constexpr bool is_constant() const { return !none() && (bits_ & kConstantBit) != 0; }
  constexpr bool is_register() const { return !none() && (bits_ & kConstantBit) == 0; }
  constexpr uint32_t index() const { return bits_ & ~kConstantBit; }
  constexpr bool operator==(const Operand&) const = default;

 private:
  static constexpr uint32_t kConstantBit = 0x80000000u;
  static constexpr uint32_t kNone = 0xffffffffu;
  constexpr explicit Operand(uint32_t bits) : bits_(bits) {}
  uint32_t bits_ = kNone;
};

inline constexpr uint32_t kNoRegister = 0xffffffffu;

inline constexpr size_t kMostKeywords = 0xffff;

struct Instruction {
  Opcode opcode = Opcode::kMove;
  uint32_t result = kNoRegister;
  Operand a = {};
  Operand b = {};
  Operand c = {};
  uint32_t immediate = 0;
  /// The tail: `tail_count` operands from `operands[tail_begin]` of the code object.
  uint32_t tail_begin = 0;
  uint32_t tail_count = 0;
  /// How many of the tail's operands, the last ones, are keyword arguments; their names are the
  /// string constants of the tuple constant `keywords`. Calls with more than `kMostKeywords` hand
  /// on a dict.
  uint16_t keyword_count = 0;
  Operand keywords = {};
  Span span = {};
  bool operator==(const Instruction&) const = default;
};

struct Constant;
/// A tuple of constants; only these nest.
struct ConstantTuple {
  std::vector<Constant> items;
  bool operator==(const ConstantTuple&) const;
};
struct None {
  bool operator==(const None&) const = default;
};
struct Ellipsis {
  bool operator==(const Ellipsis&) const = default;
};
struct Bytes {
  std::string data;
  bool operator==(const Bytes&) const = default;
};
/// A literal such as `2.5j`.
struct Imaginary {
  double value = 0;
  bool operator==(const Imaginary&) const = default;
};
struct Constant {
  std::variant<None, bool, int64_t, double, std::string, Bytes, Ellipsis, ConstantTuple, BigInt,
               Imaginary>
      value;  ///< an int that fits is an int64_t
  /// Same type and same value; floats compare by bits, so 0.0 and -0.0 differ.
  bool operator==(const Constant& other) const;
};

enum class ParameterKind : uint8_t {
  kPositionalOnly,
  kPositional,  ///< by position or by keyword
  kStarArgs,
  kKeywordOnly,
  kStarKeywords,
};

struct Parameter {
  std::string name;
  ParameterKind kind = ParameterKind::kPositional;
  bool has_default = false;
  std::string annotation = {};  ///< source text, empty if none
  Span span = {};
  bool operator==(const Parameter&) const = default;
};

/// An instruction in [begin, end) that raises continues at `target`, the exception in `exception`.
struct Handler {
  uint32_t begin = 0;
  uint32_t end = 0;
  uint32_t target = 0;
  uint32_t exception = 0;
  uint32_t depth = 0;  ///< how many exceptions this frame is handling around the range
  bool operator==(const Handler&) const = default;
};

/// Where a cell comes from when a function object is made: the maker's own list of cells.
struct CellInfo {
  std::string name;
  bool is_free = false;
  uint32_t outer_index = 0;          ///< of a free cell: the index in the maker's `cells`
  uint32_t parameter = kNoRegister;  ///< of an own cell: the parameter that fills it
  bool operator==(const CellInfo&) const = default;
};

enum class CodeKind : uint8_t { kModule, kFunction, kLambda, kComprehension, kClassBody };

struct Code {
  std::string name;            ///< `f`, `<lambda>`, `<module>`, `<listcomp>`
  std::string qualified_name;  ///< `Model.forward`, `make.<locals>.inner`
  std::string doc = {};
  bool has_doc = false;
  CodeKind kind = CodeKind::kFunction;
  bool is_generator = false;
  Span span = {};  ///< the whole definition
  std::vector<Parameter> parameters;
  std::string return_annotation = {};
  std::vector<std::string> local_names;  ///< of registers 0 on; the parameters first
  uint32_t register_count = 0;
  std::vector<CellInfo> cells;
  std::vector<std::string> names;
  std::vector<Constant> constants;
  std::vector<Operand> operands;  ///< the tails
  std::vector<Instruction> instructions;
  std::vector<Handler> handlers;  ///< innermost first
  std::vector<std::shared_ptr<const Code>> functions;

  std::span<const Operand> tail(const Instruction& instruction) const {
    return std::span(operands).subspan(instruction.tail_begin, instruction.tail_count);
  }
};

/// `:program`: one line an instruction, with its source column. `source_text` turns a span into the
/// text of the right column; pass null for none.
struct ProgramLine {
  std::string text;
  Span span;
};
std::vector<ProgramLine> print(const Code& code);

/// The text of an operand: a local's name, `r3`, or a constant as Python writes it.
std::string text_of(const Code& code, Operand operand);
std::string text_of(const Constant& constant);

/// The first broken rule, if any: operand and target ranges, forms as `instruction_table` says,
/// handlers in order, control never falls off the end, a span on every instruction.
std::optional<std::string> verify(const Code& code);

}  // namespace glint::program
