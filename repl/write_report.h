// A session's report as a file: `glint report`, `:report`.
#pragma once

#include <optional>
#include <string>

#include "core/support/result.h"
#include "runtime/session/session.h"

namespace glint {

/// Nothing, or why the file cannot be written or is not to be.
std::optional<Error> write_report(Session& session, const std::string& file);

}  // namespace glint
