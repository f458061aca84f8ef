// How control moves between frames: a loop run from C++, results delivered, exceptions unwound.
#include <new>

#include <fmt/format.h>

#include "core/support/check.h"
#include "core/support/interruption.h"
#include "core/tensor/allocator.h"
#include "ops/op.h"
#include "runtime/interpreter/attributes.h"
#include "runtime/interpreter/machine.h"
#include "runtime/interpreter/recursion.h"

namespace glint::runtime {

using program::Opcode;

// ---- Runs --------------------------------------------------------------------------------------

/// Enters the handlers; they leave it by a plain return. A function of its own, and a plain one: a
/// handler keeps no register of its caller's, so the caller must not live off a base pointer, which
/// the address sanitizer's frames do.
[[gnu::noinline, clang::no_sanitize("address")]] static void enter(Interpreter& in, Frame* frame) {
  frame->pc->handler(frame->pc, frame->registers, frame->code->constants.data(), frame, &in);
}

RunEnd Machine::run(Interpreter& in, Frame* frame) {
  AtWork script(in.tracer_, nullptr);
  if (!stack_has_room()) [[unlikely]] {
    in.raise("RecursionError", "maximum recursion depth exceeded");
    frame = unwind(in);
  }
  while (frame) {
    try {
      enter(in, frame);
      frame = nullptr;
    } catch (const ops::OpError& error) {
      // Of a native that reads or writes a device's memory.
      in.raise(error.exception, error.message);
      frame = unwind(in);
    } catch (const interruption::Interrupted&) {
      // Of a native that compiles for a device, or waits for one.
      if (!in.raise_interrupt()) in.raise("KeyboardInterrupt", "");
      frame = unwind(in);
    } catch (const TensorMemoryError& error) {
      in.raise("RuntimeError", error.what());
      frame = unwind(in);
    } catch (const std::bad_alloc&) {
      in.raise("MemoryError", "");
      frame = unwind(in);
    } catch (const std::length_error&) {
      in.raise("MemoryError", "");
      frame = unwind(in);
    } catch (const InternalError& error) {
      // A fault of a native or an operator ends the script as an exception does, not the process.
      in.raise("RuntimeError", fmt::format("internal error of glint: {}", error.what()));
      frame = unwind(in);
    }
  }
  return in.run_end_;
}

/// What a call from C++ gives. Where the tracer stopped below it, the call is undone and the stop
/// goes on to the instruction that began it.
Value Machine::nested_result(Interpreter& in, RunEnd end, Frame* base) {
  if (end == RunEnd::kStopped) {
    in.drop_frames(base);
    in.stop_requested_ = true;
  }
  return end == RunEnd::kReturned ? std::move(in.result_) : Value();
}

/// A frame, which ends the loop, for a script's function that takes just these arguments. Null, and
/// nothing raised: the call needs more than that.
Frame* Machine::push_plain(Interpreter& in, const Value& callable, const Arguments& arguments) {
  auto* function = callable.try_as<FunctionObject>();
  if (!function || !function->prepared || in.tracer_ || arguments.keyword_count > 0) return nullptr;
  FunctionCode& code = *function->prepared;
  if (!code.plain || code.positional != arguments.count) return nullptr;
  if (attention.load(std::memory_order_relaxed) & kAttendInterrupt) return nullptr;
  Frame* frame =
      push(in, code, function, function->globals.get(), {in.frame_, Continuation::kExit, 0});
  if (!frame) return nullptr;
  for (size_t i = 0; i < arguments.count; ++i) frame->registers[i] = arguments.values[i];
  return frame;
}

/// A compiled function is entered without a frame that waits for it: nothing traces the call, and
/// nobody interrupted.
bool Machine::is_at_once(Interpreter& in, const Arguments& arguments) {
  return in.region_runner_ && !in.tracer_ && arguments.keyword_count == 0 &&
         (attention.load(std::memory_order_relaxed) & kAttendInterrupt) == 0;
}

/// A frame that only waits: what is called below it returns to it, and it to C++.
Frame* Machine::push_waiting(Interpreter& in) {
  struct Wait : Resumable {
    Step resume(Interpreter&, Value value) override { return done(std::move(value)); }
  };
  return push_native(in, std::make_unique<Wait>(), {in.frame_, Continuation::kExit, 0});
}

Value Machine::nested(Interpreter& in, const Value& callable, const Arguments& arguments) {
  if (auto* native = callable.try_as<NativeFunctionObject>()) {
    Value value = run_native(in, *native, nullptr, arguments);
    if (value.defined() || !in.begun_) return value;
    Frame* frame = push_native(in, std::move(in.begun_), {in.frame_, Continuation::kExit, 0});
    if (!frame) return Value();
    Frame* bottom = frame;
    frame = drive(in, *frame, Value());
    return nested_result(in, frame ? run(in, frame) : in.run_end_, bottom);
  }
  if (auto* compiled = callable.try_as<CompiledFunctionObject>();
      compiled && is_at_once(in, arguments)) {
    // As fast as the same call in a script (op_call_compiled): `:bench` times calls from here.
    Ref<CompiledFunctionObject> held(compiled);
    if (runs_eagerly(*held, arguments)) return nested(in, held->function, arguments);
    return in.region_runner_->enter(in, *held, {arguments.values, arguments.count}, {});
  }
  bool raised_before = in.raised();
  if (Frame* frame = push_plain(in, callable, arguments))
    return nested_result(in, run(in, frame), frame);
  if (in.raised() && !raised_before) return Value();
  Frame* base = push_waiting(in);
  if (!base) return Value();
  Frame* frame = call(in, callable, arguments, {base, Continuation::kNative, 0});
  return nested_result(in, frame ? run(in, frame) : in.run_end_, base);
}

Value Machine::instantiate(Interpreter& in, ClassObject& cls, const Arguments& arguments) {
  Frame* base = push_waiting(in);
  if (!base) return Value();
  Frame* frame = construct(in, cls, arguments, {base, Continuation::kNative, 0});
  return nested_result(in, frame ? run(in, frame) : in.run_end_, base);
}

// ---- Results -----------------------------------------------------------------------------------

/// `__init__` gave something else than None.
static void bad_init(Interpreter& in, const Value& value) {
  in.raise("TypeError", "__init__() should return None, not '" + type_name(value) + "'");
}

Frame* Machine::return_value(Interpreter& in, Frame& frame, Value value) {
  Receiver receiver{frame.caller, frame.then, frame.result_register};
  if (frame.generator) {
    pop(in, &frame);
    return generator_ended(in, receiver, std::move(value));
  }
  switch (frame.then) {
    case Continuation::kInit: {
      bool none = value.is_none();
      Value made = std::move(frame.owned);
      pop(in, &frame);
      if (!none) {
        bad_init(in, value);
        return unwind(in);
      }
      receiver.then =
          static_cast<Continuation>(receiver.frame ? Continuation::kStore : Continuation::kExit);
      if (receiver.frame && !receiver.frame->code) receiver.then = Continuation::kNative;
      return deliver(in, receiver, std::move(made));
    }
    case Continuation::kClassBody: {
      Ref<DictObject> names(frame.owned.as<DictObject>());
      Ref<CellObject> class_cell;
      const auto& cells = frame.code->program->cells;
      for (size_t i = 0; i < cells.size(); ++i) {
        if (!cells[i].is_free && cells[i].name == "__class__") class_cell = frame.cells[i];
      }
      pop(in, &frame);
      Frame& maker = *receiver.frame;
      Op& op = *maker.pc;
      const Value* k = maker.code->constants.data();
      std::vector<Value> bases;
      std::vector<std::pair<StrObject*, Value>> keywords;
      const int32_t* tail = maker.code->operands.data() + op.tail_begin;
      size_t positional = static_cast<size_t>(op.tail_count - op.keyword_count);
      for (size_t i = 0; i < op.tail_count; ++i) {
        const Value& item = operand(maker.registers, k, tail[i]);
        if (i < positional) {
          bases.push_back(item);
        } else {
          const Value& names_tuple = operand(maker.registers, k, op.keywords);
          keywords.emplace_back(
              names_tuple.as<TupleObject>()->items[i - positional].as<StrObject>(), item);
        }
      }
      Value made =
          build_class(in, operand(maker.registers, k, op.a), bases, keywords, std::move(names));
      if (made.is_undefined()) return unwind(in);
      if (class_cell) class_cell->value = made;
      return store(maker, op, std::move(made));
    }
    default:
      pop(in, &frame);
      return deliver(in, receiver, std::move(value));
  }
}

Frame* Machine::deliver(Interpreter& in, Receiver receiver, Value value) {
  Frame* frame = receiver.frame;
  switch (receiver.then) {
    case Continuation::kStore:
      if (!frame->code) return hand_to_native(in, *frame, std::move(value));
      frame->registers[receiver.result_register].swap(value);
      return advance(*frame);
    case Continuation::kDiscard:
      return advance(*frame);
    case Continuation::kExit:
      in.result_ = std::move(value);
      in.run_end_ = RunEnd::kReturned;
      return nullptr;
    case Continuation::kNative:
      return hand_to_native(in, *frame, std::move(value));
    case Continuation::kBranch: {
      if (!value.is_bool()) {
        in.raise("TypeError", "__bool__ should return bool, returned " + type_name(value));
        return unwind(in);
      }
      Op& op = *frame->pc;
      if (op.opcode == Opcode::kNot) return store(*frame, op, Value(!value.as_bool()));
      bool jumps = value.as_bool() == (op.opcode == Opcode::kJumpIfTrue);
      return jumps ? jump(*frame, op.immediate) : advance(*frame);
    }
    case Continuation::kTruth:
    case Continuation::kNotTruth: {
      int yes = truth(in, value);
      if (yes < 0) return unwind(in);
      bool wanted = receiver.then == Continuation::kTruth;
      return store(*frame, *frame->pc, Value((yes == 1) == wanted));
    }
    case Continuation::kBinary:
    case Continuation::kCompare: {
      Op& op = *frame->pc;
      if (value.is_not_implemented()) {
        const Value* k = frame->code->constants.data();
        Value a = operand(frame->registers, k, op.a), b = operand(frame->registers, k, op.b);
        value = receiver.then == Continuation::kBinary ? binary(in, op.opcode, a, b)
                                                       : compare(in, op.opcode, a, b);
        if (value.is_undefined()) return unwind(in);
      }
      return store(*frame, op, std::move(value));
    }
    case Continuation::kNext:
      return store(*frame, *frame->pc, std::move(value));
    case Continuation::kInit:
    case Continuation::kGenerator:
    case Continuation::kClassBody:
      break;
  }
  fail("a result that nobody waits for");
}

/// A native that has asked for this value. If `drive` is just making the call, it takes the value
/// from there: `sorted(items, key=str)` must not recurse once an item.
Frame* Machine::hand_to_native(Interpreter& in, Frame& native, Value value) {
  if (in.driving_ != &native) return drive(in, native, std::move(value));
  in.driven_ = std::move(value);
  return &native;
}

Frame* Machine::drive(Interpreter& in, Frame& native, Value value) {
  Frame* frame = &native;
  // What was asked for, or the frame that is to run until it comes.
  auto ask = [&](auto&& request) {
    Frame* outer = std::exchange(in.driving_, frame);
    Frame* next = request(Receiver{frame, Continuation::kNative, 0});
    in.driving_ = outer;
    if (next == frame) value = std::move(in.driven_);
    return next;
  };
  in.frame_ = frame;
  for (;;) {
    Resumable& state = *frame->resumable;
    switch (state.resume(in, std::exchange(value, Value()))) {
      case Resumable::Step::kDone: {
        Value result = std::move(state.result);
        Receiver receiver{frame->caller, frame->then, frame->result_register};
        pop(in, frame);
        return deliver(in, receiver, std::move(result));
      }
      case Resumable::Step::kCall: {
        Value callable = std::move(state.callable);
        // A script's function has its parameters before anything can end this frame.
        std::vector<Value> values;
        if (!callable.is<FunctionObject>()) values.swap(state.arguments);
        const std::vector<Value>& row = values.empty() ? state.arguments : values;
        Arguments arguments{row.data(), row.size()};
        if (auto* plain = callable.try_as<NativeFunctionObject>()) {
          value = run_native(in, *plain, nullptr, arguments);
          if (value.defined()) continue;
          if (!in.begun_) return unwind(in);
          frame = push_native(in, std::move(in.begun_), {frame, Continuation::kNative, 0});
          if (!frame) return unwind(in);
          continue;
        }
        Frame* next = ask([&](Receiver back) { return call(in, callable, arguments, back); });
        if (next != frame) return next;
        continue;
      }
      case Resumable::Step::kNext: {
        Value iterator = std::move(state.callable);
        if (auto* generator = iterator.try_as<GeneratorObject>()) {
          Frame* next =
              ask([&](Receiver back) { return resume(in, *generator, Value::none(), back); });
          if (next != frame) return next;
          continue;
        }
        value = next_item(in, iterator);
        if (value.is_undefined() && in.raised()) return unwind(in);
        continue;
      }
      case Resumable::Step::kRaised:
        return unwind(in);
    }
  }
}

// ---- Exceptions --------------------------------------------------------------------------------

/// A handler of the frame's code for the instruction at work, or null.
static const program::Handler* find_handler(const Frame& frame, uint32_t pc) {
  for (const auto& handler : frame.code->program->handlers) {
    if (pc >= handler.begin && pc < handler.end) return &handler;
  }
  return nullptr;
}

/// StopIteration that leaves a generator by accident is a RuntimeError.
static void convert_stop_iteration(Interpreter& in) {
  Ref<ExceptionObject> stop = in.take_pending();
  Ref<ExceptionObject> error =
      in.new_exception_object("RuntimeError", "generator raised StopIteration");
  error->cause = Value(stop);
  error->context = Value(stop);
  error->suppress_context = true;
  in.raise(std::move(error));
}

/// What the instruction at work sought, where it reads an attribute. A call of a method is told
/// nothing by a plain class's getters, as in CPython.
static void note_attribute(Interpreter& in, Frame& frame, const Op& op) {
  if (op.opcode != Opcode::kAttribute && op.opcode != Opcode::kMethod) return;
  const Value& object = operand(frame.registers, frame.code->constants.data(), op.a);
  if (object.is_undefined()) return;
  if (op.opcode == Opcode::kMethod && object.is<InstanceObject>()) {
    ClassObject& cls = *class_of(object);
    const Value& first = cls.special(Special::kGetAttribute);
    bool generic = first.is_undefined() || first.is<NativeFunctionObject>();
    if (generic && cls.special(Special::kGetAttr).is_undefined()) return;
  }
  note_search(in, object, frame.code->names[op.immediate]);
}

Frame* Machine::unwind(Interpreter& in) {
  if (in.stop_requested_) {
    in.stop_requested_ = false;
    in.run_end_ = RunEnd::kStopped;
    return nullptr;
  }
  // A native that fails without a word is a fault of ours, but no reason to crash.
  if (!in.pending_.is<ExceptionObject>())
    in.raise("SystemError", "a native function gave no value and raised nothing");
  for (;;) {
    Frame* frame = in.frame_;
    if (frame->code) {
      auto pc = static_cast<uint32_t>(frame_index(*frame));
      auto* exception = in.pending_.as<ExceptionObject>();
      if (!in.reraising_) exception->traceback.push_back({frame->code->program, pc});
      in.reraising_ = false;
      note_attribute(in, *frame, *frame->pc);
      if (const auto* handler = find_handler(*frame, pc)) {
        size_t around = frame->handled_base + handler->depth;
        if (in.handled_.size() > around) in.handled_.resize(around);
        in.handled_.push_back(in.pending_);
        frame->registers[handler->exception] = std::move(in.pending_);
        in.pending_ = Value();
        for (const uint32_t each : frame->code->abandoned_by(*handler))
          frame->registers[each] = Value();
        if (in.tracer_) in.tracer_->caught(*frame, handler->exception);
        return jump(*frame, handler->target);
      }
    } else if (frame->resumable->catches(in)) {
      return drive(in, *frame, Value());
    }
    Receiver receiver{frame->caller, frame->then, frame->result_register};
    bool generator = frame->generator != nullptr;
    Value pending = std::move(in.pending_);  // destructors must not see it
    pop(in, frame);
    in.pending_ = std::move(pending);
    if (generator && in.pending_is("StopIteration")) convert_stop_iteration(in);
    if (receiver.then == Continuation::kExit) {
      in.run_end_ = RunEnd::kRaised;
      return nullptr;
    }
    if (receiver.then == Continuation::kNext && in.clear_stop_iteration()) {
      return jump(*receiver.frame, receiver.frame->pc->immediate);
    }
  }
}

Frame* Machine::attend(Interpreter& in, Frame& frame) {
  uint32_t bits = attention.exchange(0);
  if (bits & kAttendCollect) collect_cycles();
  if (bits & kAttendInterrupt) {
    interruption::take_back();
    in.raise("KeyboardInterrupt", "");
    return unwind(in);
  }
  return &frame;
}

}  // namespace glint::runtime
