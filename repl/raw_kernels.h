// Kernels that a script wrote itself (`RawKernel`), as the stages show them: `:cuda scale`, `:ptx
// scale`, `:sass scale`, `:gpu scale`, `:kernels scale`, and `glint show` of a script. In the same
// way those that operators launched by themselves: `:cuda softmax_rows_to_16`.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "backends/cuda/listing/logged_kernels.h"
#include "core/support/stage_log.h"
#include "repl/listing.h"

namespace glint {

/// The kernel that is meant: that of a variable's RawKernel, else those of the name itself.
cuda::KernelChoice kernel_meant(Session& session, const std::string& name);

/// Whether a kernel that the script wrote has that name.
bool is_raw_kernel(const std::string& entry);

/// What the newest region shows of its kernels among which one begins so; null: none has one.
const Artifact* region_of_kernel(Session& session, const std::string& named, bool on_gpu);

/// What is said where a stage of a variable's RawKernel is asked for that none has; nothing of
/// another name.
std::optional<std::string> nothing_of_raw_kernel(Session& session, std::string_view name,
                                                 std::string_view stage);

/// Of the variable's of that name, else of those of that name, the newest first; of no name, of
/// all. Of a name that the script has for nothing, kernels of Glint's own that ran on the simulated
/// GPU, each text once. `:gpu` is of what ran there. `colours`: see `listing_of`.
std::vector<Listing> raw_kernel_listings(Session& session, const std::string& name,
                                         std::span<const Stage> stages, bool colours);

/// The launches, outside compiled regions, of those kernels; nothing where there are none.
std::optional<Listing> eager_launches_listing(Session& session, const std::string& name,
                                              bool colours);

}  // namespace glint
