// What a trace knows of sizes and of other ints that vary: symbols, and the relations between them.
//
//     b, n = x.shape         s0, s1: symbols of the sizes of x
//     b * n + 1              s0*s1 + 1: computed here, and guarded to fit in 64 bits
//     if n > 4:              decided as this call has it; s1 > 4 is a relation, which is guarded
//
// Nothing here looks at frames or instructions: trace_sizes.cpp and trace_size_calls.cpp say which
// instructions and calls ask.
#pragma once

#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ir/graph.h"
#include "ir/program.h"
#include "ir/symbolic.h"
#include "runtime/capture/guard.h"
#include "runtime/capture/source.h"

namespace glint::capture {

class TracedSizes {
 public:
  /// `span` is where the instruction at work stands, from now on.
  explicit TracedSizes(const Span& span) : span_(span) {}

  ShapeEnvironment shapes;
  /// Equal sizes share a symbol.
  std::unordered_map<int64_t, SymInt> of_size = {};
  std::map<SourceId, SymInt> of_source = {};  ///< of ints from outside
  /// Of the tensors from outside.
  std::unordered_map<const TensorImpl*, std::vector<SymInt>> of_tensor = {};
  /// Of the same; empty: row by row.
  std::unordered_map<const TensorImpl*, std::vector<SymInt>> strides_of_tensor = {};

  /// A size as the script sees it: an int, or a symbolic one; a `torch.Size` of several.
  runtime::Value value(SymInt size);
  runtime::Value shape(const std::vector<SymInt>& sizes);
  /// Guards that the size stays what it is.
  void specialise(SymInt size);
  /// Whether the relation holds in this call, and so in those that its guard lets in.
  bool decide(Relation::Kind kind, SymInt left, SymInt right);
  /// Ints of the script under an operator; nothing: it needs plain ones.
  std::optional<SymInt> arithmetic(program::Opcode opcode, SymInt a, SymInt b);
  std::optional<bool> compare(program::Opcode opcode, const runtime::Value& left,
                              const runtime::Value& right);
  /// `min`, `max`, `sum`, `prod` of several.
  std::optional<runtime::Value> combine(std::string_view name,
                                        const std::vector<runtime::Value>& items);

  /// The relations decided since the last instruction belong to that.
  void note_relations();
  /// The relations become guards, and that what the script computed fits in 64 bits.
  void add_guards(const Graph& graph, std::vector<Guard>& guards);

 private:
  /// What the script computed, if it needs no more than 64 bits in this call; guards that it never
  /// does.
  std::optional<SymInt> fitting(SymInt result);
  void guard_magnitudes(const Graph& graph, std::vector<Guard>& guards);

  const Span& span_;
  /// Rules of gradients compute sizes too.
  ShapeEnvironment::Scope scope_{shapes};
  std::vector<Span> relation_spans_;  ///< where each relation was decided
  /// What the script computed on sizes, and where: see `fitting`.
  std::vector<std::pair<SymInt, Span>> computed_;
  std::unordered_set<uint64_t> computed_keys_;  ///< of those
};

}  // namespace glint::capture
