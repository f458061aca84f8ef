// The common and short cases of the instructions, as the handlers of dispatch.cpp inline them:
// numbers, cached globals, slots and methods, items of lists and dicts, frames of plain script
// calls.
//
//     if (item_fast(r[pc->result], object, key)) ...next handler      else the general function
//
// Each says whether it applied; what it leaves undone, machine.h's function does from the start.
#pragma once

#include <bit>
#include <cmath>

#include "runtime/interpreter/machine.h"
#include "runtime/interpreter/plain_values.h"

// Handlers that end in tail calls have no frame for the address sanitizer to enlarge, nor may what
// they inline.
#pragma clang attribute push(__attribute__((no_sanitize("address"))), apply_to = function)

namespace glint::runtime {

using program::Opcode;

// ---- Values ------------------------------------------------------------------------------------

inline bool needs_attention() {
  return attention.load(std::memory_order_relaxed) != 0;
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

inline bool cached_set_global(Op* pc, Value* r, const Value* k, Frame* f) {
  HashTable& globals = f->globals->table;
  if (globals.keys_version() != pc->cache_key) return false;
  globals.written();
  globals.entry(pc->cache_index).value = operand(r, k, pc->a);
  return true;
}

// ---- Arithmetic and comparisons
// -------------------------------------------------------------------

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
    if (plain_text(a) && plain_text(b)) {
      bool same = a.object() == b.object() || a.as<StrObject>()->text == b.as<StrObject>()->text;
      return same == (kOpcode == Opcode::kEqual);
    }
  }
  return -1;
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

// ---- Loops
// ----------------------------------------------------------------------------------------

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

// ---- Parts of objects
// -----------------------------------------------------------------------------

/// The cached slot of an instance whose shape and class are as they were.
inline Value* cached_slot(const Op* pc, const Value& object) {
  if (!object.is<InstanceObject>()) return nullptr;
  auto* instance = object.as<InstanceObject>();
  if (instance->shape != pc->cache_pointer || !instance->shape) return nullptr;
  if (instance->cls->version != pc->cache_key) return nullptr;
  return &instance->slots[pc->cache_index];
}

/// A new attribute of an instance: the cached shape is a child of the one it has, and what was
/// written is what that child has more.
inline bool cached_new_slot(const Op* pc, const Value& object, const Value& value) {
  if (!object.is<InstanceObject>()) return false;
  auto* instance = object.as<InstanceObject>();
  auto* after = static_cast<Shape*>(pc->cache_pointer);
  if (!after || !instance->shape || after->parent != instance->shape) return false;
  if (pc->cache_index + 1 != after->count) return false;
  if (instance->cls->version != pc->cache_key) return false;
  if (instance->shape->count >= instance->capacity) return false;
  ++instance->version;
  new (&instance->slots[instance->shape->count]) Value(value);
  instance->shape = after;
  return true;
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
    Value* found = plain_text(key) ? table.find(key.as<StrObject>())
                   : key.is_int()  ? table.find(key.as_int())
                                   : nullptr;
    if (!found) return false;
    result = *found;
    return true;
  }
  return false;
}

inline bool set_item_fast(const Value& object, const Value& key, const Value& value) {
  if (object.is<DictObject>() && !object.as<DictObject>()->flag(Object::kSubclassed)) {
    HashTable& table = object.as<DictObject>()->table;
    if (plain_text(key)) return table.write(key.as<StrObject>(), value);
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

// ---- Calls
// ----------------------------------------------------------------------------------------

/// The function's code, foretold: a processor that guesses the comparison goes on with what the
/// instruction holds, and need not wait for the function to be read.
inline FunctionCode* foretold_code(const FunctionObject& function, Op* pc) {
  auto* code = static_cast<FunctionCode*>(pc->cache_pointer);
  if (code == function.prepared) [[likely]]
    return code;
  pc->cache_key = 0;  // no class's version: what else the cache held, is gone
  pc->cache_pointer = function.prepared;
  return function.prepared;
}

/// A frame for a plain call of a script's function: positional arguments, as many as parameters.
/// `kMethod`: a receiver may wait in register b. `kOne`: the only argument is in register c.
template <bool kMethod, bool kOne>
[[gnu::always_inline]] inline Frame* push_plain(const Value& callee, Op* pc, Value* r,
                                                const Value* k, Frame* f, Interpreter* in) {
  if (!callee.is<FunctionObject>()) return nullptr;
  auto* function = callee.as<FunctionObject>();
  FunctionCode* code = foretold_code(*function, pc);
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

/// `push_plain` for what `torch.compile` made, where compiling does not pay for these arguments.
template <bool kMethod, bool kOne>
[[gnu::always_inline]] inline Frame* push_eagerly(Op* pc, Value* r, const Value* k, Frame* f,
                                                  Interpreter* in) {
  const auto& compiled = *r[pc->a].as<CompiledFunctionObject>();
  int64_t limit = compiled.eager_up_to ? *compiled.eager_up_to : 0;
  if (limit == 0) return nullptr;
  if constexpr (kMethod) {
    if (compiling_pays(r[pc->b], limit)) return nullptr;
  }
  if constexpr (kOne) {
    if (compiling_pays(r[pc->c], limit)) return nullptr;
  } else {
    const int32_t* tail = f->code->operands.data() + pc->tail_begin;
    for (uint32_t i = 0; i < pc->tail_count; ++i)
      if (compiling_pays(operand(r, k, tail[i]), limit)) return nullptr;
  }
  return push_plain<kMethod, kOne>(compiled.function, pc, r, k, f, in);
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

inline Frame* return_plain(Op* pc, Value* r, const Value* k, Frame* f, Interpreter* in) {
  Frame* caller = f->caller;
  // A register dies with its frame, so its value need not be counted anew.
  Value value;
  if (pc->a >= 0)
    value.swap(r[pc->a]);
  else
    value = k[~pc->a];
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

}  // namespace glint::runtime
#pragma clang attribute pop
