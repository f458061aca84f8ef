// Comparisons of floats that may be any: how they came out in the call that was traced is how they
// have to come out in the calls that the region serves.
//
//     rate = 0.1 if step / 50.0 < 1.0 else 0.01      outcome  step / 50.0 < 1.0   True
//     if epoch in (30, 60): ...                      outcome  epoch in (30, 60)   False
//
// A guard on an outcome is checked behind all others: the steps that its sides are made of are then
// computed from what those have found. So each way through the script is one region, whatever the
// numbers are, and a way that was taken before is found again.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "ir/program.h"
#include "runtime/capture/symbolic_float.h"

namespace glint::capture {

class GuardProgram;

/// Of two steps of a float program; of kIn, the right one is a constant tuple of numbers.
struct FloatComparison {
  program::Opcode opcode = program::Opcode::kLess;
  uint32_t left = 0, right = 0;
  bool outcome = false;  ///< in the call that is traced
};

/// How it comes out for these values of the steps; nothing where it raises.
std::optional<bool> comes_out(runtime::Interpreter& interpreter, const FloatComparison& comparison,
                              std::span<const runtime::Value> values);

class FloatComparisons {
 public:
  FloatComparisons(runtime::Interpreter& interpreter, const FloatProgram& program,
                   std::span<const FloatComparison> comparisons);

  /// Another call is checked from now on.
  void begin() { state_ = State::kUnknown; }
  /// Whether that comparison comes out as it did, for the values that `guards` has found. False
  /// where something that is compared cannot be computed.
  bool holds(size_t number, const GuardProgram& guards, std::span<const int64_t> symbols);

 private:
  enum class State : uint8_t { kUnknown, kComputed, kFailed };

  runtime::Interpreter& interpreter_;
  FloatProgram program_;  ///< only what is compared
  std::vector<FloatComparison> comparisons_;
  std::vector<runtime::Value> values_;  ///< by step
  State state_ = State::kUnknown;
};

}  // namespace glint::capture
