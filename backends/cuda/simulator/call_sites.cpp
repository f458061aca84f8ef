#include "backends/cuda/simulator/call_sites.h"

#include <algorithm>

namespace glint::simulator {

SourceLine CallSites::entry_line(SourcePlace own, std::optional<SourcePlace> inlined_at) {
  if (!inlined_at) {
    if (own.line.line != 0) go_back_to(own.line);
    return own.line;
  }
  const auto caller = sites_.find(*inlined_at);
  const SourceLine line = caller == sites_.end() ? inlined_at->line : use(caller->second);
  define(own, line);
  return line;
}

/// What was called behind this line comes again, in a copy of the code.
void CallSites::go_back_to(SourceLine line) {
  for (auto& [place, site] : sites_) {
    if (line >= site.runs.front().entry_line) continue;
    site.at = 0;
    site.dealt = 0;
    site.is_copy = true;
  }
}

SourceLine CallSites::use(Site& site) {
  if (site.is_copy) {
    if (site.dealt == site.runs[site.at].uses && site.at + 1 < site.runs.size()) {
      ++site.at;
      site.dealt = 0;
    }
    ++site.dealt;
  } else {
    ++site.runs[site.at].uses;
  }
  return site.runs[site.at].entry_line;
}

void CallSites::define(SourcePlace place, SourceLine entry_line) {
  Site& site = sites_[place];
  if (site.at < site.runs.size() && site.runs[site.at].entry_line == entry_line) return;
  const auto known = std::ranges::find(site.runs, entry_line, &Run::entry_line);
  site.at = static_cast<size_t>(known - site.runs.begin());
  site.dealt = 0;
  if (known != site.runs.end()) return;
  site.runs.push_back({entry_line});
  site.is_copy = false;
}

}  // namespace glint::simulator
