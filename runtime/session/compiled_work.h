// What a call of compiled code does, and what compiling it cost: over the regions that it ran.
//
//     Runs before = runs_of(record);
//     ... the call ...
//     work_since(before, record)     2 launches, 1 library call, 4096 bytes moved, 2048 operations
//
// Read off the schedules, with the sizes of the call: each launch moves what its kernel reads and
// writes, each once; the kernel's statements and the table of operators say what is computed.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/support/diagnostic.h"
#include "runtime/capture/runner.h"

namespace glint {

struct CompiledWork {
  /// Milliseconds of compiling by step, those of the first run last; they add up.
  std::vector<std::pair<std::string, double>> times;
  size_t regions = 0;
  size_t launches = 0;
  size_t library_calls = 0;
  size_t uncounted = 0;   ///< library calls of which the table gives no number of operations
  int64_t workspace = 0;  ///< bytes: the most that one region has at once, besides its inputs
  int64_t moved = 0;      ///< bytes
  int64_t operations = 0;
  std::map<DiagnosticId, size_t> breaks;  ///< what ended regions early, and how many

  double milliseconds() const;
};

/// How often each region ran.
using Runs = std::map<const capture::Region*, uint64_t>;
Runs runs_of(const capture::CompileRecord& record);

/// Of one call, which is what ran since `before`. Where the call went past the compiled code, since
/// that would have been slower: of what is there for it.
CompiledWork work_since(const Runs& before, const capture::CompileRecord& record);

}  // namespace glint
