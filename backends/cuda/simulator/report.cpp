#include "backends/cuda/simulator/report.h"

#include <fmt/format.h>

#include <map>

namespace glint::simulator {
namespace {

/// A share as `87 %`; nothing where there is nothing to share.
std::string percent(double part, bool any) {
  return any ? fmt::format("{:.0f} %", 100 * part) : std::string();
}
std::string number(uint64_t count) {
  return count == 0 ? std::string() : std::to_string(count);
}

std::string row(std::string_view name, const Counts& counts) {
  return fmt::format(
      "{:<24} {:>10} {:>12} {:>9} {:>7} {:>9} {:>9} {:>9}", name, counts.executed, counts.lanes,
      number(counts.sectors), percent(counts.efficiency(), counts.sectors != 0),
      number(counts.shared_passes), number(counts.bank_conflicts()), number(counts.divergent));
}

void append_line(std::string& text, std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  text += line + "\n";
}

std::string line_name(const Program& program, SourceLine line) {
  if (line.line == 0) return "(no line)";
  const bool known = line.file < program.files.size();
  return fmt::format("{}:{}", known ? program.files[line.file] : std::string("?"), line.line);
}

std::vector<SourceCounts> counts_by(SourceLine CodeLines::* place, const Program& program,
                                    const LaunchReport& report) {
  std::map<SourceLine, Counts> lines;
  for (size_t i = 0; i < report.counts.size(); ++i) {
    SourceLine line = program.info[i].lines.*place;
    if (line.line == 0) line = {};
    lines[line] += report.counts[i];
  }
  std::vector<SourceCounts> result;
  for (const auto& [line, counts] : lines) result.push_back({line, counts});
  return result;
}

}  // namespace

std::vector<SourceCounts> counts_by_source(const Program& program, const LaunchReport& report) {
  return counts_by(&CodeLines::inner, program, report);
}

std::vector<SourceCounts> counts_by_entry_line(const Program& program, const LaunchReport& report) {
  return counts_by(&CodeLines::entry, program, report);
}

std::vector<TextCounts> counts_by_text_line(const Program& program, const LaunchReport& report) {
  std::map<uint32_t, Counts> lines;
  for (size_t i = 0; i < report.counts.size(); ++i) {
    lines[program.info[i].place.line] += report.counts[i];
  }
  std::vector<TextCounts> result;
  for (const auto& [line, counts] : lines) result.push_back({line, counts});
  return result;
}

std::string report_text(const Program& program, const LaunchReport& report) {
  const Occupancy& occupancy = report.occupancy;
  std::string text = fmt::format(
      "{}: {} registers, {} bytes of shared memory; {} blocks and {} warps at once on {}: {} "
      "occupancy, limited by {}\n",
      program.name, program.live_registers, program.shared_bytes, occupancy.blocks, occupancy.warps,
      program.target, percent(occupancy.part, true), occupancy.limit);
  append_line(text,
              fmt::format("{:<24} {:>10} {:>12} {:>9} {:>7} {:>9} {:>9} {:>9}", "source", "warps",
                          "lanes", "sectors", "used", "shared", "conflicts", "divergent"));
  for (const SourceCounts& line : counts_by_source(program, report)) {
    if (line.counts.executed != 0)
      append_line(text, row(line_name(program, line.line), line.counts));
  }
  append_line(text, row("all", report.total));
  return text;
}

}  // namespace glint::simulator
