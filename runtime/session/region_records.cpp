#include "runtime/session/region_records.h"

#include <algorithm>
#include <tuple>

#include "passes/listings.h"

namespace glint {
namespace {

size_t operations_of(const passes::GraphListing& listing) {
  if (listing.part == passes::GraphPart::kBackward) return 0;
  return static_cast<size_t>(std::ranges::count_if(listing.graph->nodes, [](const Node& node) {
    return node.kind == NodeKind::kCall && node.phase != Phase::kBackward;
  }));
}

void add(const Artifact& artifact, RegionRecord& record) {
  if (const auto* listing = artifact.lines.target<passes::GraphListing>())
    record.operations += operations_of(*listing);
  if (const auto* listing = artifact.lines.target<capture::KernelListing>())
    for (const Kernel& kernel : listing->schedule->kernels)
      record.kernels.push_back(kernel_lines(kernel).front().text);
  if (const auto* listing = artifact.lines.target<capture::BreakListing>())
    record.breaks.push_back(listing);
  if (const auto* listing = artifact.lines.target<capture::GuardListing>())
    record.recompiled = listing->recompiled;
  std::vector<std::string>& lines = record.lines[artifact.stage];
  for (StageLine& line : artifact.lines()) lines.push_back(std::move(line.text));
}

/// What a reader is shown; the stages behind the kernels take long to write down.
bool is_shown(Stage stage) {
  return stage >= Stage::kBreaks && stage <= Stage::kKernels && stage != Stage::kPasses;
}

}  // namespace

std::vector<RegionRecord> region_records(const StageLog& log, uint32_t since) {
  using Key = std::tuple<uint32_t, std::string, uint32_t, uint32_t, uint32_t>;
  std::map<Key, size_t> places;
  std::vector<RegionRecord> records;
  for (const Artifact& artifact : log.artifacts()) {
    if (artifact.compile < since || !is_shown(artifact.stage) || passes::is_joint(artifact))
      continue;
    Key key(artifact.compile, artifact.function, artifact.begin.line, artifact.begin.column,
            artifact.region);
    auto [found, is_new] = places.try_emplace(std::move(key), records.size());
    if (is_new) records.push_back({.about = &artifact});
    add(artifact, records[found->second]);
  }
  return records;
}

}  // namespace glint
