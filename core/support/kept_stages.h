// A stretch of the stage log from which nothing is forgotten: for who counts what was compiled,
// which may be more of one function than the log keeps.
//
//     uint32_t since = keep_stages(log);
//     ...calls...
//     the artifacts with a compile's number of `since` or later
//     forget_stages(log);
#pragma once

#include "core/support/stage_log.h"

namespace glint {

/// A compile's number that nothing before bears. What comes from here on bears it or a later one,
/// also a region that holds nothing to compile, and stays until `forget_stages`. One stretch at a
/// time: a second one ends the first.
uint32_t keep_stages(StageLog& log);
void forget_stages(StageLog& log);

}  // namespace glint
