// What a trace knows of floats that may be any: the program that computes them, and which of its
// steps are floats from outside.
//
//     rate = lr / (1 - 0.9 ** step)     a symbolic float: a step, after those of `lr` and `step`
//
// Which instructions and calls give such floats is in trace_floats.cpp.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "runtime/capture/float_comparisons.h"
#include "runtime/capture/source.h"
#include "runtime/capture/symbolic_float.h"

namespace glint::capture {

struct TracedFloats {
  FloatProgram program;
  std::map<SourceId, uint32_t> of_source = {};  ///< steps
  std::set<SourceId> fixed = {};                ///< guarded to be what they are
  std::vector<FloatComparison> comparisons = {};

  /// A step's value as the script sees it.
  runtime::Value value(uint32_t step) const;
  /// Of each step up to this one: whether this one is made of it.
  std::vector<bool> needed_for(uint32_t step) const;
  /// The step that has a number's value, if it is one: a plain or symbolic int or float.
  std::optional<uint32_t> operand(const runtime::Value& number);
  /// The float that an operator or native gives for numbers, some of them symbolic; nothing where
  /// it gives no float, or raises.
  std::optional<runtime::Value> compute(runtime::Interpreter& interpreter, FloatStep step,
                                        std::span<const runtime::Value> operands);
  /// `min` or `max` of numbers, some of them symbolic; nothing where something else is among them.
  std::optional<runtime::Value> extreme(runtime::Interpreter& interpreter, FloatStep::Kind kind,
                                        std::span<const runtime::Value> numbers);
  /// `sum` of numbers, likewise.
  std::optional<runtime::Value> sum(runtime::Interpreter& interpreter,
                                    std::span<const runtime::Value> numbers);
  /// How a comparison of two steps comes out in this call; `added`: it is a new one, the last of
  /// `comparisons`.
  bool compare(runtime::Interpreter& interpreter, program::Opcode opcode, uint32_t left,
               uint32_t right, bool& added);
};

}  // namespace glint::capture
