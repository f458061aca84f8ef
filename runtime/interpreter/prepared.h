// Prepared code: a function's Program IR in the form that the dispatch loop runs.
//
// It is made at a function's first call. Instruction number i of the Program IR is `ops[i]`, one
// cache line: the handler's address, operands as signed numbers (a register, or ~constant), and
// room for an inline cache. Two rewritings happen here, neither moves an instruction: a comparison
// and the jump behind it run as one handler (the jump stays in place for whoever jumps to it), and
// operators with a small constant or two registers get handlers of their own.
//
//     less r5, n, 2        ->   branch_less(r5, n, ~0), to 7
//     jump_if_false r5, 7       jump_if_false r5, 7
//
// `traced_ops` is a second copy for tracing, in which every handler asks the tracer first.
#pragma once

#include <climits>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "ir/program.h"
#include "runtime/interpreter/object.h"
#include "runtime/interpreter/value.h"

namespace glint::runtime {

class Interpreter;
struct Frame;
struct Op;

/// Runs one instruction and goes on with the next by a tail call.
using Handler = void(__attribute__((preserve_none)) *)(Op*, Value*, const Value*, Frame*,
                                                       Interpreter*);

inline constexpr int32_t kNoOperand = INT_MIN;

struct Op {
  Handler handler = nullptr;
  int32_t result = 0;
  int32_t a = kNoOperand;
  int32_t b = kNoOperand;
  int32_t c = kNoOperand;
  uint32_t immediate = 0;
  uint32_t tail_begin = 0;
  uint32_t tail_count = 0;
  int32_t keywords = kNoOperand;
  uint16_t keyword_count = 0;
  program::Opcode opcode = program::Opcode::kMove;
  // The inline cache; each handler uses the members as it likes.
  uint32_t cache_index = 0;
  uint64_t cache_key = 0;
  void* cache_pointer = nullptr;
};
static_assert(sizeof(Op) == 64);

/// A `method` and its `call`: between them the receiver waits in a register of its own, so that no
/// bound method is made.
struct MethodPair {
  uint32_t method_pc;
  uint32_t call_pc;
  uint32_t callee;
  uint32_t self;
};

struct FunctionCode {
  // What a call and a return look at comes first.
  const Value* constant_data = nullptr;
  Op* first_op = nullptr;
  size_t frame_bytes = 0;
  uint32_t register_count = 0;  ///< receivers' registers included
  uint32_t positional = 0;      ///< parameters that can be passed by position
  uint32_t cell_count = 0;
  uint32_t own_cells = 0;
  bool simple = false;  ///< positional parameters only
  bool is_generator = false;
  bool plain = false;  ///< simple, and a call runs it at once
  bool quick = false;  ///< plain, and without cells
  /// Calls go through the region runner (`Interpreter::set_compiles_calls`); then it is not plain.
  bool compiles_calls = false;

  std::shared_ptr<const program::Code> program;
  std::vector<Op> ops;
  std::vector<Op> traced_ops;  ///< empty until a trace needs it
  std::vector<Value> constants;
  std::vector<int32_t> operands;
  std::vector<Ref<StrObject>> names;
  std::vector<Ref<StrObject>> parameter_names;
  std::vector<MethodPair> methods;
  /// For each of the program's handlers, once it caught something: see `abandoned_by`.
  std::vector<std::optional<std::vector<uint32_t>>> abandoned;
  std::vector<bool> branch_only;  ///< comparisons whose result only the jump behind them reads
  uint32_t keyword_only = 0;
  int32_t star_args = -1;  ///< register of `*args`
  int32_t star_keywords = -1;

  /// What the region runner keeps of the function, when calls of it are compiled.
  Ref<RefCounted> record;

  void set_compiles_calls(bool on) {
    compiles_calls = on && !is_generator;
    plain = simple && !is_generator && !compiles_calls;
    quick = plain && cell_count == 0;
  }
  /// The registers that hold what an exception interrupted: temporaries, and receivers of calls,
  /// that the handler reads no more.
  const std::vector<uint32_t>& abandoned_by(const program::Handler& handler);
  void make_traced();
  Op* code(bool traced) {
    if (traced && traced_ops.empty()) make_traced();
    return traced ? traced_ops.data() : ops.data();
  }
};

std::unique_ptr<FunctionCode> prepare_code(std::shared_ptr<const program::Code> code);
Value value_of_constant(const program::Constant& constant);

/// The handler of an instruction without rewriting, and with it.
Handler plain_handler(program::Opcode opcode);
Handler best_handler(const FunctionCode& code, size_t index);
/// Asks the tracer, then runs the plain handler.
Handler traced_handler();

}  // namespace glint::runtime
