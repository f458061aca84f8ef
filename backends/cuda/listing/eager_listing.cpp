// The table of kernels that were launched outside compiled regions: a user's own, and those of
// operators that ran by themselves.
//
//     launched on a GPU (compute_80)  launches  grid  block  ...  occupancy  reads  writes
//     scale                                  3     4    256  ...      100 %   4096    4096
//
// Grid, block, dynamic shared memory and bytes are those of the last launch. Several texts may have
// one name: the newest stands first, and each says which it is.
#include <fmt/format.h>

#include <algorithm>
#include <set>

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

bool is_users(const EagerLaunches& kernel) {
  return std::ranges::any_of(written_texts(), [&](const WrittenText& each) {
    return each.entry == kernel.entry && each.module->source == *kernel.source;
  });
}

/// What its last launch moved: of a user's kernel what the simulated device has counted.
std::optional<MovedBytes> moved_by(const EagerLaunches& kernel) {
  if (kernel.moved) return kernel.moved;
  const LoggedKernel* ran = kernel_that_ran(kernel.entry, *kernel.source);
  return ran != nullptr ? ran->moved : std::nullopt;
}

/// Why nobody knows what a kernel moved.
std::string unknown_bytes(const EagerLaunches& kernel) {
  if (!is_users(kernel))
    return "no bytes where an operator launches several kernels: nobody knows what each of them "
           "moves";
  if (kernel_that_ran(kernel.entry, *kernel.source) != nullptr)
    return fmt::format("no bytes of `{}`: its last launch ended before its end", kernel.entry);
  return "no bytes of your own kernels: a real GPU does not count them; with GLINT_GPU=sim they "
         "are counted";
}

}  // namespace

std::vector<StageLine> eager_launch_lines(const KernelChoice& choice) {
  const Result<std::string> architecture = architecture_of({});
  std::vector<std::vector<std::string>> rows = {
      {architecture ? fmt::format("launched on a GPU ({})", *architecture) : "launched on a GPU",
       "launches", "grid", "block", "registers", "shared", "occupancy", "reads", "writes"}};
  RegisterCounts counts;
  std::optional<Error> missing;
  std::set<std::string> reasons;
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
    const std::optional<MovedBytes> moved = moved_by(*each);
    rows.back().push_back(moved ? std::to_string(moved->read) : "-");
    rows.back().push_back(moved ? std::to_string(moved->written) : "-");
    if (!moved) reasons.insert(unknown_bytes(*each));
  }
  std::vector<StageLine> lines;
  if (rows.size() == 1) return lines;
  for (std::string& text : aligned(rows)) lines.push_back({std::move(text), {}});
  append_missing(lines, missing, counts);
  for (const std::string& reason : reasons) lines.push_back({reason, {}});
  return lines;
}

}  // namespace glint::cuda
