#include "repl/raw_kernels.h"

#include <fmt/format.h>

#include <algorithm>

#include "backends/cuda/launch/text_kernel.h"
#include "backends/cuda/listing/gpu_listing.h"
#include "backends/cuda/listing/listing.h"
#include "repl/command_words.h"
#include "repl/render/text.h"
#include "runtime/capture/listings.h"

namespace glint {
namespace {

constexpr Stage kShown[] = {Stage::kCuda, Stage::kPtx, Stage::kSass, Stage::kGpu};

bool is_asked_for(Stage stage, std::span<const Stage> stages) {
  return stages.empty() || std::ranges::find(stages, stage) != stages.end();
}

std::vector<StageLine> lines_of(const cuda::WrittenText& kernel, Stage stage) {
  if (stage == Stage::kGpu) return cuda::counted_lines(kernel.entry, kernel.module->source);
  if (stage == Stage::kPtx) return cuda::ptx_lines(*kernel.module);
  if (stage == Stage::kSass) return cuda::sass_lines(*kernel.module);
  std::vector<StageLine> lines;
  for (const std::string_view line : render::lines_of(kernel.module->source))
    lines.push_back({std::string(line), {}});
  return lines;
}

/// Kernels that ran and begin so, or are called so where some are.
std::vector<cuda::WrittenText> ran_texts(const cuda::KernelChoice& choice) {
  std::vector<cuda::WrittenText> texts;
  for (const cuda::LoggedKernel* each : cuda::kernels_that_ran(choice)) {
    const auto is_it = [&](const auto& known) { return known.module->source == *each->source; };
    if (std::ranges::any_of(texts, is_it)) continue;
    auto module = std::make_shared<cuda::CompiledModule>();
    module->source = *each->source;
    module->ptx = *each->ptx;
    module->architecture = each->program->target;
    texts.push_back({each->program->name, std::move(module)});
  }
  return texts;
}

std::vector<cuda::WrittenText> texts_meant(Session& session, const std::string& name) {
  const cuda::KernelChoice meant = kernel_meant(session, name);
  std::vector<cuda::WrittenText> texts;
  for (const cuda::WrittenText& kernel : cuda::written_texts()) {
    const bool is_of_name = meant.name.empty() || kernel.entry == meant.name;
    if (is_of_name && meant.has(kernel.entry, kernel.module->source)) texts.push_back(kernel);
  }
  if (!meant.name.empty()) std::ranges::reverse(texts);
  const bool is_free = !name.empty() && !is_known(session, name);
  return texts.empty() && is_free ? ran_texts(meant) : texts;
}

}  // namespace

cuda::KernelChoice kernel_meant(Session& session, const std::string& name) {
  auto kernel = session.raw_kernel_of(name);
  if (!kernel) return {name};
  return {std::move(kernel->name), std::move(kernel->source)};
}

bool is_raw_kernel(const std::string& entry) {
  return std::ranges::find(cuda::written_texts(), entry, &cuda::WrittenText::entry) !=
         cuda::written_texts().end();
}

const Artifact* region_of_kernel(Session& session, const std::string& named, bool on_gpu) {
  const Artifact* found = nullptr;
  for (const Artifact& artifact : session.log().artifacts()) {
    const auto* kernels = artifact.lines.target<capture::KernelListing>();
    const bool has_it = kernels != nullptr && !(on_gpu && kernels->near) &&
                        std::ranges::any_of(kernels->schedule->kernels, [&](const Kernel& kernel) {
                          return kernel.name.starts_with(named);
                        });
    if (has_it) found = &artifact;
  }
  return found;
}

std::optional<std::string> nothing_of_raw_kernel(Session& session, std::string_view name,
                                                 std::string_view stage) {
  if (!session.raw_kernel_of(std::string(name))) return std::nullopt;
  return fmt::format(
      "no {0} of `{1}`: it is a kernel of CUDA C++, launched as it is written; `:kernels {1}`, "
      "`:cuda {1}`, `:ptx {1}`, `:sass {1}`, `:gpu {1}` and `:step {1}` show it\n",
      stage, name);
}

std::vector<Listing> raw_kernel_listings(Session& session, const std::string& name,
                                         std::span<const Stage> stages, bool colours) {
  std::vector<Listing> found;
  for (const cuda::WrittenText& kernel : texts_meant(session, name)) {
    for (const Stage stage : kShown) {
      if (!is_asked_for(stage, stages)) continue;
      // Of one that did not run on the simulated GPU nothing was counted.
      if (stage == Stage::kGpu && lines_of(kernel, stage).empty()) continue;
      const Artifact shown{.stage = stage,
                           .function = cuda::kernel_title(kernel.entry, kernel.module->source),
                           .lines = [&] { return lines_of(kernel, stage); }};
      found.push_back(listing_of(shown, session.sources(), colours));
    }
  }
  return found;
}

std::optional<Listing> eager_launches_listing(Session& session, const std::string& name,
                                              bool colours) {
  std::vector<StageLine> lines = cuda::eager_launch_lines(kernel_meant(session, name));
  if (lines.empty()) return std::nullopt;
  const Artifact shown{.stage = Stage::kKernels,
                       .function = name.empty() ? "launched outside compiled regions" : name,
                       .lines = [&] { return lines; }};
  return listing_of(shown, session.sources(), colours);
}

}  // namespace glint
