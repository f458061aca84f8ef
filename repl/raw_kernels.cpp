#include "repl/raw_kernels.h"

#include <algorithm>
#include <string>

#include "backends/cuda/device/launch_log.h"
#include "backends/cuda/listing/gpu_listing.h"
#include "repl/render/text.h"

namespace glint {
namespace {

constexpr Stage kShown[] = {Stage::kCuda, Stage::kPtx, Stage::kGpu};

std::vector<StageLine> lines_of(const cuda::LoggedKernel& kernel, Stage stage) {
  if (stage == Stage::kGpu) return cuda::counted_lines(kernel.program->name, *kernel.source);
  std::vector<StageLine> lines;
  const std::string& text = stage == Stage::kCuda ? *kernel.source : *kernel.ptx;
  for (const std::string_view line : render::lines_of(text))
    lines.push_back({std::string(line), {}});
  return lines;
}

}  // namespace

std::vector<Listing> raw_kernel_listings(Session& session, std::string_view name,
                                         std::span<const Stage> stages, bool colours) {
  std::vector<Listing> found;
  for (const cuda::LoggedKernel& kernel : cuda::launch_log().kernels()) {
    if (!kernel.is_written_by_hand) continue;
    if (!name.empty() && kernel.program->name != name) continue;
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
