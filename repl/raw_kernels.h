// Kernels that a script wrote itself (`RawKernel`) and that ran on the simulated GPU, as the stages
// show them: `:cuda scale`, `:ptx scale`, `:gpu scale`, and `glint show` of a script.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/support/stage_log.h"
#include "repl/listing.h"

namespace glint {

/// Of those of that name; of no name, of all. `colours`: see `listing_of`.
std::vector<Listing> raw_kernel_listings(Session& session, std::string_view name,
                                         std::span<const Stage> stages, bool colours);

}  // namespace glint
