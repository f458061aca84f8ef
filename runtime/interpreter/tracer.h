// The seam between the interpreter and capture.
//
// The interpreter knows nothing of graphs. While a tracer is active, it asks before each
// instruction, tells of frames that come, lets the tracer take over tensor operators, and
// says so when somebody needs the data of a pending tensor. A compiled function's call goes to the
// region runner.
//
//     interpreter.set_tracer(&tracer);
//     Value result = interpreter.run_frames(base);   // tracer.step(frame, pc) before each one
//     interpreter.set_tracer(nullptr);
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/tensor/tensor.h"
#include "ir/tensor_type.h"
#include "runtime/interpreter/frame.h"
#include "runtime/interpreter/native.h"

namespace glint::ops {
struct OpEntry;
}

namespace glint::autograd {
class Node;
}

namespace glint::runtime {

/// An active trace. All calls come from the thread that runs the script.
class Tracer {
 public:
  enum class Step : uint8_t {
    kRun,   ///< run the instruction normally
    kDone,  ///< the tracer performed it: result written and `frame.pc` set by `jump_to`
    kStop,  ///< leave the loop before this instruction; `Interpreter::run_frames` returns kStopped
    kRaise  ///< the tracer set a pending exception
  };
  virtual ~Tracer() = default;

  /// Before instruction number `pc` of `frame`.
  virtual Step step(Frame& frame, uint32_t pc) = 0;
  /// A frame was pushed; its registers are filled.
  virtual void pushed(Frame& frame) {}
  /// An instruction of `frame` raised, without writing its results; a handler of the same frame
  /// goes on, and the exception is in register `exception`.
  virtual void caught(Frame& frame, uint32_t exception) {}
  /// Before a native runs. False: it must not run inside the trace, the loop stops before the
  /// instruction that calls it.
  virtual bool entering_native(const NativeFunctionObject& native, const Value* arguments,
                               size_t count) {
    return true;
  }
  /// A tensor operator. True: the tracer performed it and filled `results`.
  virtual bool call_operator(const ops::OpEntry& entry, std::span<const Value> arguments,
                             std::vector<Value>& results) = 0;
  /// The data of a tensor, pending or not, is needed now (`item`, `bool`, `print`). True: the data
  /// is there, and may be looked at; false: it cannot be had inside the trace, the loop stops
  /// before the instruction at work.
  virtual bool demand_value(const Tensor& tensor) = 0;
  /// A native takes the number or the tensor out of a value of the library's `numpy`, where no
  /// guard would see it. False: the loop stops before the instruction at work.
  virtual bool opens_numpy_value() { return true; }
  /// Whether what is written is known to be no memory of what is read, one of them pending. False:
  /// eager execution finds out, the loop stops before the instruction at work.
  virtual bool lie_apart(const Tensor& written, const Tensor& read) { return true; }
  /// What the tracer knows of a tensor beyond its sizes of now; nothing: no more than that.
  virtual std::optional<TensorType> type(const Tensor& tensor) { return std::nullopt; }
  /// The size that a value of the tracer's own stands for, and the other way round.
  virtual std::optional<SymInt> size_of(const Value& value) { return std::nullopt; }
  virtual Value value_of_size(SymInt size) { return Value(size.hint()); }
  /// The items of a list or tuple go into a call that is recorded, which knows no more where they
  /// came from. False: the tracer stops before that.
  virtual bool reads_items(const Value& container) { return true; }
  /// What stands for a number of the tracer's own on the tape, where an operator takes it at this
  /// place: a tensor without dimensions whose type is a number's; and the other way round.
  virtual Tensor number_of(const ops::OpEntry& entry, size_t place,
                           std::span<const Value> arguments) {
    return Tensor();
  }
  virtual Value value_of_number(const Tensor& tensor) { return Value(); }
  /// The value that anybody knows in place of one of the tracer's own, which then stays what it is.
  virtual Value plain(const Value& value) { return value; }
  /// The native at work gets a value from the script: an item, or what a function returned. The
  /// value as that native takes it.
  virtual Value handed(const NativeFunctionObject& native, const Value& value) { return value; }
  /// Until the next call, operators run for the derivative of this node's call; null: no longer.
  virtual void differentiating(const autograd::Node* node) {}
  /// What happens next depends on `torch.autocast`.
  virtual void note_autocast() {}
  /// A tensor of the script's own numbers (`x[[0, 2]]`) was made: what stands for it.
  virtual Tensor literal(const Tensor& made) { return made; }
  /// The size along a dimension as an operator's argument: a number, or what stands for it.
  virtual Value size_along(const Tensor& tensor, size_t dim) { return Value(tensor.sizes()[dim]); }
  /// Whether a native may end the run before the instruction at work, which is then run otherwise.
  virtual bool may_be_stopped() const { return true; }
  /// Whether compiled functions that are called meanwhile run compiled, as they would outside.
  virtual bool lets_regions_run() const { return false; }

  /// The native that the interpreter runs; null: the script, perhaps called by a native.
  const NativeFunctionObject* native_at_work = nullptr;
};

/// What is at work while it lives; there may be no tracer to know it.
class AtWork {
 public:
  AtWork(Tracer* tracer, const NativeFunctionObject* native) : tracer_(tracer) {
    if (tracer_) before_ = std::exchange(tracer_->native_at_work, native);
  }
  ~AtWork() {
    if (tracer_) tracer_->native_at_work = before_;
  }
  AtWork(const AtWork&) = delete;
  AtWork& operator=(const AtWork&) = delete;

 private:
  Tracer* tracer_;
  const NativeFunctionObject* before_ = nullptr;
};

/// A number of the tracer's own, which no native can read.
inline bool is_traced_number(const Value& value) {
  return value.is(kSymIntKind) || value.is(kSymFloatKind);
}
/// The number that it is in the call at work; other values as they are.
inline Value settled(Tracer* tracer, const Value& value) {
  return tracer && is_traced_number(value) ? tracer->plain(value) : value;
}
/// A value on its way to the native at work, if one is.
inline Value handed_on(Tracer* tracer, Value value) {
  bool to_native = tracer && tracer->native_at_work && value.is_object();
  return to_native ? tracer->handed(*tracer->native_at_work, value) : value;
}

/// Runs compiled functions; the session sets the one that capture implements.
class RegionRunner {
 public:
  virtual ~RegionRunner() = default;
  /// The call of a compiled function. Gives undefined when an exception is pending.
  virtual Value enter(Interpreter& interpreter, CompiledFunctionObject& function,
                      std::span<const Value> positional,
                      std::span<const std::pair<StrObject*, Value>> keywords) = 0;
  /// The call of a function while every call is compiled (`Interpreter::set_compiles_calls`).
  virtual Value enter(Interpreter& interpreter, FunctionObject& function,
                      std::span<const Value> positional,
                      std::span<const std::pair<StrObject*, Value>> keywords) = 0;
};

}  // namespace glint::runtime
