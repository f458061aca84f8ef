// One handler an instruction.
//
// A handler does its work and ends in a tail call of the next one's; `preserve_none` keeps pc,
// registers, constants, frame and interpreter in machine registers all the way. What is common and
// short is here (numbers, locals, jumps, slots of instances, script calls); a handler that meets
// anything else tail-calls `through<...>`, which runs the general function of machine.h and goes on
// at the frame that it gives.
//
//     add r2, x, y:   both ints, no overflow? write r2, next handler.   else through<op_binary>
#include <array>
#include <bit>
#include <cmath>

#include "runtime/interpreter/machine.h"

// Handlers that end in tail calls have no frame for the address sanitizer to enlarge.
#pragma clang attribute push(__attribute__((no_sanitize("address"))), apply_to = function)

namespace glint::runtime {
namespace {

using program::Opcode;

// ---- Going on ----------------------------------------------------------------------------------

[[clang::preserve_none]] void resume_at(Op* pc, Value* r, const Value* k, Frame* f,
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

[[clang::preserve_none]] void attend(Op* pc, Value* r, const Value* k, Frame* f, Interpreter* in) {
  f->pc = pc;
  f = Machine::attend(*in, *f);
  [[clang::musttail]] return resume_at(pc, r, k, f, in);
}

inline bool needs_attention() {
  return attention.load(std::memory_order_relaxed) != 0;
}

// ---- Values ------------------------------------------------------------------------------------

[[clang::preserve_none]] void move(Op* pc, Value* r, const Value* k, Frame* f, Interpreter* in) {
  r[pc->result] = operand(r, k, pc->a);
  ++pc;
  [[clang::musttail]] return pc->handler(pc, r, k, f, in);
}

inline bool cached_global(Op* pc, Value* r, Frame* f, Interpreter* in) {
  HashTable& globals = f->globals->table;
  if (globals.keys_version() != pc->cache_key) return false;
  if (!pc->cache_pointer) {
    r[pc->result] = globals.entry(pc->cache_index).value;
    return true;
  }
  // Absent from the module, found among the builtins, whose keys are unchanged.
  HashTable& builtins = in->builtins().table;
  if (builtins.keys_version() != reinterpret_cast<uint64_t>(pc->cache_pointer)) return false;
  r[pc->result] = builtins.entry(pc->cache_index).value;
  return true;
}
/// The common case of `global`, which has nothing to release and so needs no room on the C++ stack.
inline bool unchanged_global(Op* pc, Value* r, Frame* f) {
  HashTable& globals = f->globals->table;
  if (globals.keys_version() != pc->cache_key || pc->cache_pointer) return false;
  const Value& found = globals.entry(pc->cache_index).value;
  Value& result = r[pc->result];
  // A function called twice is still in its register: no need to count.
  if (result.identical(found)) return true;
  if (result.is_object()) return false;
  new (&result) Value(found);
  return true;
}
[[clang::preserve_none]] void any_global(Op* pc, Value* r, const Value* k, Frame* f,
                                         Interpreter* in) {
  if (cached_global(pc, r, f, in)) [[likely]] {
    ++pc;
    [[clang::musttail]] return pc->handler(pc, r, k, f, in);
  }
  [[clang::musttail]] return through<Machine::op_simple>(pc, r, k, f, in);
}
[[clang::preserve_none]] void global(Op* pc, Value* r, const Value* k, Frame* f, Interpreter* in) {
  if (unchanged_global(pc, r, f)) [[likely]] {
    ++pc;
    [[clang::musttail]] return pc->handler(pc, r, k, f, in);
  }
  [[clang::musttail]] return any_global(pc, r, k, f, in);
}
inline bool cached_set_global(Op* pc, Value* r, const Value* k, Frame* f) {
  HashTable& globals = f->globals->table;
  if (globals.keys_version() != pc->cache_key) return false;
  globals.written();
  globals.entry(pc->cache_index).value = operand(r, k, pc->a);
  return true;
}
[[clang::preserve_none]] void set_global(Op* pc, Value* r, const Value* k, Frame* f,
                                         Interpreter* in) {
  if (cached_set_global(pc, r, k, f)) [[likely]] {
    ++pc;
    [[clang::musttail]] return pc->handler(pc, r, k, f, in);
  }
  [[clang::musttail]] return through<Machine::op_simple>(pc, r, k, f, in);
}

[[clang::preserve_none]] void cell(Op* pc, Value* r, const Value* k, Frame* f, Interpreter* in) {
  CellObject* holder = f->cells[pc->immediate].get();
  if (holder && holder->value.defined()) [[likely]] {
    r[pc->result] = holder->value;
    ++pc;
    [[clang::musttail]] return pc->handler(pc, r, k, f, in);
  }
  [[clang::musttail]] return through<Machine::op_simple>(pc, r, k, f, in);
}
[[clang::preserve_none]] void set_cell(Op* pc, Value* r, const Value* k, Frame* f,
                                       Interpreter* in) {
  CellObject* holder = f->cells[pc->immediate].get();
  if (holder) [[likely]] {
    holder->value = operand(r, k, pc->a);
    ++pc;
    [[clang::musttail]] return pc->handler(pc, r, k, f, in);
  }
  [[clang::musttail]] return through<Machine::op_simple>(pc, r, k, f, in);
}
[[clang::preserve_none]] void check_bound(Op* pc, Value* r, const Value* k, Frame* f,
                                          Interpreter* in) {
  if (operand(r, k, pc->a).defined()) [[likely]] {
    ++pc;
    [[clang::musttail]] return pc->handler(pc, r, k, f, in);
  }
  [[clang::musttail]] return through<Machine::op_simple>(pc, r, k, f, in);
}

// ---- Arithmetic --------------------------------------------------------------------------------

/// The fast part of a binary operator: true if it was numbers and the result is written.
template <Opcode kOpcode>
inline bool arithmetic(Value& result, const Value& a, const Value& b) {
  if (a.is_int() && b.is_int()) [[likely]] {
    int64_t x = a.as_int(), y = b.as_int(), z;
    if constexpr (kOpcode == Opcode::kAdd) {
      if (__builtin_add_overflow(x, y, &z)) return false;
    } else if constexpr (kOpcode == Opcode::kSubtract) {
      if (__builtin_sub_overflow(x, y, &z)) return false;
    } else if constexpr (kOpcode == Opcode::kMultiply) {
      if (__builtin_mul_overflow(x, y, &z)) return false;
    } else if constexpr (kOpcode == Opcode::kFloorDivide) {
      if (y <= 0) return false;
      z = x / y - (x % y < 0);
    } else if constexpr (kOpcode == Opcode::kModulo) {
      if (y <= 0) return false;
      z = x % y;
      if (z < 0) z += y;
    } else if constexpr (kOpcode == Opcode::kBitAnd) {
      z = x & y;
    } else if constexpr (kOpcode == Opcode::kBitOr) {
      z = x | y;
    } else if constexpr (kOpcode == Opcode::kBitXor) {
      z = x ^ y;
    } else if constexpr (kOpcode == Opcode::kRightShift) {
      if (y < 0 || y > 63) return false;
      z = x >> y;
    } else {
      return false;
    }
    result.put(z);
    return true;
  }
  if (a.is_float() ? (b.is_float() || b.is_int()) : (a.is_int() && b.is_float())) {
    double x = a.to_double(), y = b.to_double();
    if constexpr (kOpcode == Opcode::kAdd) {
      result.put(x + y);
    } else if constexpr (kOpcode == Opcode::kSubtract) {
      result.put(x - y);
    } else if constexpr (kOpcode == Opcode::kMultiply) {
      result.put(x * y);
    } else if constexpr (kOpcode == Opcode::kDivide) {
      if (y == 0.0) return false;
      result.put(x / y);
    } else {
      return false;
    }
    return true;
  }
  return false;
}

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

[[clang::preserve_none]] void negative(Op* pc, Value* r, const Value* k, Frame* f,
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

template <Opcode kOpcode, class T>
inline bool decide(T x, T y) {
  if constexpr (kOpcode == Opcode::kLess) return x < y;
  if constexpr (kOpcode == Opcode::kLessEqual) return x <= y;
  if constexpr (kOpcode == Opcode::kGreater) return x > y;
  if constexpr (kOpcode == Opcode::kGreaterEqual) return x >= y;
  if constexpr (kOpcode == Opcode::kEqual) return x == y;
  if constexpr (kOpcode == Opcode::kNotEqual) return x != y;
}

/// 1 or 0 for numbers (and, for == and !=, for interned texts), -1 for all else.
template <Opcode kOpcode>
inline int compare_fast(const Value& a, const Value& b) {
  if (a.is_int() && b.is_int()) [[likely]] {
    return decide<kOpcode>(a.as_int(), b.as_int());
  }
  if (a.is_float() && b.is_float()) return decide<kOpcode>(a.as_float(), b.as_float());
  if constexpr (kOpcode == Opcode::kEqual || kOpcode == Opcode::kNotEqual) {
    if (a.is<StrObject>() && b.is<StrObject>()) {
      bool same = a.object() == b.object() || a.as<StrObject>()->text == b.as<StrObject>()->text;
      return same == (kOpcode == Opcode::kEqual);
    }
  }
  return -1;
}

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

[[clang::preserve_none]] void jump(Op* pc, Value* r, const Value* k, Frame* f, Interpreter* in) {
  pc += static_cast<std::ptrdiff_t>(pc->immediate) - (pc - f->code->code(f->traced));
  [[clang::musttail]] return pc->handler(pc, r, k, f, in);
}
/// `cache_index` holds the distance as a signed number.
[[clang::preserve_none]] void jump_forward(Op* pc, Value* r, const Value* k, Frame* f,
                                           Interpreter* in) {
  pc += static_cast<int32_t>(pc->cache_index);
  [[clang::musttail]] return pc->handler(pc, r, k, f, in);
}
[[clang::preserve_none]] void jump_back(Op* pc, Value* r, const Value* k, Frame* f,
                                        Interpreter* in) {
  if (needs_attention()) [[unlikely]] {
    [[clang::musttail]] return attend(pc, r, k, f, in);
  }
  pc += static_cast<int32_t>(pc->cache_index);
  [[clang::musttail]] return pc->handler(pc, r, k, f, in);
}

/// 1, 0, or -1 when it takes more than a look.
inline int truth_fast(const Value& value) {
  if (value.is_bool() || value.is_int()) return value.as_int() != 0;
  if (value.is_none()) return 0;
  if (value.is_float()) return value.as_float() != 0.0;
  if (value.is<ListObject>() && value.as<ListObject>()->flags() == Object::kIsContainer) {
    return !value.as<ListObject>()->items.empty();
  }
  return -1;
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
[[clang::preserve_none]] void negate(Op* pc, Value* r, const Value* k, Frame* f, Interpreter* in) {
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

// ---- Loops -------------------------------------------------------------------------------------

/// 1: an item was written, 0: the end, -1: not one of the fast iterators.
inline int next_fast(Op* pc, Value* r, const Value* k) {
  const Value& iterator = operand(r, k, pc->a);
  if (!iterator.is<IteratorObject>()) return -1;
  auto* object = iterator.as<IteratorObject>();
  switch (object->which) {
    case IteratorObject::Which::kRange: {
      auto* range = static_cast<RangeIterator*>(object);
      if (range->remaining == 0) return 0;
      --range->remaining;
      int64_t value = range->current;
      range->current =
          static_cast<int64_t>(static_cast<uint64_t>(value) + static_cast<uint64_t>(range->step));
      r[pc->result].put(value);
      return 1;
    }
    case IteratorObject::Which::kList: {
      auto* list = static_cast<ListIterator*>(object);
      if (!list->list || list->index >= list->list->items.size()) return -1;
      r[pc->result] = list->list->items[list->index++];
      return 1;
    }
    case IteratorObject::Which::kTuple: {
      auto* tuple = static_cast<TupleIterator*>(object);
      if (tuple->index >= tuple->tuple->items.size()) return 0;
      r[pc->result] = tuple->tuple->items[tuple->index++];
      return 1;
    }
    case IteratorObject::Which::kOther:
      return -1;
  }
  return -1;
}
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

inline bool unpack_fast(Op* pc, Value* r, const Value* k, Frame* f) {
  const Value& source = operand(r, k, pc->a);
  const std::vector<Value>* items = nullptr;
  if (source.is<TupleObject>()) {
    items = &source.as<TupleObject>()->items;
  } else if (source.is<ListObject>()) {
    items = &source.as<ListObject>()->items;
  }
  if (!items || items->size() != pc->tail_count || source.as<Object>()->flag(Object::kSubclassed))
    return false;
  // One of the targets may be the source: it stays alive until all are written.
  Value held = source;
  const int32_t* targets = f->code->operands.data() + pc->tail_begin;
  for (uint32_t i = 0; i < pc->tail_count; ++i) r[targets[i]] = (*items)[i];
  return true;
}
[[clang::preserve_none]] void unpack(Op* pc, Value* r, const Value* k, Frame* f, Interpreter* in) {
  if (unpack_fast(pc, r, k, f)) [[likely]] {
    ++pc;
    [[clang::musttail]] return pc->handler(pc, r, k, f, in);
  }
  [[clang::musttail]] return through<Machine::op_simple>(pc, r, k, f, in);
}

// ---- Parts of objects --------------------------------------------------------------------------

/// The cached slot of an instance whose shape and class are as they were.
inline Value* cached_slot(const Op* pc, const Value& object) {
  if (!object.is<InstanceObject>()) return nullptr;
  auto* instance = object.as<InstanceObject>();
  if (instance->shape != pc->cache_pointer || !instance->shape) return nullptr;
  if (instance->cls->version != pc->cache_key) return nullptr;
  return &instance->slots[pc->cache_index];
}
[[clang::preserve_none]] void attribute(Op* pc, Value* r, const Value* k, Frame* f,
                                        Interpreter* in) {
  if (Value* slot = cached_slot(pc, operand(r, k, pc->a))) [[likely]] {
    r[pc->result] = *slot;
    ++pc;
    [[clang::musttail]] return pc->handler(pc, r, k, f, in);
  }
  [[clang::musttail]] return through<Machine::op_attribute>(pc, r, k, f, in);
}
/// A new attribute of an instance: the cached shape is a child of the one it has.
inline bool cached_new_slot(const Op* pc, const Value& object, const Value& value) {
  if (!object.is<InstanceObject>()) return false;
  auto* instance = object.as<InstanceObject>();
  auto* after = static_cast<Shape*>(pc->cache_pointer);
  if (!after || !instance->shape || after->parent != instance->shape) return false;
  if (instance->cls->version != pc->cache_key) return false;
  if (instance->shape->count >= instance->capacity) return false;
  ++instance->version;
  new (&instance->slots[instance->shape->count]) Value(value);
  instance->shape = after;
  return true;
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

/// A method found in the class of an instance that has no attribute of that name, or in a builtin
/// type: `cache_pointer` is the shape or null, `cache_key` the class version in the low half, and
/// the function waits in the cache of the instruction's own operand c.
/// The method of a builtin type, which never changes: `cache_key` is 1.
inline bool cached_native_method(Op* pc, Value* r, const Value& object) {
  if (pc->cache_key != 1 || object.kind() < kFirstInterpreterKind) return false;
  auto* native = static_cast<RefCounted*>(pc->cache_pointer);
  if (native->kind() != kNativeFunctionKind || object.as<Object>()->flag(Object::kSubclassed))
    return false;
  ClassObject* owner = static_cast<NativeFunctionObject*>(native)->owner;
  if (!owner || owner->instance_kind != object.kind() || owner->version != pc->cache_index)
    return false;
  r[pc->b] = object;
  r[pc->result] = Value(native);
  return true;
}
inline bool cached_method(Op* pc, Value* r, const Value* k) {
  const Value& object = operand(r, k, pc->a);
  if (!object.is<InstanceObject>()) return cached_native_method(pc, r, object);
  auto* instance = object.as<InstanceObject>();
  if (!instance->shape || instance->shape->owner->version != pc->cache_index) return false;
  if (reinterpret_cast<uint64_t>(instance->shape) != pc->cache_key) return false;
  r[pc->b] = object;
  r[pc->result] = Value(static_cast<RefCounted*>(pc->cache_pointer));
  return true;
}
[[clang::preserve_none]] void method(Op* pc, Value* r, const Value* k, Frame* f, Interpreter* in) {
  if (cached_method(pc, r, k)) [[likely]] {
    ++pc;
    [[clang::musttail]] return pc->handler(pc, r, k, f, in);
  }
  [[clang::musttail]] return through<Machine::op_method>(pc, r, k, f, in);
}

inline bool item_fast(Value& result, const Value& object, const Value& key) {
  if (!object.is_object()) return false;
  if (key.is_int()) {
    const std::vector<Value>* items = nullptr;
    if (object.kind() == kListKind && !object.as<ListObject>()->flag(Object::kSubclassed)) {
      items = &object.as<ListObject>()->items;
    } else if (object.kind() == kTupleKind &&
               !object.as<TupleObject>()->flag(Object::kSubclassed)) {
      items = &object.as<TupleObject>()->items;
    }
    if (items) {
      int64_t index = key.as_int();
      auto size = static_cast<int64_t>(items->size());
      if (index < 0) index += size;
      if (index < 0 || index >= size) return false;
      result = (*items)[static_cast<size_t>(index)];
      return true;
    }
  }
  if (object.kind() == kDictKind && !object.as<DictObject>()->flag(Object::kSubclassed)) {
    HashTable& table = object.as<DictObject>()->table;
    Value* found = key.is<StrObject>() ? table.find(key.as<StrObject>())
                   : key.is_int()      ? table.find(key.as_int())
                                       : nullptr;
    if (!found) return false;
    result = *found;
    return true;
  }
  return false;
}
[[clang::preserve_none]] void item(Op* pc, Value* r, const Value* k, Frame* f, Interpreter* in) {
  if (item_fast(r[pc->result], operand(r, k, pc->a), operand(r, k, pc->b))) [[likely]] {
    ++pc;
    [[clang::musttail]] return pc->handler(pc, r, k, f, in);
  }
  [[clang::musttail]] return through<Machine::op_item>(pc, r, k, f, in);
}
inline bool set_item_fast(const Value& object, const Value& key, const Value& value) {
  if (object.is<DictObject>() && !object.as<DictObject>()->flag(Object::kSubclassed)) {
    HashTable& table = object.as<DictObject>()->table;
    if (key.is<StrObject>()) {
      table.set(key.as<StrObject>(), value);
      return true;
    }
    return key.is_int() && table.overwrite(key.as_int(), value);
  }
  if (!object.is<ListObject>() || !key.is_int()) return false;
  auto* list = object.as<ListObject>();
  if (list->flag(Object::kSubclassed)) return false;
  int64_t index = key.as_int();
  auto size = static_cast<int64_t>(list->items.size());
  if (index < 0) index += size;
  if (index < 0 || index >= size) return false;
  ++list->version;
  list->items[static_cast<size_t>(index)] = value;
  return true;
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

/// A frame for a plain call of a script's function: positional arguments, as many as parameters.
/// `kMethod`: a receiver may wait in register b. `kOne`: the only argument is in register c.
template <bool kMethod, bool kOne = false>
[[gnu::always_inline]] inline Frame* push_plain(Op* pc, Value* r, const Value* k, Frame* f,
                                                Interpreter* in) {
  const Value& callee = operand(r, k, pc->a);
  if (!callee.is<FunctionObject>()) return nullptr;
  auto* function = callee.as<FunctionObject>();
  FunctionCode* code = function->prepared;
  uint32_t given = kOne ? 1 : pc->tail_count;
  bool has_self = false;
  if constexpr (kMethod) has_self = r[pc->b].defined();
  uint32_t count = given + has_self;
  if (!code || !code->quick || count != code->positional || needs_attention()) return nullptr;
  f->pc = pc;
  Frame* frame =
      Machine::push_fast(*in, *code, function, f, static_cast<uint32_t>(pc->result), count, true);
  if (!frame) return nullptr;
  Value* parameter = frame->registers;
  if constexpr (kMethod) {
    if (has_self) new (parameter++) Value(std::move(r[pc->b]));
  }
  if constexpr (kOne) {
    new (parameter) Value(r[pc->c]);
  } else {
    const int32_t* tail = f->code->operands.data() + pc->tail_begin;
    for (uint32_t i = 0; i < given; ++i) new (parameter + i) Value(operand(r, k, tail[i]));
  }
  return frame;
}
/// A frame for the `__init__` of a new instance of a plain script class; the cache holds the
/// function, which `Machine::construct` would find, under the class's version.
inline Frame* push_init(Op* pc, Value* r, const Value* k, Frame* f, Interpreter* in) {
  const Value& callee = operand(r, k, pc->a);
  if (!callee.is<ClassObject>() || pc->keyword_count != 0 || f->traced) return nullptr;
  auto* cls = callee.as<ClassObject>();
  if (pc->cache_key != cls->version || needs_attention()) return nullptr;
  auto* init = static_cast<FunctionObject*>(pc->cache_pointer);
  FunctionCode* code = init->prepared;
  if (pc->tail_count + 1u != code->positional || code->cell_count != 0) return nullptr;
  f->pc = pc;
  Frame* frame = Machine::push_fast(*in, *code, init, f, static_cast<uint32_t>(pc->result),
                                    code->positional, false);
  if (!frame) return nullptr;
  frame->then = Continuation::kInit;
  Value* parameter = frame->registers;
  new (parameter) Value(InstanceObject::make(cls));
  new (&frame->owned) Value(*parameter);
  const int32_t* tail = f->code->operands.data() + pc->tail_begin;
  for (uint32_t i = 0, given = pc->tail_count; i < given; ++i) {
    new (parameter + 1 + i) Value(operand(r, k, tail[i]));
  }
  return frame;
}
[[clang::preserve_none]] void call(Op* pc, Value* r, const Value* k, Frame* f, Interpreter* in) {
  Frame* frame = nullptr;
  if (pc->keyword_count == 0 && !f->traced) {
    frame = pc->b >= 0 ? push_plain<true>(pc, r, k, f, in) : push_plain<false>(pc, r, k, f, in);
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

/// A call without keywords, not traced.
template <bool kMethod, bool kOne>
[[clang::preserve_none]] void call_positional(Op* pc, Value* r, const Value* k, Frame* f,
                                              Interpreter* in) {
  if (Frame* frame = push_plain<kMethod, kOne>(pc, r, k, f, in)) [[likely]] {
    pc = frame->pc;
    [[clang::musttail]] return pc->handler(pc, frame->registers, frame->code->constant_data, frame,
                                           in);
  }
  if (operand(r, k, pc->a).is<NativeFunctionObject>() && !needs_attention()) {
    [[clang::musttail]] return through<Machine::op_call_native>(pc, r, k, f, in);
  }
  [[clang::musttail]] return call(pc, r, k, f, in);
}

Frame* op_return(Interpreter& in, Frame& frame, Op& op) {
  Value value = operand(frame.registers, frame.code->constants.data(), op.a);
  return Machine::return_value(in, frame, std::move(value));
}
inline Frame* return_plain(Op* pc, Value* r, const Value* k, Frame* f, Interpreter* in) {
  Frame* caller = f->caller;
  // A register dies with its frame, so its value need not be counted anew.
  Value value = pc->a >= 0 ? std::move(r[pc->a]) : k[~pc->a];
  uint32_t result = f->result_register;
  if (!Machine::pop_fast(*in, f)) Machine::pop(*in, f);
  caller->registers[result].swap(value);
  return caller;
}
/// The end of an `__init__` whose instance goes to a script's `call`.
inline bool returns_instance(Op* pc, Value* r, const Value* k, Frame* f) {
  return !f->traced && f->caller->code && operand(r, k, pc->a).is_none();
}
inline Frame* return_instance(Frame* f, Interpreter* in) {
  Frame* caller = f->caller;
  Value made = std::move(f->owned);
  uint32_t result = f->result_register;
  if (!Machine::pop_fast(*in, f)) Machine::pop(*in, f);
  caller->registers[result].swap(made);
  return caller;
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
/// replaces no object.
template <bool kRegister>
[[clang::preserve_none]] void return_quick(Op* pc, Value* r, const Value* k, Frame* f,
                                           Interpreter* in) {
  Value& target = f->caller->registers[f->result_register];
  if (!f->borrows_function || target.is_object()) [[unlikely]] {
    [[clang::musttail]] return return_op(pc, r, k, f, in);
  }
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
  if (op.opcode == Opcode::kReturn && code.cell_count == 0 && code.program->handlers.empty()) {
    return op.a >= 0 ? return_quick<true> : return_quick<false>;
  }
  if (op.opcode == Opcode::kMethod && op.b >= 0) return method;
  if (op.opcode == Opcode::kCall && op.keyword_count == 0) {
    bool one = op.tail_count == 1 && code.operands[op.tail_begin] >= 0;
    if (one) const_cast<Op&>(op).c = code.operands[op.tail_begin];
    if (op.b >= 0) return one ? call_positional<true, true> : call_positional<true, false>;
    return one ? call_positional<false, true> : call_positional<false, false>;
  }
  return plain_handler(op.opcode);
}

}  // namespace glint::runtime
#pragma clang attribute pop
