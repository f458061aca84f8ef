#include "repl/raw_kernels.h"

#include <algorithm>
#include <string>

#include "backends/cuda/launch/text_kernel.h"
#include "backends/cuda/listing/gpu_listing.h"
#include "backends/cuda/listing/listing.h"
#include "backends/cuda/listing/logged_kernels.h"
#include "repl/command_words.h"
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

/// Kernels that ran and begin so, or are called so where some are.
std::vector<cuda::WrittenText> ran_texts(const std::string& name) {
  std::vector<cuda::WrittenText> texts;
  const auto found = cuda::kernels_that_ran(name);
  const auto is_exact = [&](const auto* kernel) { return kernel->program->name == name; };
  const bool any_exact = std::ranges::any_of(found, is_exact);
  for (const cuda::LoggedKernel* each : found) {
    if (any_exact && !is_exact(each)) continue;
    if (std::ranges::find(texts, *each->source, &cuda::WrittenText::source) != texts.end())
      continue;
    texts.push_back({each->program->name, *each->source, *each->ptx, each->program->target});
  }
  return texts;
}

std::vector<cuda::WrittenText> texts_named(Session& session, const std::string& name) {
  std::vector<cuda::WrittenText> texts;
  const std::string meant = kernel_meant(session, name);
  for (const cuda::WrittenText& kernel : cuda::written_texts())
    if (meant.empty() || kernel.entry == meant) texts.push_back(kernel);
  const bool is_free = !name.empty() && !is_known(session, name);
  return texts.empty() && is_free ? ran_texts(name) : texts;
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
  for (const cuda::WrittenText& kernel : texts_named(session, name)) {
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
