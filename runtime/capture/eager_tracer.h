// A tracer that changes nothing: operators run eagerly, and callees at full speed. Whoever derives
// from it says in `step` where the run stops.
//
//     EagerSteps (runner.cpp)            stops where a region may begin again
//     UntilExit (script_stretch.cpp)     stops where a region ended, in a callee too
#pragma once

#include <span>
#include <vector>

#include "runtime/interpreter/interpreter.h"
#include "runtime/interpreter/tracer.h"

namespace glint::capture {

class EagerTracer : public runtime::Tracer {
 public:
  explicit EagerTracer(runtime::Interpreter& interpreter) : interpreter_(interpreter) {}

  void pushed(runtime::Frame& frame) override {
    // What the instruction calls runs at full speed.
    uint32_t pc = frame.position();
    frame.traced = false;
    interpreter_.jump_to(frame, pc);
  }
  bool call_operator(const ops::OpEntry&, std::span<const runtime::Value>,
                     std::vector<runtime::Value>&) override {
    return false;
  }
  bool may_be_stopped() const override { return false; }
  bool demand_value(const Tensor& tensor) override { return !tensor.is_pending(); }

 protected:
  runtime::Interpreter& interpreter() { return interpreter_; }

 private:
  runtime::Interpreter& interpreter_;
};

}  // namespace glint::capture
