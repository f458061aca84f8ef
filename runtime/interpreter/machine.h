// The inside of the interpreter: frames pushed and popped, results delivered, exceptions unwound.
//
// A slow instruction is a function `Frame* (Interpreter&, Frame&, Op&)`. It gives the frame at
// which execution goes on, that frame's `pc` being the next instruction; null leaves the loop.
//
//     Frame* Machine::negative(...) {
//       Value result = unary(in, ...);
//       if (result.is_undefined()) return unwind(in);
//       return store(frame, op, std::move(result));      // and on with the next instruction
//     }
#pragma once

#include <span>
#include <utility>

#include "runtime/interpreter/interpreter.h"
#include "runtime/interpreter/prepared.h"
#include "runtime/interpreter/protocol.h"

namespace glint::runtime {

/// A call's arguments, borrowed: positional ones, then keyword ones named by `names`.
struct Arguments {
  const Value* values = nullptr;
  size_t count = 0;  ///< positional
  StrObject* const* names = nullptr;
  size_t keyword_count = 0;
};

/// Where a call's result goes.
struct Receiver {
  Frame* frame = nullptr;  ///< the caller; null: nobody below this loop
  Continuation then = Continuation::kStore;
  uint32_t result_register = 0;
};

inline const Value& operand(const Value* r, const Value* k, int32_t index) {
  return index >= 0 ? r[index] : k[~index];
}

struct Machine {
  // ---- Frames (frames.cpp) ----
  /// A frame for a call of `code`, registers undefined, cells empty; null if it raised.
  static Frame* push(Interpreter& in, FunctionCode& code, FunctionObject* function,
                     DictObject* globals, Receiver receiver);
  static void pop(Interpreter& in, Frame* frame);
  /// `push` and `pop` of a plain script call, inlined into its handlers. Null: take the long way.
  static Frame* push_fast(Interpreter& in, FunctionCode& code, FunctionObject* function,
                          Frame* caller, uint32_t result_register, uint32_t filled, bool borrowed);
  static bool pop_fast(Interpreter& in, Frame* frame);
  /// `pop` of a plain call that borrows its function and has neither cells nor handlers.
  static void drop_fast(Interpreter& in, Frame* frame);
  static void release_registers(Frame& frame);
  static void destroy_frame(Frame* frame);
  static void fill_free_cells(Frame& frame, FunctionObject& function);
  static Frame* generator_frame(Interpreter& in, Frame* frame);
  /// A frame for a native that calls back.
  static Frame* push_native(Interpreter& in, std::unique_ptr<Resumable> state, Receiver receiver);
  static size_t frame_index(const Frame& frame) {
    return static_cast<size_t>(frame.pc - frame.code->code(frame.traced));
  }

  // ---- The loop (dispatch.cpp, loop.cpp) ----
  /// Runs from `frame` until a frame with kExit ends.
  static RunEnd run(Interpreter& in, Frame* frame);
  /// A call from C++ that runs to its end; undefined if it raised.
  static Value nested_result(Interpreter& in, RunEnd end, Frame* base);
  static Frame* push_waiting(Interpreter& in);
  static Value nested(Interpreter& in, const Value& callable, const Arguments& arguments);
  /// Whether compiling does not pay for a call with tensors as small as these.
  static bool runs_eagerly(const CompiledFunctionObject& compiled, const Arguments& arguments);
  static bool is_at_once(Interpreter& in, const Arguments& arguments);
  static Frame* push_plain(Interpreter& in, const Value& callable, const Arguments& arguments);
  static Frame* advance(Frame& frame) {
    ++frame.pc;
    return &frame;
  }
  static Frame* store(Frame& frame, Op& op, Value value) {
    frame.registers[op.result].swap(value);
    return advance(frame);
  }
  /// A frame ended with this value: pops it and delivers.
  static Frame* return_value(Interpreter& in, Frame& frame, Value value);
  /// Hands a call's result to whoever waits.
  static Frame* deliver(Interpreter& in, Receiver receiver, Value value);
  static Frame* drive(Interpreter& in, Frame& native, Value value);
  static Frame* hand_to_native(Interpreter& in, Frame& native, Value value);
  /// An exception is pending: finds its handler, popping frames.
  static Frame* unwind(Interpreter& in);
  /// Ctrl-C or a collection; null: go on as if nothing had been.
  static Frame* attend(Interpreter& in, Frame& frame);
  static Frame* jump(Frame& frame, uint32_t target) {
    frame.pc = frame.code->code(frame.traced) + target;
    return &frame;
  }

