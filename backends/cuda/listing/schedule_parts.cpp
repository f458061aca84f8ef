#include "backends/cuda/listing/schedule_parts.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "backends/cuda/tuning/tuning.h"

namespace glint::cuda {
namespace {

using Lines = std::vector<StageLine>;

/// Behind a blank line, where something stands before them; without blank ones at their end.
void append_apart(Lines& listed, Lines lines) {
  while (!lines.empty() && lines.back().text.empty()) lines.pop_back();
  if (lines.empty()) return;
  if (!listed.empty()) listed.push_back({"", {}});
  std::ranges::move(lines, std::back_inserter(listed));
}

}  // namespace

ListedSchedule::ListedSchedule(const Schedule& listed, const ScheduleTuning* found)
    : schedule(listed),
      tuning(found),
      cuts(cuts_of(listed.kernels,
                   found == nullptr ? std::span<const LaunchShape>() : found->shapes)) {}

std::vector<SchedulePart> parts_of(const ListedSchedule& listed) {
  const auto& [schedule, tuning, cuts] = listed;
  std::vector<SchedulePart> parts;
  std::set<const Kernel*> launched;
  for (const Step& step : schedule.steps) {
    if (const auto* call = std::get_if<LibraryCall>(&step.kind)) {
      parts.push_back({.call = call});
      continue;
    }
    const Kernel& kernel = schedule.kernels[std::get<Launch>(step.kind).kernel];
    if (!launched.insert(&kernel).second) continue;
    for (size_t i = 0; i < cuts.kernels.size(); ++i)
      if (cuts.kernels[i] == &kernel) parts.push_back({.cut = i});
  }
  for (size_t i = 0; i < cuts.kernels.size(); ++i)
    if (!launched.contains(cuts.kernels[i])) parts.push_back({.cut = i});
  return parts;
}

void KernelSections::add(Lines lines, const std::vector<CompiledKernel>& compiled,
                         std::string_view (*entry_in)(std::string_view line)) {
  Lines* section = &shared;
  for (StageLine& line : lines) {
    const auto found = std::ranges::find(compiled, entry_in(line.text), &CompiledKernel::entry);
    if (found != compiled.end()) section = &of_cuts[static_cast<size_t>(found - compiled.begin())];
    section->push_back(std::move(line));
  }
}

Lines in_order(const ListedSchedule& listed, KernelSections sections,
               const std::function<Lines(const LibraryCall&)>& of_call) {
  Lines lines;
  for (const SchedulePart& part : parts_of(listed)) {
    if (part.call != nullptr) {
      append_apart(lines, of_call(*part.call));
      continue;
    }
    append_apart(lines, std::exchange(sections.shared, {}));
    append_apart(lines, std::move(sections.of_cuts[part.cut]));
  }
  return lines;
}

}  // namespace glint::cuda
