// Frames are data: where a function is, its registers, and what happens when it ends.
//
// A frame is a header followed by its registers, allocated from one stack of memory, so that a call
// is a bump of a pointer; a generator owns its frame on the heap. Nothing about a running script is
// in the C++ stack: capture can read a frame, build one, and continue at any (function, pc).
//
//     | Frame | r0 r1 r2 ... | Frame | r0 r1 ... |   -> free
//        caller <---------------- caller
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ir/program.h"
#include "runtime/interpreter/object.h"
#include "runtime/interpreter/value.h"

namespace glint::runtime {

struct Op;
class Resumable;

/// What is done with the value that a frame returns.
enum class Continuation : uint8_t {
  kStore,      ///< to the caller's `result_register`; the caller goes on at its pc
  kDiscard,    ///< a `__setattr__`, `__setitem__`: nobody wants it
  kExit,       ///< back to C++: `Interpreter::run` returns it
  kInit,       ///< `__init__`: must be None; the instance is in the result register already
  kGenerator,  ///< the frame is a generator's: its end is StopIteration for the receiver
  kNative,     ///< the caller is a native frame: it is resumed
  kBranch,     ///< a condition of the caller's instruction: truth decides where it goes on
  kTruth,      ///< stored as a bool (`__contains__`, `__eq__` under `in`)
  kNotTruth,   ///< stored as its negation
  kBinary,     ///< `__add__` and its like: NotImplemented tries the next method
  kCompare,    ///< `__lt__` and its like
  kNext,       ///< `__next__`: StopIteration ends the loop
  kClassBody,  ///< the namespace becomes a class
};

/// The part of a frame that is not registers.
struct Frame {
  FunctionCode* code = nullptr;  ///< null: a native frame
  Op* pc = nullptr;              ///< the instruction at work
  Value* registers = nullptr;
  Frame* caller = nullptr;
  FunctionObject* function = nullptr;  ///< counted, unless `borrows_function`
  /// Counted where there is no function that holds them.
  DictObject* globals = nullptr;
  uint32_t result_register = 0;
  uint32_t handled_base = 0;  ///< height of the stack of exceptions being handled, at its start
  uint32_t depth = 0;
  Continuation then = Continuation::kStore;
  uint8_t stage = 0;    ///< of a continuation with several steps
  bool traced = false;  ///< pc points into the traced copy of the instructions
  /// The register of the caller that the call named keeps the function alive.
  bool borrows_function = false;
  Ref<CellObject>* cells = nullptr;  ///< `code->cell_count` of them: own, then free
  Value owned = {};                  ///< what else must live as long: a namespace, an instance
  std::unique_ptr<Resumable> resumable = {};
  GeneratorObject* generator = nullptr;

  uint32_t register_count() const;
  const program::Code& program() const;
  /// The number of the instruction at work.
  uint32_t position() const;
};

/// A frame outside the stack: what capture keeps of one, and builds one from.
struct FrameSnapshot {
  Ref<FunctionObject> function;
  uint32_t pc = 0;
  std::vector<Value> registers;
  std::vector<Ref<CellObject>> cells;  ///< own, then free
  Value owned;                         ///< the namespace of a class body
  uint32_t result_register = 0;
  Continuation then = Continuation::kStore;
};

}  // namespace glint::runtime
