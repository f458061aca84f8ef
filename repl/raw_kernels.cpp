#include "repl/raw_kernels.h"

#include <algorithm>
#include <string>

#include "backends/cuda/gpu_listing.h"
#include "backends/cuda/launch_log.h"

namespace glint {
namespace {

constexpr Stage kShown[] = {Stage::kCuda, Stage::kPtx, Stage::kGpu};

std::vector<StageLine> lines_of(const cuda::LoggedKernel& kernel, Stage stage) {
  if (stage == Stage::kGpu) return cuda::counted_lines(kernel.program->name, *kernel.source);
  std::vector<StageLine> lines;
  std::string_view rest = stage == Stage::kCuda ? *kernel.source : *kernel.ptx;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    lines.push_back({std::string(rest.substr(0, end)), {}});
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return lines;
}

}  // namespace

std::vector<Listing> raw_kernel_listings(Session& session, std::string_view name,
                                         std::span<const Stage> stages, bool colours) {
  std::vector<Listing> found;
  for (const cuda::LoggedKernel& kernel : cuda::launch_log().kernels()) {
    if (!kernel.is_written_by_hand || !kernel.program->name.starts_with(name)) continue;
    for (const Stage stage : kShown) {
      if (!stages.empty() && std::ranges::find(stages, stage) == stages.end()) continue;
      const Artifact shown{.stage = stage, .function = kernel.program->name, .lines = [&] {
                             return lines_of(kernel, stage);
                           }};
      found.push_back(listing_of(shown, session.sources(), colours));
    }
  }
  return found;
}

}  // namespace glint
