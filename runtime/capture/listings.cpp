#include "runtime/capture/listings.h"

#include <fmt/format.h>

#include <iterator>

#include "backends/cuda/listing/listing.h"
#include "passes/render.h"

namespace glint::capture {

std::vector<StageLine> GuardListing::operator()() const {
  std::vector<StageLine> lines = {{"region " + title, {}}};
  if (*hits > 0) lines[0].text += fmt::format("   {} hit{}", *hits, *hits == 1 ? "" : "s");
  lines.insert(lines.end(), guards.begin(), guards.end());
  std::string_view misses = recompiled;
  while (!misses.empty()) {
    const size_t end = std::min(misses.find('\n'), misses.size());
    lines.push_back({std::string(misses.substr(0, end)), {}});
    misses.remove_prefix(std::min(end + 1, misses.size()));
  }
  return lines;
}

std::vector<StageLine> BreakListing::operator()() const {
  const DiagnosticInfo& about = info(what.id);
  std::vector<StageLine> lines = {{fmt::format("{} {}", about.code, about.title), {what.span}},
                                  {fmt::format("  {}", what.detail), {}},
                                  {fmt::format("  {}", about.advice), {}}};
  if (!inside.empty())
    lines.push_back(
        {fmt::format("  what follows in `{0}` is compiled in pieces of its own: `:breaks "
                     "{0}`, `:graph {0}`",
                     inside),
         {}});
  return lines;
}

std::vector<StageLine> TimeListing::operator()() const {
  std::vector<StageLine> lines = {{fmt::format("{}: {:.3f} ms {}", title, total, span), {}}};
  for (const StageTime& time : times) {
    std::string name = (time.part ? "    " : "  ") + time.name;
    lines.push_back({fmt::format("{:<28}{:>9.3f} ms", name, time.milliseconds), {}});
  }
  return lines;
}

std::vector<StageLine> KernelListing::operator()() const {
  std::vector<StageLine> lines = passes::kernel_stage_lines(*schedule);
  if (near) return lines;
  std::vector<StageLine> launches = cuda::launch_lines(*schedule, tuning.get());
  lines.insert(lines.end(), std::make_move_iterator(launches.begin()),
               std::make_move_iterator(launches.end()));
  return lines;
}

}  // namespace glint::capture
