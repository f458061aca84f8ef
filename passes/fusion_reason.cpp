// The one wording of each reason for which two nodes share a kernel or do not: `fusion` shows it
// beside the pair, `%exp  %sum  yes  the reduction reads it once`.
#include "passes/pass_log.h"

namespace glint::passes {

std::string reason_text(const FusionDecision& decision) {
  switch (decision.reason) {
    case FusionReason::kSameSpace:
      return "same iteration space " + decision.detail;
    case FusionReason::kReductionReads:
      return "the reduction reads it once";
    case FusionReason::kReadsReduction:
      return "it reads each row's result while the row is near";
    case FusionReason::kSiblings:
      return "siblings: both read the same tensor over " + decision.detail;
    case FusionReason::kRecomputed:
      return "computed again by each reader, for less than a store";
    case FusionReason::kJoined:
      return "the join computes it as it copies";
    case FusionReason::kLibraryCall:
      return "one of them is a library call";
    case FusionReason::kOtherSpace:
      return "different iteration spaces";
    case FusionReason::kOtherReduction:
      return "they reduce along different dimensions";
    case FusionReason::kShiftingView:
      return "read through a view that moves elements";
    case FusionReason::kCycle:
      return "another kernel stands between them";
    case FusionReason::kRowTooLong:
      return "a row is too long to stay in the cache";
    case FusionReason::kColumns:
      return "columns are not read twice in one kernel";
    case FusionReason::kTurned:
      return "what lies across the rows is copied by tiles, in a kernel of its own";
    case FusionReason::kDivides:
      return "what is reshaped is laid out first: its places take divisions to find in a row";
    case FusionReason::kTooLarge:
      return "the kernel would be too large";
    case FusionReason::kOrderOfScan:
      return "one running reduction a kernel";
    case FusionReason::kLookedUp:
      return "a result is looked up where its loop is not";
    case FusionReason::kStandsAlone:
      return "joining tensors is a kernel of its own";
    case FusionReason::kNothingCommon:
      return "nothing but numbers and fills is common to both";
    case FusionReason::kAlike:
      return "alike: one launch runs the code of one kernel on both";
    case FusionReason::kUnlike:
      return "not alike: one launch for both would save some 10 ns, but no code";
    case FusionReason::kAlikeButNeeded:
      return "alike, but one waits for what is made behind the other";
    case FusionReason::kAlikeButOverwritten:
      return "alike, but one overwrites what is read until then";
    case FusionReason::kAlikeButFar:
      return "alike, but too large to come between a kernel and its reader";
  }
  return {};
}

}  // namespace glint::passes
