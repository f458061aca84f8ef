#include "backends/cuda/listing/schedule_parts.h"

#include <algorithm>
#include <iterator>
#include <set>

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

std::vector<SchedulePart> parts_of(const Schedule& schedule, const KernelCuts& cuts) {
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

Lines in_order(const Schedule& schedule, const KernelCuts& cuts, KernelSections sections,
               const std::function<Lines(const LibraryCall&)>& of_call) {
  Lines listed;
  for (const SchedulePart& part : parts_of(schedule, cuts)) {
    if (part.call != nullptr) {
      append_apart(listed, of_call(*part.call));
      continue;
    }
    append_apart(listed, std::exchange(sections.shared, {}));
    append_apart(listed, std::move(sections.of_cuts[part.cut]));
  }
  return listed;
}

}  // namespace glint::cuda
