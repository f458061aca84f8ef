#include "repl/raw_kernels.h"

#include <algorithm>
#include <string>

#include "backends/cuda/launch/text_kernel.h"
#include "backends/cuda/listing/gpu_listing.h"
#include "backends/cuda/listing/listing.h"
#include "repl/render/text.h"

namespace glint {
namespace {

constexpr Stage kShown[] = {Stage::kCuda, Stage::kPtx, Stage::kSass, Stage::kGpu};

std::vector<StageLine> lines_of(const cuda::WrittenText& kernel, Stage stage) {
  if (stage == Stage::kGpu) return cuda::counted_lines(kernel.entry, kernel.source);
  if (stage == Stage::kSass) return cuda::sass_lines_of_text(kernel.source, kernel.architecture);
  std::vector<StageLine> lines;
  for (const std::string_view line :
       render::lines_of(stage == Stage::kCuda ? kernel.source : kernel.ptx))
    lines.push_back({std::string(line), {}});
  return lines;
}

}  // namespace

std::string kernel_meant(Session& session, const std::string& name) {
  return session.raw_kernel_of(name).value_or(name);
}

bool is_raw_kernel(const std::string& entry) {
  return std::ranges::find(cuda::written_texts(), entry, &cuda::WrittenText::entry) !=
         cuda::written_texts().end();
}

std::vector<Listing> raw_kernel_listings(Session& session, const std::string& name,
                                         std::span<const Stage> stages, bool colours) {
  std::vector<Listing> found;
  const std::string meant = kernel_meant(session, name);
  for (const cuda::WrittenText& kernel : cuda::written_texts()) {
    if (!meant.empty() && kernel.entry != meant) continue;
    for (const Stage stage : kShown) {
      if (!stages.empty() && std::ranges::find(stages, stage) == stages.end()) continue;
      // Of one that did not run on the simulated GPU nothing was counted.
      if (stage == Stage::kGpu && lines_of(kernel, stage).empty()) continue;
      const Artifact shown{.stage = stage, .function = kernel.entry, .lines = [&] {
                             return lines_of(kernel, stage);
                           }};
      found.push_back(listing_of(shown, session.sources(), colours));
    }
  }
  return found;
}

}  // namespace glint
