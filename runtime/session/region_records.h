// What a session compiled from a mark on, region by region: records for whoever counts.
//
//     uint32_t since = log.keep();
//     ...calls of `f`, which breaks once...
//     region_records(log, since)     {f: 2 operations, 1 kernel, a break GB002 at 3:24}, {f from
//     3:4: ...}
//
// The numbers are of the values behind the stages (the graph, the schedule), the lines are what the
// stages show. Stages of a region bear its compile's number; a joint graph, of which a forward and
// its backward were cut, is left out: its operations are theirs.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/support/stage_log.h"
#include "runtime/capture/listings.h"

namespace glint {

struct RegionRecord {
  const Artifact* about = nullptr;  ///< the first of its artifacts: whose it is, where it begins
  size_t operations = 0;            ///< of its graph, without those of a backward
  std::vector<std::string> kernels = {};  ///< the first line of each
  std::vector<const capture::BreakListing*> breaks = {};
  std::string recompiled = {};  ///< why the entries before it would not do
  std::map<Stage, std::vector<std::string>> lines = {};
};

/// In the order in which they came to the log, in which the records point.
std::vector<RegionRecord> region_records(const StageLog& log, uint32_t since);

}  // namespace glint
