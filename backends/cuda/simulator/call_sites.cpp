#include "backends/cuda/simulator/call_sites.h"

#include <algorithm>

namespace glint::simulator {

CodeLines CallSites::lines_at(SourcePlace place, std::optional<SourcePlace> inlined_at) {
  const SourceLine line = place.line;
  if (!inlined_at) {
    if (line.line != 0) go_back_to(line);
    return {line, line, line};
  }
  const auto site = sites_.find(*inlined_at);
  const SourceLine call = inlined_at->line;
  const CodeLines caller = site == sites_.end() ? CodeLines{call, call, call} : use(site->second);
  const bool is_own = line.line != 0 && line.file == caller.entry.file;
  const CodeLines lines = {line, is_own ? line : caller.own, caller.entry};
  define(place, lines);
  return lines;
}

/// What was called behind this line comes again, in a copy of the code.
void CallSites::go_back_to(SourceLine line) {
  for (auto& [place, site] : sites_) {
    if (line >= site.runs.front().lines.entry) continue;
    site.at = 0;
    site.dealt = 0;
    site.is_copy = true;
  }
}

CodeLines CallSites::use(Site& site) {
  if (site.is_copy) {
    if (site.dealt == site.runs[site.at].uses && site.at + 1 < site.runs.size()) {
      ++site.at;
      site.dealt = 0;
    }
    ++site.dealt;
  } else {
    ++site.runs[site.at].uses;
  }
  return site.runs[site.at].lines;
}

void CallSites::define(SourcePlace place, const CodeLines& lines) {
  Site& site = sites_[place];
  const auto is_of_entry_line = [&](const Run& run) { return run.lines.entry == lines.entry; };
  if (site.at < site.runs.size() && is_of_entry_line(site.runs[site.at])) {
    site.runs[site.at].lines = lines;
    return;
  }
  const auto known = std::ranges::find_if(site.runs, is_of_entry_line);
  site.at = static_cast<size_t>(known - site.runs.begin());
  site.dealt = 0;
  if (known != site.runs.end()) return;
  site.runs.push_back({lines});
  site.is_copy = false;
}

}  // namespace glint::simulator
