// Handlers of what happens to values: moving them, names, arithmetic, comparisons, branches; and
// how any handler goes on. dispatch.cpp says what a handler is, has those of loops, parts of
// objects and calls, and the table of all.
//
//     register_operator<kAdd>    r2 = x + y, both in registers     then the next instruction's
//     handler
#pragma once

#include <bit>
#include <cmath>

#include "runtime/interpreter/fast_paths.h"
#include "runtime/interpreter/machine.h"

// Handlers that end in tail calls have no frame for the address sanitizer to enlarge.
#pragma clang attribute push(__attribute__((no_sanitize("address"))), apply_to = function)

namespace glint::runtime::handlers {

// ---- Going on ----------------------------------------------------------------------------------

[[clang::preserve_none]] inline void resume_at(Op* pc, Value* r, const Value* k, Frame* f,
                                               Interpreter* in) {
  if (!f) return;
  pc = f->pc;
  [[clang::musttail]] return pc->handler(pc, f->registers, f->code->constant_data, f, in);
}

using SlowOperation = Frame* (*)(Interpreter&, Frame&, Op&);

template <SlowOperation kOperation>
[[clang::preserve_none]] void through(Op* pc, Value* r, const Value* k, Frame* f, Interpreter* in) {
  f->pc = pc;
  f = kOperation(*in, *f, *pc);
  [[clang::musttail]] return resume_at(pc, r, k, f, in);
}

[[clang::preserve_none]] inline void attend(Op* pc, Value* r, const Value* k, Frame* f,
                                            Interpreter* in) {
  f->pc = pc;
  f = Machine::attend(*in, *f);
  [[clang::musttail]] return resume_at(pc, r, k, f, in);
}

// ---- Values ------------------------------------------------------------------------------------

[[clang::preserve_none]] inline void move(Op* pc, Value* r, const Value* k, Frame* f,
                                          Interpreter* in) {
  r[pc->result] = operand(r, k, pc->a);
  ++pc;
  [[clang::musttail]] return pc->handler(pc, r, k, f, in);
}

[[clang::preserve_none]] inline void any_global(Op* pc, Value* r, const Value* k, Frame* f,
                                                Interpreter* in) {
  if (cached_global(pc, r, f, in)) [[likely]] {
    ++pc;
    [[clang::musttail]] return pc->handler(pc, r, k, f, in);
  }
  [[clang::musttail]] return through<Machine::op_simple>(pc, r, k, f, in);
}
[[clang::preserve_none]] inline void global(Op* pc, Value* r, const Value* k, Frame* f,
                                            Interpreter* in) {
  if (unchanged_global(pc, r, f)) [[likely]] {
    ++pc;
    [[clang::musttail]] return pc->handler(pc, r, k, f, in);
  }
  [[clang::musttail]] return any_global(pc, r, k, f, in);
}
[[clang::preserve_none]] inline void set_global(Op* pc, Value* r, const Value* k, Frame* f,
                                                Interpreter* in) {
  if (cached_set_global(pc, r, k, f)) [[likely]] {
    ++pc;
    [[clang::musttail]] return pc->handler(pc, r, k, f, in);
  }
  [[clang::musttail]] return through<Machine::op_simple>(pc, r, k, f, in);
}

[[clang::preserve_none]] inline void cell(Op* pc, Value* r, const Value* k, Frame* f,
                                          Interpreter* in) {
  CellObject* holder = f->cells[pc->immediate].get();
  if (holder && holder->value.defined()) [[likely]] {
    r[pc->result] = holder->value;
    ++pc;
    [[clang::musttail]] return pc->handler(pc, r, k, f, in);
  }
  [[clang::musttail]] return through<Machine::op_simple>(pc, r, k, f, in);
}
[[clang::preserve_none]] inline void set_cell(Op* pc, Value* r, const Value* k, Frame* f,
                                              Interpreter* in) {
  CellObject* holder = f->cells[pc->immediate].get();
  if (holder) [[likely]] {
    holder->value = operand(r, k, pc->a);
    ++pc;
    [[clang::musttail]] return pc->handler(pc, r, k, f, in);
  }
  [[clang::musttail]] return through<Machine::op_simple>(pc, r, k, f, in);
}
[[clang::preserve_none]] inline void check_bound(Op* pc, Value* r, const Value* k, Frame* f,
                                                 Interpreter* in) {
  if (operand(r, k, pc->a).defined()) [[likely]] {
    ++pc;
    [[clang::musttail]] return pc->handler(pc, r, k, f, in);
  }
  [[clang::musttail]] return through<Machine::op_simple>(pc, r, k, f, in);
}

// ---- Arithmetic --------------------------------------------------------------------------------

template <Opcode kOpcode>
[[clang::preserve_none]] void number_operator(Op* pc, Value* r, const Value* k, Frame* f,
                                              Interpreter* in) {
  if (arithmetic<kOpcode>(r[pc->result], operand(r, k, pc->a), operand(r, k, pc->b))) [[likely]] {
    ++pc;
    [[clang::musttail]] return pc->handler(pc, r, k, f, in);
  }
  [[clang::musttail]] return through<Machine::op_binary>(pc, r, k, f, in);
}
/// Both operands in registers. Where the result replaces no object, there is nothing to release.
template <Opcode kOpcode>
[[clang::preserve_none]] void register_operator(Op* pc, Value* r, const Value* k, Frame* f,
                                                Interpreter* in) {
  Value& result = r[pc->result];
  if (!result.is_object() && arithmetic<kOpcode>(result, r[pc->a], r[pc->b])) [[likely]] {
    ++pc;
    [[clang::musttail]] return pc->handler(pc, r, k, f, in);
  }
  [[clang::musttail]] return number_operator<kOpcode>(pc, r, k, f, in);
}
/// A register and a constant.
template <Opcode kOpcode>
[[clang::preserve_none]] void constant_operator(Op* pc, Value* r, const Value* k, Frame* f,
                                                Interpreter* in) {
  Value& result = r[pc->result];
  if (!result.is_object() && arithmetic<kOpcode>(result, r[pc->a], k[~pc->b])) [[likely]] {
    ++pc;
    [[clang::musttail]] return pc->handler(pc, r, k, f, in);
  }
  [[clang::musttail]] return number_operator<kOpcode>(pc, r, k, f, in);
}

[[clang::preserve_none]] inline void negative(Op* pc, Value* r, const Value* k, Frame* f,
                                              Interpreter* in) {
  const Value& a = operand(r, k, pc->a);
  if (a.is_float()) {
    r[pc->result].put(-a.as_float());
  } else if (a.is_int() && a.as_int() != INT64_MIN) {
    r[pc->result].put(-a.as_int());
  } else {
    [[clang::musttail]] return through<Machine::op_unary>(pc, r, k, f, in);
  }
  ++pc;
  [[clang::musttail]] return pc->handler(pc, r, k, f, in);
}

// ---- Comparisons, truth, jumps -----------------------------------------------------------------

template <Opcode kOpcode>
[[clang::preserve_none]] void comparison(Op* pc, Value* r, const Value* k, Frame* f,
                                         Interpreter* in) {
  int yes = compare_fast<kOpcode>(operand(r, k, pc->a), operand(r, k, pc->b));
  if (yes >= 0) [[likely]] {
    r[pc->result].put(yes != 0);
    ++pc;
    [[clang::musttail]] return pc->handler(pc, r, k, f, in);
  }
  [[clang::musttail]] return through<Machine::op_compare>(pc, r, k, f, in);
}

/// Where the operands of a comparison are.
enum class Places : uint8_t { kAnywhere, kRegisters, kRegisterAndConstant };

/// A comparison and the jump behind it. The result is written only where something else reads it.
template <Opcode kOpcode, bool kJumpIf, bool kWrite, Places kPlaces = Places::kAnywhere>
[[clang::preserve_none]] void compare_and_branch(Op* pc, Value* r, const Value* k, Frame* f,
                                                 Interpreter* in) {
  const Value& a = kPlaces == Places::kAnywhere ? operand(r, k, pc->a) : r[pc->a];
  const Value& b = kPlaces == Places::kAnywhere    ? operand(r, k, pc->b)
                   : kPlaces == Places::kRegisters ? r[pc->b]
                                                   : k[~pc->b];
  int yes = compare_fast<kOpcode>(a, b);
  if (yes >= 0) [[likely]] {
    if constexpr (kWrite) r[pc->result].put(yes != 0);
    if ((yes != 0) == kJumpIf) {
      pc = f->code->ops.data() + pc[1].immediate;
    } else {
      pc += 2;
    }
    [[clang::musttail]] return pc->handler(pc, r, k, f, in);
  }
  [[clang::musttail]] return through<Machine::op_compare>(pc, r, k, f, in);
}

[[clang::preserve_none]] inline void jump(Op* pc, Value* r, const Value* k, Frame* f,
                                          Interpreter* in) {
  pc += static_cast<std::ptrdiff_t>(pc->immediate) - (pc - f->code->code(f->traced));
  [[clang::musttail]] return pc->handler(pc, r, k, f, in);
}
/// `cache_index` holds the distance as a signed number.
[[clang::preserve_none]] inline void jump_forward(Op* pc, Value* r, const Value* k, Frame* f,
                                                  Interpreter* in) {
  pc += static_cast<int32_t>(pc->cache_index);
  [[clang::musttail]] return pc->handler(pc, r, k, f, in);
}
[[clang::preserve_none]] inline void jump_back(Op* pc, Value* r, const Value* k, Frame* f,
                                               Interpreter* in) {
  if (needs_attention()) [[unlikely]] {
    [[clang::musttail]] return attend(pc, r, k, f, in);
  }
  pc += static_cast<int32_t>(pc->cache_index);
  [[clang::musttail]] return pc->handler(pc, r, k, f, in);
}

template <bool kJumpIf>
[[clang::preserve_none]] void branch(Op* pc, Value* r, const Value* k, Frame* f, Interpreter* in) {
  int yes = truth_fast(operand(r, k, pc->a));
  if (yes < 0) [[unlikely]] {
    [[clang::musttail]] return through<Machine::op_branch>(pc, r, k, f, in);
  }
  if ((yes != 0) == kJumpIf) {
    if (needs_attention()) [[unlikely]] {
      [[clang::musttail]] return attend(pc, r, k, f, in);
    }
    pc = f->code->code(f->traced) + pc->immediate;
  } else {
    ++pc;
  }
  [[clang::musttail]] return pc->handler(pc, r, k, f, in);
}
[[clang::preserve_none]] inline void negate(Op* pc, Value* r, const Value* k, Frame* f,
                                            Interpreter* in) {
  int yes = truth_fast(operand(r, k, pc->a));
  if (yes < 0) [[unlikely]] {
    [[clang::musttail]] return through<Machine::op_not>(pc, r, k, f, in);
  }
  r[pc->result].put(yes == 0);
  ++pc;
  [[clang::musttail]] return pc->handler(pc, r, k, f, in);
}
template <bool kWanted>
[[clang::preserve_none]] void identity(Op* pc, Value* r, const Value* k, Frame* f,
                                       Interpreter* in) {
  bool same = operand(r, k, pc->a).identical(operand(r, k, pc->b));
  r[pc->result].put(same == kWanted);
  ++pc;
  [[clang::musttail]] return pc->handler(pc, r, k, f, in);
}

}  // namespace glint::runtime::handlers
#pragma clang attribute pop
