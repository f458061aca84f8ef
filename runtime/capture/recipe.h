// The exit state of a region as recipes: how each live value is made again on a later hit.
//
//     return [y, x], 3        output 0; local x; list of the two; constant 3; tuple of both
//
// Values that the region computed are outputs of its graph, values from outside are found at their
// source, scalars are constants (the guards made sure of that), and containers, bound methods,
// cells, instances and iterators that the region made are made anew, shared parts once. A value
// that none of these describes cannot be carried across; the region is then not kept.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "backends/backend.h"
#include "core/tensor/tensor.h"
#include "runtime/capture/guard_program.h"
#include "runtime/capture/source.h"
#include "runtime/interpreter/object.h"

namespace glint::capture {

enum class RecipeKind : uint8_t {
  kConstant,
  kSource,
  kOutput,
  kSymbol,  ///< an int that is computed from the symbols
  kFloat,   ///< a float that the region's float program computes
  kList,
  kTuple,
  kNumber,  ///< of a script's subclass of int or float
  kSize,    ///< a `torch.Size`
  kSlice,
  kDict,  ///< keys and values alternate
  kSet,   ///< a set or frozenset
  kDictView,
  kBoundMethod,
  kFunction,  ///< a closure that the region made: its defaults, then its cells
  kCell,
  kInstance,  ///< class, then names and values alternate
  kRangeIterator,
  kListIterator,
  kTupleIterator,
  kTableIterator,  ///< over a dict or set: how many it gave, and what it gives
};

struct Recipe {
  RecipeKind kind = RecipeKind::kConstant;
  /// Of a list, tuple, dict, set or number of a class of its own: the class. Behind the
  /// `numbers[0]` items stand the names and values of its attributes.
  runtime::Value constant = {};
  SourceId source = SourceId::kNone;
  uint32_t output = 0;
  SymInt symbol = 0;
  /// Where `symbol` is one symbol and a number more: those two.
  std::optional<std::pair<uint32_t, int64_t>> shifted = {};
  uint32_t step = 0;  ///< of kFloat
  std::vector<uint32_t> parts = {};
  std::vector<uint32_t> slots = {};  ///< of kSet: where each element lies, of `numbers[2]` slots
  int64_t numbers[3] = {0, 0, 0};
};

/// A call of an operator, by the instruction that made it: instructions count from the region's
/// entry, those of the callees too, and the calls of one instruction from 0.
struct OperatorCall {
  uint32_t step = 0;
  uint32_t index = 0;
  bool operator==(const OperatorCall&) const = default;
};

/// An output that is there for what the operator does (a draw, a check): no variable need hold it.
struct EffectOutput {
  OperatorCall call;
  uint32_t output = 0;
};

/// An output of the graph that is the new value of an input, which in-place operators wrote.
struct InputUpdate {
  uint32_t output = 0;
  uint32_t input = 0;
  uint32_t writes = 0;  ///< how often: its version counts them
};

/// An output that is a view of an input or of another output: `_base` says so, as in eager.
struct OutputBase {
  uint32_t output = 0;
  bool of_input = false;
  uint32_t of = 0;  ///< the input's number, or the output's
  ViewOrigin origin = ViewOrigin::kRecorded;
  uint32_t writes = 0;  ///< of its memory, since it was made
};

/// Writes recipes for a region's live values.
class RecipeWriter {
 public:
  /// What the writer asks of the trace.
  struct Trace {
    virtual ~Trace() = default;
    /// The graph output that a pending tensor will be; nothing if the tensor is no part of it.
    virtual std::optional<uint32_t> output_of(const Tensor& tensor) = 0;
    /// Where an object from outside is found.
    virtual std::optional<SourceId> source_of(const runtime::Value& object) = 0;
    /// Whether a function was made by the region, and not found by it.
    virtual bool made_inside(const runtime::FunctionObject& function) = 0;
    virtual bool made_inside(const runtime::CellObject& cell) = 0;
  };
  explicit RecipeWriter(Trace& trace) : trace_(trace) {}

  /// The recipe's number; nothing (and `obstacle` says why) when the value cannot be carried.
  std::optional<uint32_t> write(const runtime::Value& value);
  /// What lies at a source at the entry.
  uint32_t write_source(SourceId source);
  std::vector<Recipe> take() { return std::move(recipes_); }
  const std::string& obstacle() const { return obstacle_; }

 private:
  std::optional<uint32_t> add(Recipe recipe, const runtime::Value& value);
  std::optional<uint32_t> write_object(const runtime::Value& value);
  /// What needs no parts: an output of the graph, an int from the symbols, a value from outside, an
  /// object that never changes; nothing for others.
  std::optional<uint32_t> write_known(const runtime::Value& value);
  std::optional<uint32_t> write_container(const runtime::Value& value);
  std::optional<uint32_t> write_set(const runtime::Value& value);
  /// A container of a class of its own.
  std::optional<uint32_t> write_subclassed(const runtime::Value& value);
  std::optional<uint32_t> write_instance(const runtime::Value& value);
  std::optional<uint32_t> write_iterator(const runtime::Value& value);
  /// Nothing; `obstacle` says what cannot be carried.
  std::optional<uint32_t> refuse(std::string obstacle);
  std::optional<uint32_t> write_function(runtime::FunctionObject& function);
  std::optional<uint32_t> write_parts(RecipeKind kind, const runtime::Value& value);

  Trace& trace_;
  std::vector<Recipe> recipes_;
  std::unordered_map<const RefCounted*, uint32_t> written_;
  std::string obstacle_;
  size_t depth_ = 0;
};

/// What an object is put together from, in the order in which its recipe has them as `parts`: of an
/// object of no such kind nothing.
std::vector<runtime::Value> parts_of(const runtime::Value& value);

/// Lets an output of a run be a view of its base, where the backend gave one of the same memory.
/// The memory has its version already.
void set_base(const OutputBase& base, std::span<const RunInput> inputs,
              std::span<const Tensor> outputs);

/// Makes all values of the recipes, in order.
void rebuild(std::span<const Recipe> recipes, const GuardProgram& guards,
             std::span<const Tensor> outputs, std::span<const int64_t> symbols,
             std::span<const runtime::Value> floats, std::vector<runtime::Value>& values);

}  // namespace glint::capture
