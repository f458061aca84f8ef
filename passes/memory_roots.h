// Whose memory a value shows: a parameter's, or that of the call that made it.
//
//     %t = t %x             root of %t: %x
//     %c = clone %x         root of %c: %c
//     %v = slice %c, 0, 2   root of %v: %c
//     %p = to %x, f32       root of %p: %x, which is f32
//
// The invariant of all passes: an output shares memory with an input, or with another output,
// exactly if eager's does. Eager's are the captured graph's roots, by the operator table
// (ops/sharing.h). A pass asks `MemoryRoots` before it replaces a value by another; the pipeline
// compares `output_roots` after every pass with those of the captured graph.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "core/support/result.h"
#include "ir/graph.h"
#include "ir/kernel.h"

namespace glint::passes {

/// Finds roots when asked; the graph may grow in between.
class MemoryRoots {
 public:
  explicit MemoryRoots(const Graph& graph) : graph_(graph) {}

  Value root(Value value);
  /// Whether some output of the graph shows the memory of this value.
  bool escapes(Value value);

 private:
  const Graph& graph_;
  std::unordered_map<uint64_t, Value> roots_;
};

/// Where an output's memory is from: the parameter of that number, or the memory that the output of
/// that number shows too, which is itself where it is the first.
struct OutputRoot {
  enum class Kind : uint8_t { kParameter, kOutput };
  Kind kind;
  size_t number;
  bool operator==(const OutputRoot&) const = default;
};
std::vector<OutputRoot> output_roots(const Graph& graph);
std::vector<OutputRoot> output_roots(const Schedule& schedule);

/// The first output that shares other memory than it did.
std::optional<Error> compare_roots(const std::vector<OutputRoot>& wanted,
                                   const std::vector<OutputRoot>& got);

}  // namespace glint::passes
