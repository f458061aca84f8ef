// A float that is an input of the region, as a value of the script while its region is traced; and
// the program that computes such floats again at each hit.
//
//     def f(x, lr, step):                          0  source lr
//         rate = lr / (1 - 0.9 ** step)            1  constant 1
//         return x * rate                          2  constant 0.9      3  symbol s0
//                                                  4  power 2, 3
//     multiply %x, %number                         5  subtract 1, 4     6  divide 0, 5
//
// Arithmetic on a SymFloatObject gives another one and a step. At a hit the steps run on the host,
// in order, by the interpreter's own functions, so that the numbers are those of eager execution to
// the bit. A step that would raise fails the run: the call then goes on eagerly, and raises there.
// A float that an operator takes is a parameter of the graph (`%lr: f64`), a number like those that
// a script writes beside a tensor; the run finds it in `RegionFloats::numbers`.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/program.h"
#include "ir/symbolic.h"
#include "runtime/capture/source.h"
#include "runtime/interpreter/object.h"

namespace glint::runtime {
class Interpreter;
}

namespace glint::capture {

class GuardProgram;

struct SymFloatObject final : runtime::Object {
  static constexpr ObjectKind kKind = runtime::kSymFloatKind;
  uint32_t step;
  /// Its value in the call that is traced: an int where an int is the least of several numbers.
  runtime::Value hint;
  SymFloatObject(uint32_t number, runtime::Value value)
      : Object(kKind), step(number), hint(std::move(value)) {}
};

struct FloatStep {
  enum class Kind : uint8_t {
    kConstant,
    kSource,    ///< a float from outside
    kSymbol,    ///< a symbolic int
    kOperator,  ///< `opcode` on one or two operands
    kToFloat,   ///< `float(n)`
    kToInt,     ///< `int(x)`
    kLeast,     ///< `min` of two; as in Python the operand itself, which may be an int
    kGreatest,
    kNative,  ///< the native function `constant` on its operands
  };
  static constexpr size_t kMostOperands = 3;

  Kind kind = Kind::kConstant;
  program::Opcode opcode = program::Opcode::kMove;
  uint8_t operand_count = 0;
  std::array<uint32_t, kMostOperands> operands = {};  ///< numbers of earlier steps
  runtime::Value constant = {};
  SourceId source = SourceId::kNone;
  SymInt symbol = 0;
  bool whole = false;  ///< of `kToInt` and `kNative`: it gives an int, as `math.floor` does

  bool operator==(const FloatStep& other) const;
  size_t hash() const;
};

/// Steps, each after those that it reads, and the value of each in the call that is traced.
class FloatProgram {
 public:
  /// The number of a step; an equal one is not repeated. `hint` is its value in this call.
  uint32_t add(const FloatStep& step, runtime::Value hint);
  /// A step that computes, if it gives what such a step gives at each hit.
  std::optional<uint32_t> compute(runtime::Interpreter& interpreter, const FloatStep& step);

  bool empty() const { return steps_.empty(); }
  const std::vector<FloatStep>& steps() const { return steps_; }
  const std::vector<runtime::Value>& hints() const { return hints_; }
  /// Whether the step gives a float at each hit; else it may be an int, or is one (`whole`).
  bool gives_float(uint32_t step) const;
  /// Marks what the marked steps are made of, too.
  void close(std::vector<bool>& steps) const;
  /// The marked steps and what they are made of, alone; `places`: where each step is among them.
  FloatProgram part(std::vector<bool> steps, std::vector<uint32_t>& places) const;
  /// As the script would have it: `step / 50.0`.
  std::string text(uint32_t step, const SourceTable& sources) const;

  /// Computes all steps for a call whose guards have passed; false where one would raise, or gives
  /// no number of its kind.
  bool run(runtime::Interpreter& interpreter, const GuardProgram& guards,
           std::span<const int64_t> symbols, std::vector<runtime::Value>& values) const;

 private:
  std::vector<FloatStep> steps_;
  std::vector<runtime::Value> hints_;
  std::unordered_multimap<size_t, uint32_t> by_hash_;
};

/// The floats of a region, and the scratch of a run.
struct RegionFloats {
  FloatProgram program;
  std::vector<uint32_t> inputs;        ///< the steps whose values the graph takes, in its order
  std::vector<runtime::Value> values;  ///< by step
  std::vector<double> numbers;         ///< by input

  /// Of the call that was traced.
  void start();
  /// Of a later call; see `FloatProgram::run`.
  bool fill(runtime::Interpreter& interpreter, const GuardProgram& guards,
            std::span<const int64_t> symbols);

 private:
  void fill_numbers();
};

}  // namespace glint::capture
