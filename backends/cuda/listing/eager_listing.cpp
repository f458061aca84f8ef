// The table of kernels that were launched outside compiled regions: a user's own, and those of
// operators that ran by themselves.
//
//     launched on a GPU (compute_80)  launches  grid  block  registers  shared  occupancy
//     scale                                  3     4    256          8       0      100 %
//
// Grid, block and dynamic shared memory are those of the last launch. Several texts may have one
// name: the newest stands first, and each says which it is.
#include <fmt/format.h>

#include "backends/cuda/compile/compile_cuda.h"
#include "backends/cuda/compile/register_counts.h"
#include "backends/cuda/device/eager_launches.h"
#include "backends/cuda/launch/text_kernel.h"
#include "backends/cuda/listing/call_listing.h"
#include "backends/cuda/listing/listing.h"

namespace glint::cuda {
namespace {

/// A user's text was compiled with headers that are not looked for in Glint's own.
Result<std::shared_ptr<const CompiledModule>> module_of(const EagerLaunches& kernel) {
  for (const WrittenText& each : written_texts())
    if (each.entry == kernel.entry && each.module->source == *kernel.source) return each.module;
  return compiled_module(*kernel.source);
}

}  // namespace

std::vector<StageLine> eager_launch_lines(const KernelChoice& choice) {
  const Result<std::string> architecture = architecture_of({});
  std::vector<std::vector<std::string>> rows = {
      {architecture ? fmt::format("launched on a GPU ({})", *architecture) : "launched on a GPU",
       "launches", "grid", "block", "registers", "shared", "occupancy"}};
  RegisterCounts counts;
  std::optional<Error> missing;
  const auto launched = chosen(eager_launches(), choice, [](const EagerLaunches& each) {
    return std::string_view(each.entry);
  });
  for (const EagerLaunches* each : launched) {
    const CallKernel kernel{each->entry, *each->source, extent_text(each->grid),
                            each->block[0] * each->block[1] * each->block[2], each->dynamic_shared};
    const auto module = module_of(*each);
    if (!module) missing = module.error();
    rows.push_back({kernel_title(each->entry, *each->source), std::to_string(each->launches),
                    kernel.grid, extent_text(each->block)});
    for (std::string& cell :
         module ? needs_of(kernel, *module, counts) : std::vector<std::string>{"-", "-", "-"})
      rows.back().push_back(std::move(cell));
  }
  std::vector<StageLine> lines;
  if (rows.size() == 1) return lines;
  for (std::string& text : aligned(rows)) lines.push_back({std::move(text), {}});
  append_missing(lines, missing, counts);
  return lines;
}

}  // namespace glint::cuda
