// The registry of what Glint says about its own work: graph breaks, fallbacks, recompile reasons.
//
// Each has an id that never changes, a one-line title, and the advice that goes with it. A record
// (`Diagnostic`) names the id, the place, and the particulars; its text is made late. `glint doc
// ID` prints the entry, docs/diagnostics.md lists them all, and each has a test.
//
// A mistake in the user's program is not here: that is a Python exception with CPython's wording.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/span.h"

namespace glint {

enum class DiagnosticId : uint16_t {
  // Graph breaks, GB001 on: a region ended before its function returned.
  kBreakTensorBranch,
  kBreakTensorItem,
  kBreakTensorPrint,
  kBreakTensorIteration,
  kBreakImpureCall,
  kBreakMutation,
  kBreakGenerator,
  kBreakException,
  kBreakInCallee,
  kBreakDisabled,
  kBreakRegionTooLong,
  kBreakUnsupportedOperator,
  kBreakUnsupportedValue,
  kBreakGradient,
  // Fallbacks, FB001 on: a stage of Glint failed, or compiling does not pay; it runs eagerly.
  kFallbackPass,
  kFallbackBackend,
  kFallbackVerifier,
  kFallbackUserBackend,
  kFallbackRecompileLimit,
  kFallbackSmall,
  kFallbackAnomaly,
};

struct DiagnosticInfo {
  DiagnosticId id;
  std::string_view code;    ///< `GB001`
  std::string_view title;   ///< what happened, in one line
  std::string_view advice;  ///< what the user can do
};

const std::vector<DiagnosticInfo>& diagnostic_table();
const DiagnosticInfo& info(DiagnosticId id);
std::optional<DiagnosticId> find_diagnostic(std::string_view code);

/// One occurrence: the id, the place, and what was particular to it.
struct Diagnostic {
  DiagnosticId id;
  Span span = {};
  std::string detail;  ///< `the branch reads the value of %sum`
};

}  // namespace glint
