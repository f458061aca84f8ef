// One handler an instruction.
//
// A handler does its work and ends in a tail call of the next one's; `preserve_none` keeps pc,
// registers, constants, frame and interpreter in machine registers all the way. What is common and
// short is here and in value_handlers.h (numbers, locals, jumps, slots, script calls); a handler
// that meets anything else tail-calls `through<...>`, which runs the general function of machine.h
// and goes on at the frame that it gives.
//
//     add r2, x, y:   both ints, no overflow? write r2, next handler.   else through<op_binary>
#include <array>

#include "runtime/interpreter/fast_paths.h"
#include "runtime/interpreter/machine.h"
#include "runtime/interpreter/value_handlers.h"

// Handlers that end in tail calls have no frame for the address sanitizer to enlarge.
#pragma clang attribute push(__attribute__((no_sanitize("address"))), apply_to = function)

namespace glint::runtime {
namespace {

using program::Opcode;

using namespace handlers;  // NOLINT: the other half of them

// ---- Loops -------------------------------------------------------------------------------------

[[clang::preserve_none]] void next(Op* pc, Value* r, const Value* k, Frame* f, Interpreter* in) {
  int found = next_fast(pc, r, k);
  if (found > 0) [[likely]] {
    ++pc;
    [[clang::musttail]] return pc->handler(pc, r, k, f, in);
  }
  if (found == 0) {
    pc = f->code->code(f->traced) + pc->immediate;
    [[clang::musttail]] return pc->handler(pc, r, k, f, in);
  }
  [[clang::musttail]] return through<Machine::op_next>(pc, r, k, f, in);
}

[[clang::preserve_none]] void unpack(Op* pc, Value* r, const Value* k, Frame* f, Interpreter* in) {
  if (unpack_fast(pc, r, k, f)) [[likely]] {
    ++pc;
    [[clang::musttail]] return pc->handler(pc, r, k, f, in);
  }
  [[clang::musttail]] return through<Machine::op_simple>(pc, r, k, f, in);
}

// ---- Parts of objects --------------------------------------------------------------------------

[[clang::preserve_none]] void attribute(Op* pc, Value* r, const Value* k, Frame* f,
                                        Interpreter* in) {
  if (Value* slot = cached_slot(pc, operand(r, k, pc->a))) [[likely]] {
    r[pc->result] = *slot;
    ++pc;
    [[clang::musttail]] return pc->handler(pc, r, k, f, in);
  }
  [[clang::musttail]] return through<Machine::op_attribute>(pc, r, k, f, in);
}
[[clang::preserve_none]] void set_attribute(Op* pc, Value* r, const Value* k, Frame* f,
                                            Interpreter* in) {
  if (Value* slot = cached_slot(pc, operand(r, k, pc->a))) [[likely]] {
    ++operand(r, k, pc->a).as<InstanceObject>()->version;
    *slot = operand(r, k, pc->b);
    ++pc;
    [[clang::musttail]] return pc->handler(pc, r, k, f, in);
  }
  if (cached_new_slot(pc, operand(r, k, pc->a), operand(r, k, pc->b))) {
    ++pc;
    [[clang::musttail]] return pc->handler(pc, r, k, f, in);
  }
  [[clang::musttail]] return through<Machine::op_set_attribute>(pc, r, k, f, in);
}

[[clang::preserve_none]] void method(Op* pc, Value* r, const Value* k, Frame* f, Interpreter* in) {
  if (cached_method(pc, r, k)) [[likely]] {
    ++pc;
    [[clang::musttail]] return pc->handler(pc, r, k, f, in);
  }
  [[clang::musttail]] return through<Machine::op_method>(pc, r, k, f, in);
}

[[clang::preserve_none]] void item(Op* pc, Value* r, const Value* k, Frame* f, Interpreter* in) {
  if (item_fast(r[pc->result], operand(r, k, pc->a), operand(r, k, pc->b))) [[likely]] {
    ++pc;
    [[clang::musttail]] return pc->handler(pc, r, k, f, in);
  }
  [[clang::musttail]] return through<Machine::op_item>(pc, r, k, f, in);
}
[[clang::preserve_none]] void set_item(Op* pc, Value* r, const Value* k, Frame* f,
                                       Interpreter* in) {
  if (set_item_fast(operand(r, k, pc->a), operand(r, k, pc->b), operand(r, k, pc->c))) [[likely]] {
    ++pc;
    [[clang::musttail]] return pc->handler(pc, r, k, f, in);
  }
  [[clang::musttail]] return through<Machine::op_set_item>(pc, r, k, f, in);
}
[[clang::preserve_none]] void list_append(Op* pc, Value* r, const Value* k, Frame* f,
                                          Interpreter* in) {
  operand(r, k, pc->a).as<ListObject>()->items.push_back(operand(r, k, pc->b));
  ++pc;
  [[clang::musttail]] return pc->handler(pc, r, k, f, in);
}

// ---- Calls -------------------------------------------------------------------------------------

[[clang::preserve_none]] void call(Op* pc, Value* r, const Value* k, Frame* f, Interpreter* in) {
  Frame* frame = nullptr;
  if (pc->keyword_count == 0 && !f->traced) {
    const Value& callee = operand(r, k, pc->a);
    frame = pc->b >= 0 ? push_plain<true, false>(callee, pc, r, k, f, in)
                       : push_plain<false, false>(callee, pc, r, k, f, in);
    if (!frame) frame = push_init(pc, r, k, f, in);
  }
  if (frame) {
    pc = frame->pc;
    [[clang::musttail]] return pc->handler(pc, frame->registers, frame->code->constant_data, frame,
                                           in);
  }
  if (needs_attention()) {
    [[clang::musttail]] return attend(pc, r, k, f, in);
  }
  [[clang::musttail]] return through<Machine::op_call>(pc, r, k, f, in);
}

template <bool kMethod, bool kOne>
[[clang::preserve_none]] void call_compiled(Op* pc, Value* r, const Value* k, Frame* f,
                                            Interpreter* in);

/// A call without keywords of what a register holds, not traced.
template <bool kMethod, bool kOne>
[[clang::preserve_none]] void call_positional(Op* pc, Value* r, const Value* k, Frame* f,
                                              Interpreter* in) {
  if (Frame* frame = push_plain<kMethod, kOne>(r[pc->a], pc, r, k, f, in)) [[likely]] {
    pc = frame->pc;
    [[clang::musttail]] return pc->handler(pc, frame->registers, frame->code->constant_data, frame,
                                           in);
  }
  if (r[pc->a].is<NativeFunctionObject>() && !needs_attention()) {
    [[clang::musttail]] return through<Machine::op_call_native>(pc, r, k, f, in);
  }
  if (r[pc->a].is<CompiledFunctionObject>()) {
    pc->handler = call_compiled<kMethod, kOne>;
    [[clang::musttail]] return pc->handler(pc, r, k, f, in);
  }
  [[clang::musttail]] return call(pc, r, k, f, in);
}

/// `call_positional` at a place that called what `torch.compile` made, and is rewritten back when
/// it calls anything else. Where compiling does not pay, the function itself runs.
template <bool kMethod, bool kOne>
[[clang::preserve_none]] void call_compiled(Op* pc, Value* r, const Value* k, Frame* f,
                                            Interpreter* in) {
  if (!r[pc->a].is<CompiledFunctionObject>()) [[unlikely]] {
    pc->handler = call_positional<kMethod, kOne>;
    [[clang::musttail]] return pc->handler(pc, r, k, f, in);
  }
  if (Frame* frame = push_eagerly<kMethod, kOne>(pc, r, k, f, in)) [[likely]] {
    pc = frame->pc;
    [[clang::musttail]] return pc->handler(pc, frame->registers, frame->code->constant_data, frame,
                                           in);
  }
  if (needs_attention()) {
    [[clang::musttail]] return attend(pc, r, k, f, in);
  }
  [[clang::musttail]] return through<Machine::op_call_compiled>(pc, r, k, f, in);
}

Frame* op_return(Interpreter& in, Frame& frame, Op& op) {
  Value value = operand(frame.registers, frame.code->constants.data(), op.a);
  return Machine::return_value(in, frame, std::move(value));
}
[[clang::preserve_none]] void return_op(Op* pc, Value* r, const Value* k, Frame* f,
                                        Interpreter* in) {
  // kStore is a script's call by `call`: neither a generator nor a class body, nothing owned.
  if (f->then == Continuation::kStore && f->function && !f->traced) [[likely]] {
    f = return_plain(pc, r, k, f, in);
    pc = f->pc + 1;
    [[clang::musttail]] return pc->handler(pc, f->registers, f->code->constant_data, f, in);
  }
  if (f->then == Continuation::kInit && returns_instance(pc, r, k, f)) {
    f = return_instance(f, in);
    pc = f->pc + 1;
    [[clang::musttail]] return pc->handler(pc, f->registers, f->code->constant_data, f, in);
  }
  [[clang::musttail]] return through<op_return>(pc, r, k, f, in);
}

/// `return_op` of a function without cells and handlers that `push_plain` called, whose value
/// replaces no object. Also a `move` of the result (`is_returned`).
template <bool kRegister>
[[clang::preserve_none]] void return_quick(Op* pc, Value* r, const Value* k, Frame* f,
                                           Interpreter* in) {
  // Others may have no caller, or one without registers.
  if (!f->borrows_function || f->caller->registers[f->result_register].is_object()) [[unlikely]] {
    [[clang::musttail]] return return_op(pc, r, k, f, in);
  }
  Value& target = f->caller->registers[f->result_register];
  if constexpr (kRegister) {
    target.swap(r[pc->a]);
  } else {
    new (&target) Value(k[~pc->a]);
  }
  Machine::drop_fast(*in, f);
  f = f->caller;
  pc = f->pc + 1;
  [[clang::musttail]] return pc->handler(pc, f->registers, f->code->constant_data, f, in);
}

// ---- Tracing -----------------------------------------------------------------------------------

Frame* ask_tracer(Interpreter& in, Frame& frame, Op& op, bool& plain) {
  plain = false;
  switch (in.tracer()->step(frame, frame.position())) {
    case Tracer::Step::kRun:
      plain = true;
      return &frame;
    case Tracer::Step::kDone:
      return in.top_frame();
    case Tracer::Step::kStop:
      Machine::request_stop(in);
      return Machine::unwind(in);
    case Tracer::Step::kRaise:
      return Machine::unwind(in);
  }
  return nullptr;
}
[[clang::preserve_none]] void traced(Op* pc, Value* r, const Value* k, Frame* f, Interpreter* in) {
  f->pc = pc;
  bool plain = true;
  if (in->tracer()) f = ask_tracer(*in, *f, *pc, plain);
  Handler handler = plain ? plain_handler(pc->opcode) : nullptr;
  if (handler && f->pc == pc) {
    [[clang::musttail]] return handler(pc, r, k, f, in);
  }
  [[clang::musttail]] return resume_at(pc, r, k, f, in);
}

// ---- The table ---------------------------------------------------------------------------------

template <Opcode kOpcode>
constexpr Handler kNumber[3] = {number_operator<kOpcode>, register_operator<kOpcode>,
                                constant_operator<kOpcode>};

/// The three forms of an arithmetic operator, or null. In-place forms act alike on numbers.
const Handler* number_handlers(Opcode opcode) {
  switch (opcode) {
    case Opcode::kAdd:
    case Opcode::kAddInPlace:
      return kNumber<Opcode::kAdd>;
    case Opcode::kSubtract:
    case Opcode::kSubtractInPlace:
      return kNumber<Opcode::kSubtract>;
    case Opcode::kMultiply:
    case Opcode::kMultiplyInPlace:
      return kNumber<Opcode::kMultiply>;
    case Opcode::kDivide:
    case Opcode::kDivideInPlace:
      return kNumber<Opcode::kDivide>;
    case Opcode::kFloorDivide:
    case Opcode::kFloorDivideInPlace:
      return kNumber<Opcode::kFloorDivide>;
    case Opcode::kModulo:
    case Opcode::kModuloInPlace:
      return kNumber<Opcode::kModulo>;
    case Opcode::kBitAnd:
    case Opcode::kBitAndInPlace:
      return kNumber<Opcode::kBitAnd>;
    case Opcode::kBitOr:
    case Opcode::kBitOrInPlace:
      return kNumber<Opcode::kBitOr>;
    case Opcode::kBitXor:
    case Opcode::kBitXorInPlace:
      return kNumber<Opcode::kBitXor>;
    case Opcode::kRightShift:
    case Opcode::kRightShiftInPlace:
      return kNumber<Opcode::kRightShift>;
    default:
      return nullptr;
  }
}

template <Opcode kOpcode>
constexpr Handler kComparison[9] = {
    comparison<kOpcode>,
    compare_and_branch<kOpcode, false, true>,
    compare_and_branch<kOpcode, true, true>,
    compare_and_branch<kOpcode, false, false>,
    compare_and_branch<kOpcode, true, false>,
    compare_and_branch<kOpcode, false, false, Places::kRegisters>,
    compare_and_branch<kOpcode, true, false, Places::kRegisters>,
    compare_and_branch<kOpcode, false, false, Places::kRegisterAndConstant>,
    compare_and_branch<kOpcode, true, false, Places::kRegisterAndConstant>};
const Handler* comparison_handlers(Opcode opcode) {
  switch (opcode) {
    case Opcode::kLess:
      return kComparison<Opcode::kLess>;
    case Opcode::kLessEqual:
      return kComparison<Opcode::kLessEqual>;
    case Opcode::kGreater:
      return kComparison<Opcode::kGreater>;
    case Opcode::kGreaterEqual:
      return kComparison<Opcode::kGreaterEqual>;
    case Opcode::kEqual:
      return kComparison<Opcode::kEqual>;
    case Opcode::kNotEqual:
      return kComparison<Opcode::kNotEqual>;
    default:
      return nullptr;
  }
}

}  // namespace

Handler traced_handler() {
  return traced;
}

Handler plain_handler(Opcode opcode) {
  if (const Handler* forms = number_handlers(opcode)) return forms[0];
  if (const Handler* forms = comparison_handlers(opcode)) return forms[0];
  switch (opcode) {
    case Opcode::kMove:
      return move;
    case Opcode::kGlobal:
      return global;
    case Opcode::kSetGlobal:
      return set_global;
    case Opcode::kCell:
      return cell;
    case Opcode::kSetCell:
      return set_cell;
    case Opcode::kCheckBound:
      return check_bound;
    case Opcode::kNegative:
      return negative;
    case Opcode::kPositive:
    case Opcode::kInvert:
      return through<Machine::op_unary>;
    case Opcode::kNot:
      return negate;
    case Opcode::kMatrixMultiply:
    case Opcode::kPower:
    case Opcode::kLeftShift:
    case Opcode::kMatrixMultiplyInPlace:
    case Opcode::kPowerInPlace:
    case Opcode::kLeftShiftInPlace:
      return through<Machine::op_binary>;
    case Opcode::kIs:
      return identity<true>;
    case Opcode::kIsNot:
      return identity<false>;
    case Opcode::kIn:
    case Opcode::kNotIn:
      return through<Machine::op_contains>;
    case Opcode::kAttribute:
      return attribute;
    case Opcode::kMethod:
      return through<Machine::op_traced_method>;
    case Opcode::kSetAttribute:
      return set_attribute;
    case Opcode::kItem:
      return item;
    case Opcode::kSetItem:
      return set_item;
    case Opcode::kListAppend:
      return list_append;
    case Opcode::kJump:
      return jump;
    case Opcode::kJumpIfTrue:
      return branch<true>;
    case Opcode::kJumpIfFalse:
      return branch<false>;
    case Opcode::kIterator:
      return through<Machine::op_iterator>;
    case Opcode::kNext:
      return next;
    case Opcode::kUnpack:
      return unpack;
    case Opcode::kReturn:
      return return_op;
    case Opcode::kYield:
      return through<Machine::op_yield>;
    case Opcode::kYieldFrom:
      return through<Machine::op_yield_from>;
    case Opcode::kCall:
      return call;
    case Opcode::kCallUnpacked:
      return through<Machine::op_call_unpacked>;
    case Opcode::kClass:
      return through<Machine::op_class>;
    case Opcode::kRaise:
      return through<Machine::op_raise>;
    case Opcode::kReraise:
      return through<Machine::op_reraise>;
    case Opcode::kEnterContext:
      return through<Machine::op_enter_context>;
    case Opcode::kExitContext:
      return through<Machine::op_exit_context>;
    default:
      return through<Machine::op_simple>;
  }
}

/// `for a, b in ...`: a `next`, an `unpack` into two, and often a `move` of each to its variable.
/// The temporaries between them have no other reader, so a `next` that knows the two places writes
/// nothing else: `cache_key` holds the places, `cache_index` where to go on.
static bool find_pair(const FunctionCode& code, size_t index) {
  Op& op = const_cast<Op&>(code.ops[index]);
  const Op* behind = &op + 1;
  size_t left = code.ops.size() - index - 1;
  auto temporary = [&](int32_t place) {
    return place >= static_cast<int32_t>(code.program->local_names.size());
  };
  if (left < 1 || behind->opcode != Opcode::kUnpack || behind->tail_count != 2) return false;
  if (behind->a != op.result || !temporary(op.result)) return false;
  int32_t first = code.operands[behind->tail_begin], second = code.operands[behind->tail_begin + 1];
  op.cache_index = 2;
  if (left >= 3 && temporary(first) && temporary(second) && behind[1].opcode == Opcode::kMove &&
      behind[1].a == first && behind[2].opcode == Opcode::kMove && behind[2].a == second) {
    first = behind[1].result;
    second = behind[2].result;
    op.cache_index = 4;
  }
  op.cache_key = static_cast<uint32_t>(first) | static_cast<uint64_t>(second) << 32;
  return true;
}

/// Whether a function's call ends as `return_quick` does: nothing of it is left to undo.
static bool returns_quickly(const FunctionCode& code) {
  return code.cell_count == 0 && code.program->handlers.empty();
}

/// `n if n < 2 else ...` as a result: a `move` whose next reader is the `return` that it, or the
/// jump behind it, reaches. It may return the value itself.
static bool is_returned(const FunctionCode& code, size_t index) {
  const Op* behind = &code.ops[index] + 1;
  if (behind->opcode == Opcode::kJump) behind = &code.ops[behind->immediate];
  return behind->opcode == Opcode::kReturn && behind->a == code.ops[index].result;
}

Handler best_handler(const FunctionCode& code, size_t index) {
  const Op& op = code.ops[index];
  if (const Handler* forms = number_handlers(op.opcode)) {
    if (op.a >= 0) return op.b >= 0 ? forms[1] : forms[2];
    return forms[0];
  }
  if (const Handler* forms = comparison_handlers(op.opcode)) {
    if (index + 1 < code.ops.size()) {
      const Op& jump_op = code.ops[index + 1];
      if (jump_op.a == op.result && jump_op.immediate > index) {
        size_t form = 1;
        if (code.branch_only[index]) form = op.a < 0 ? 3 : op.b >= 0 ? 5 : 7;
        if (jump_op.opcode == Opcode::kJumpIfFalse) return forms[form];
        if (jump_op.opcode == Opcode::kJumpIfTrue) return forms[form + 1];
      }
    }
    return forms[0];
  }
  if (op.opcode == Opcode::kJump) {
    auto distance = static_cast<int32_t>(op.immediate) - static_cast<int32_t>(index);
    const_cast<Op&>(op).cache_index = static_cast<uint32_t>(distance);
    return distance > 0 ? jump_forward : jump_back;
  }
  if (op.opcode == Opcode::kNext && find_pair(code, index)) return through<Machine::op_next_pair>;
  bool returns =
      op.opcode == Opcode::kReturn || (op.opcode == Opcode::kMove && is_returned(code, index));
  if (returns && returns_quickly(code)) return op.a >= 0 ? return_quick<true> : return_quick<false>;
  if (op.opcode == Opcode::kMethod && op.b >= 0) return method;
  if (op.opcode == Opcode::kCall && op.keyword_count == 0 && op.a >= 0) {
    bool one = op.tail_count == 1 && code.operands[op.tail_begin] >= 0;
    if (one) const_cast<Op&>(op).c = code.operands[op.tail_begin];
    if (op.b >= 0) return one ? call_positional<true, true> : call_positional<true, false>;
    return one ? call_positional<false, true> : call_positional<false, false>;
  }
  return plain_handler(op.opcode);
}

}  // namespace glint::runtime
#pragma clang attribute pop