  // ---- Calls (calls.cpp) ----
  static Frame* call(Interpreter& in, const Value& callable, const Arguments& arguments,
                     Receiver receiver);
  static Frame* call_function(Interpreter& in, FunctionObject& function, const Arguments& arguments,
                              Receiver receiver);
  /// Runs a native; undefined if it raised, or if it began a resumable (`in.begun_`).
  static Value run_native(Interpreter& in, NativeFunctionObject& native, const Value* self,
                          const Arguments& arguments);
  /// `type.__call__`: an instance, whatever the metaclass makes of a call.
  static Value instantiate(Interpreter& in, ClassObject& cls, const Arguments& arguments);
  static Frame* construct(Interpreter& in, ClassObject& cls, const Arguments& arguments,
                          Receiver receiver);
  static bool bind(Interpreter& in, FunctionCode& code, FunctionObject& function,
                   const Arguments& arguments, Value* registers);
  static Frame* op_call(Interpreter& in, Frame& frame, Op& op);
  /// Of a native, without keywords.
  static Frame* op_call_native(Interpreter& in, Frame& frame, Op& op);
  /// Of what `torch.compile` made, without keywords.
  static Frame* op_call_compiled(Interpreter& in, Frame& frame, Op& op);
  static Frame* op_call_unpacked(Interpreter& in, Frame& frame, Op& op);

  // ---- Generators (generators.cpp) ----
  static Frame* resume(Interpreter& in, GeneratorObject& generator, Value sent, Receiver receiver);
  /// Puts a generator's frame on top of the running ones.
  static void link(Interpreter& in, GeneratorObject& generator, Receiver receiver);
  static Frame* op_yield(Interpreter& in, Frame& frame, Op& op);
  static Frame* op_yield_from(Interpreter& in, Frame& frame, Op& op);
  static Frame* hand_out(Interpreter& in, Frame& generator_frame, Value value);
  static Frame* generator_ended(Interpreter& in, Receiver receiver, Value value);
  /// For C++: the next value, undefined at the end (`in.stop_value_`) or if it raised.
  static Value resume_nested(Interpreter& in, GeneratorObject& generator, Value sent);
  /// Runs an instance's `__del__`.
  static void finalise(Interpreter& in, InstanceObject& instance);
  /// Calls what an object's death asks for, wherever the interpreter is; what it raises is printed.
  static void call_aside(Interpreter& in, const Value& callable, const Value& argument);
  static void close_quietly(Interpreter& in, GeneratorObject& generator);
  static Value throw_into(Interpreter& in, GeneratorObject& generator,
                          Ref<ExceptionObject> exception);

  // ---- Instructions with a frame to push (instructions.cpp) ----
  static Frame* op_binary(Interpreter& in, Frame& frame, Op& op);
  static Frame* op_compare(Interpreter& in, Frame& frame, Op& op);
  static Frame* op_unary(Interpreter& in, Frame& frame, Op& op);
  static Frame* op_not(Interpreter& in, Frame& frame, Op& op);
  static Frame* op_branch(Interpreter& in, Frame& frame, Op& op);
  static Frame* op_contains(Interpreter& in, Frame& frame, Op& op);
  static Frame* op_attribute(Interpreter& in, Frame& frame, Op& op);
  static Frame* op_method(Interpreter& in, Frame& frame, Op& op);
  static Frame* op_traced_method(Interpreter& in, Frame& frame, Op& op);
  static Frame* op_set_attribute(Interpreter& in, Frame& frame, Op& op);
  static Frame* op_item(Interpreter& in, Frame& frame, Op& op);
  static Frame* op_set_item(Interpreter& in, Frame& frame, Op& op);
  static Frame* op_iterator(Interpreter& in, Frame& frame, Op& op);
  static Frame* op_next(Interpreter& in, Frame& frame, Op& op);
  /// With the `unpack` into two registers behind it (`find_pair` of the dispatch).
  static Frame* op_next_pair(Interpreter& in, Frame& frame, Op& op);
  static Frame* op_class(Interpreter& in, Frame& frame, Op& op);
  static Frame* op_enter_context(Interpreter& in, Frame& frame, Op& op);
  static Frame* op_exit_context(Interpreter& in, Frame& frame, Op& op);
  static Frame* op_raise(Interpreter& in, Frame& frame, Op& op);
  static Frame* op_reraise(Interpreter& in, Frame& frame, Op& op);
  /// All others: does the work, false if it raised; control goes on at `frame.pc + 1`, or where the
  /// instruction moved it (jumps move to target - 1).
  static bool simple(Interpreter& in, Frame& frame, Op& op);
  static Frame* op_simple(Interpreter& in, Frame& frame, Op& op) {
    if (!simple(in, frame, op)) return unwind(in);
    return advance(frame);
  }
  /// What a class statement makes: what its metaclass says.
  static Value build_class(Interpreter& in, const Value& name, std::span<const Value> bases,
                           std::span<const std::pair<StrObject*, Value>> keywords,
                           Ref<DictObject> names);
  /// `type.__new__`: a new class, an instance of the metaclass.
  static Value make_class(Interpreter& in, ClassObject& metaclass, const Value& name,
                          std::span<const Value> bases,
                          std::span<const std::pair<StrObject*, Value>> keywords,
                          Ref<DictObject> names);
  /// Whether loading this attribute ran a script's getter: a frame, else null and `found`.
  static Frame* load_attribute(Interpreter& in, const Value& object, StrObject* name,
                               Receiver receiver, Value& found);

