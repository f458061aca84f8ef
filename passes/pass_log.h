// What the passes did: records, of which the renderings (render.h) make text.
#pragma once

#include <cstdint>
#include <memory>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

#include "ir/graph.h"
#include "ir/kernel.h"

namespace glint::passes {

/// A rewrite that fired: which rule, where it is written, on which nodes.
struct RuleHit {
  std::string_view rule;
  std::source_location birthplace;
  std::string before;  ///< `%mul = multiply %x, 1.0`
  std::string after;   ///< `%x`
};

/// Why two nodes share a kernel or a launch, or do not. Each has one wording, `reason_text`.
enum class FusionReason : uint8_t {
  // yes
  kSameSpace,
  kReductionReads,
  kReadsReduction,
  kSiblings,
  kRecomputed,
  kJoined,
  kAlike,
  // no
  kLibraryCall,
  kOtherSpace,
  kOtherReduction,
  kShiftingView,
  kCycle,
  kRowTooLong,
  kColumns,
  kTurned,
  kDivides,
  kTooLarge,
  kOrderOfScan,
  kLookedUp,
  kStandsAlone,
  kNothingCommon,
  kUnlike,
  kAlikeButNeeded,
  kAlikeButOverwritten,
  kAlikeButFar,
};

struct FusionDecision {
  NodeId producer;
  NodeId consumer;
  bool fused = false;
  FusionReason reason = FusionReason::kSameSpace;
  std::string detail;  ///< sizes, where the wording has a place for them
};

/// `same iteration space [s0, 8]`: the one wording of a decision's reason.
std::string reason_text(const FusionDecision& decision);

struct PassRecord {
  std::string_view name;
  std::string before = {};  ///< `12 nodes`
  std::string after = {};   ///< `9 nodes`, `2 kernels`
  bool changed = false;
  double milliseconds = 0.0;
  std::vector<RuleHit> rules = {};
  /// The graph as the pass left it, or the schedule from lowering on.
  std::shared_ptr<const Graph> graph = {};
  std::shared_ptr<const Schedule> schedule = {};
};

struct PassLog {
  /// The graph as it came in.
  std::shared_ptr<const Graph> captured;
  std::vector<PassRecord> passes;
  /// The graph that fusion looked at, to which its decisions' nodes belong.
  std::shared_ptr<const Graph> fused_graph;
  std::vector<FusionDecision> decisions;
  /// What a GPU would run, where the processor's threads share reductions in another way, or one
  /// launch has several lists.
  std::shared_ptr<const Schedule> on_gpu;
};

}  // namespace glint::passes
