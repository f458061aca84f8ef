// What a launch counted, beside the lines that it belongs to: lines of the PTX, or through `.loc`
// those of the source.
//
//     rows.cu:31   warps 20480   lanes 655360   sectors 8192   used 100 %
#pragma once

#include <string>
#include <vector>

#include "backends/cuda/simulator/launch.h"

namespace glint::simulator {

/// In the order of the lines; instructions without a source line come under line 0.
struct SourceCounts {
  SourceLine line;
  Counts counts;
};
std::vector<SourceCounts> counts_by_source(const Program& program, const LaunchReport& report);
/// The same by lines of the entry: what a function does counts for the lines that call it.
std::vector<SourceCounts> counts_by_entry_line(const Program& program, const LaunchReport& report);

struct TextCounts {
  uint32_t line = 0;
  Counts counts;
};
std::vector<TextCounts> counts_by_text_line(const Program& program, const LaunchReport& report);

/// The launch in one table: a line of occupancy, then a row for each source line.
std::string report_text(const Program& program, const LaunchReport& report);

}  // namespace glint::simulator
