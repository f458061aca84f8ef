// What operators of a region do beside computing: draws of random numbers, and checks of values.
//
//     torch.rand(3)        draws: it happens at each hit, even if nobody looks at the result
//     x[index]             checks: a bad index raises, even if nobody looks at the result
//
// A result that is looked at is alive anyway. Of the others, those that are needed become outputs
// at the region's end.
#pragma once

#include <vector>

#include "runtime/capture/recipe.h"
#include "runtime/capture/traced_graph.h"

namespace glint::capture {

class TraceEffects {
 public:
  explicit TraceEffects(TracedGraph& made) : made_(made) {}

  /// A result of an operator that does more than compute it.
  struct Result {
    Tensor tensor;  ///< which may be written later
    Value value;
    OperatorCall call;
  };
  void add_draw(Result result) { draws_.push_back(std::move(result)); }
  void add_check(Result result) { checks_.push_back(std::move(result)); }

  /// Forgets what the instruction drew and checked that the region ends before: it runs again.
  void drop(uint32_t step);
  bool draws() const { return !draws_.empty(); }
  /// Whether an operator may fail by its operands' values.
  bool checks_values() const { return !checks_.empty(); }
  /// Makes outputs of the results that nothing else keeps alive.
  void keep();
  const std::vector<EffectOutput>& outputs() const { return outputs_; }

 private:
  void keep_one(const Result& result);

  TracedGraph& made_;
  std::vector<Result> draws_;   ///< of random operators
  std::vector<Result> checks_;  ///< of those that may fail by their operands' values
  std::vector<EffectOutput> outputs_;
};

}  // namespace glint::capture
