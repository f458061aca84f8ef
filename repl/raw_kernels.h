// Kernels that a script wrote itself (`RawKernel`), as the stages show them: `:cuda scale`, `:ptx
// scale`, `:sass scale`, `:gpu scale`, and `glint show` of a script. In the same way those that
// operators launched by themselves on the simulated GPU: `:cuda softmax_rows_to_16`.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/support/stage_log.h"
#include "repl/listing.h"

namespace glint {

/// The name of the kernel that is meant: that of a variable's RawKernel, else the name itself.
std::string kernel_meant(Session& session, const std::string& name);

/// Whether a kernel that the script wrote has that name.
bool is_raw_kernel(const std::string& entry);

/// Of those of that name, or of the variable of that name; of no name, of all. Of a name that the
/// script has for nothing, kernels of Glint's own that ran on the simulated GPU, each text once.
/// `:gpu` is of what ran there. `colours`: see `listing_of`.
std::vector<Listing> raw_kernel_listings(Session& session, const std::string& name,
                                         std::span<const Stage> stages, bool colours);

}  // namespace glint
