#include "passes/share_kernels.h"

#include <algorithm>
#include <unordered_map>

#include "passes/like_kernels.h"

namespace glint::passes {

namespace {

bool have_same_places(const Kernel& a, const Kernel& b) {
  return std::ranges::equal(a.origins, b.origins, {}, &KernelOrigin::spans, &KernelOrigin::spans);
}

/// The statements of a kernel that runs for another one too stand at the places of both.
void add_places(Kernel& kept, const Kernel& other) {
  for (size_t i = 0; i < std::min(kept.origins.size(), other.origins.size()); ++i) {
    std::vector<Span>& places = kept.origins[i].spans;
    for (const Span& each : other.origins[i].spans)
      if (std::ranges::find(places, each) == places.end()) places.push_back(each);
  }
}

}  // namespace

void share_kernels(Schedule& schedule, bool on_device) {
  std::unordered_map<uint64_t, std::vector<uint32_t>> known;  // of `kept`, by fingerprint
  std::vector<uint32_t> place(schedule.kernels.size());
  std::vector<Kernel> kept;
  for (size_t i = 0; i < schedule.kernels.size(); ++i) {
    Kernel& kernel = schedule.kernels[i];
    std::vector<uint32_t>& candidates = known[fingerprint(kernel, Likeness::kEqual)];
    bool found = false;
    for (uint32_t candidate : candidates) {
      if (!alike(kept[candidate], kernel, Likeness::kEqual)) continue;
      if (on_device && !have_same_places(kept[candidate], kernel)) continue;
      add_places(kept[candidate], kernel);
      place[i] = candidate;
      found = true;
      break;
    }
    if (found) continue;
    place[i] = static_cast<uint32_t>(kept.size());
    candidates.push_back(place[i]);
    kept.push_back(std::move(kernel));
  }
  schedule.kernels = std::move(kept);
  for (Step& step : schedule.steps)
    if (auto* launch = std::get_if<Launch>(&step.kind)) launch->kernel = place[launch->kernel];
}

}  // namespace glint::passes