  // ---- State that other files of the interpreter need ----
  static Value& stop_value(Interpreter& in) { return in.stop_value_; }
  static std::unique_ptr<Resumable>& begun(Interpreter& in) { return in.begun_; }
  static uint32_t& native_depth(Interpreter& in) { return in.native_depth_; }
  static Tracer* tracer(Interpreter& in) { return in.tracer_; }
  static void request_stop(Interpreter& in) { in.stop_requested_ = true; }
  static std::vector<Value>& handled(Interpreter& in) { return in.handled_; }
};

[[gnu::always_inline]] inline Frame* Machine::push_fast(Interpreter& in, FunctionCode& code,
                                                        FunctionObject* function, Frame* caller,
                                                        uint32_t result_register, uint32_t filled,
                                                        bool borrowed) {
  char* memory = in.stack_top_;
  bool fits = static_cast<size_t>(in.stack_end_ - memory) >= code.frame_bytes;
  if (!fits || caller->depth >= in.recursion_limit_) return nullptr;
  in.stack_top_ = memory + code.frame_bytes;
  auto* registers = reinterpret_cast<Value*>(memory + sizeof(Frame));
  auto* frame = new (memory) Frame{.code = &code,
                                   .pc = code.first_op,
                                   .registers = registers,
                                   .caller = caller,
                                   .function = function,
                                   .globals = function->globals.get(),
                                   .result_register = result_register,
                                   .handled_base = static_cast<uint32_t>(in.handled_.size()),
                                   .depth = caller->depth + 1,
                                   .borrows_function = borrowed};
  if (!borrowed) function->retain();
  for (Value *at = registers + filled, *end = registers + code.register_count; at != end; ++at)
    at->clear();
  in.frame_ = frame;
  return frame;
}

[[gnu::always_inline]] inline bool Machine::pop_fast(Interpreter& in, Frame* frame) {
  if (in.handled_.size() != frame->handled_base || frame->code->cell_count != 0) return false;
  in.frame_ = frame->caller;
  Value* registers = frame->registers;
  for (Value *at = registers, *end = registers + frame->code->register_count; at != end; ++at)
    at->~Value();
  if (!frame->borrows_function) frame->function->release();
  in.stack_top_ = reinterpret_cast<char*>(frame);
  return true;
}

[[gnu::always_inline]] inline void Machine::drop_fast(Interpreter& in, Frame* frame) {
  in.frame_ = frame->caller;
  Value* at = frame->registers;
  for (Value* end = at + frame->code->register_count; at != end; ++at) at->~Value();
  in.stack_top_ = reinterpret_cast<char*>(frame);
}

/// Arguments in one row with a free place in front, borrowed from wherever they are. The values'
/// owners must outlive the call.
class Borrowed {
 public:
  explicit Borrowed(size_t count) {
    if (count + 1 > kInline) {
      heap_.resize((count + 1) * sizeof(Value));
      values_ = reinterpret_cast<Value*>(heap_.data());
    } else {
      values_ = reinterpret_cast<Value*>(inline_);
    }
  }
  void set(size_t index, const Value& value) {
    std::memcpy(static_cast<void*>(values_ + 1 + index), static_cast<const void*>(&value),
                sizeof(Value));
  }
  void set_self(const Value& value) {
    std::memcpy(static_cast<void*>(values_), static_cast<const void*>(&value), sizeof(Value));
  }
  const Value* begin() const { return values_ + 1; }
  const Value* with_self() const { return values_; }

 private:
  static constexpr size_t kInline = 10;
  alignas(Value) char inline_[kInline * sizeof(Value)];
  std::vector<char> heap_;
  Value* values_;
};

/// Whether an argument is too large for a call that runs eagerly up to `limit` elements.
inline bool compiling_pays(const Value& argument, int64_t limit) {
  return argument.is(kTensorKind) && argument.as<TensorImpl>()->numel > limit;
}

}  // namespace glint::runtime
