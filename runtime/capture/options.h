// What `torch.compile` was called with, and what capture needs of the session.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "core/support/source_map.h"
#include "core/support/stage_log.h"
#include "runtime/interpreter/value.h"

namespace glint::program {
struct Code;
}

namespace glint::capture {

/// Which sizes become symbolic: those that have changed, all, or none.
enum class DynamicSizes : uint8_t { kWhenChanged, kAlways, kNever };

struct CompileOptions {
  bool fullgraph = false;
  DynamicSizes dynamic = DynamicSizes::kWhenChanged;
  std::string backend = "inductor";
  runtime::Value custom_backend = {};  ///< a script's `(gm, example_inputs) -> callable`
  bool disable = false;
  std::string mode = "default";
  /// Whether the mode asks for launches that are replayed as one (on a GPU).
  bool records_launches() const { return mode == "reduce-overhead" || mode == "max-autotune"; }
  /// Whether it asks for kernels that are tried in several ways (on a GPU).
  bool tunes_kernels() const { return mode.starts_with("max-autotune"); }
  /// Set for statements typed at the REPL: the functions whose calls end a region of theirs, since
  /// each has regions of its own, which later statements use again.
  std::function<bool(const program::Code&)> has_own_regions = {};
};

/// What a call does that would have to be compiled: `torch.compiler.set_stance`. Where compiled
/// code is not used either, the call is as one of a function compiled with `disable=True`.
enum class Stance : uint8_t { kDefault, kForceEager, kEagerOnRecompile, kFailOnRecompile };

/// What capture is given by the session.
struct CaptureContext {
  StageLog* log = nullptr;
  const SourceMap* sources = nullptr;
  std::string default_backend = "cpu";  ///< what `inductor` stands for
  std::string fail_stage = {};          ///< GLINT_FAIL
  bool reuses_code = true;  ///< see `BackendOptions`: a compile whose cost is measured takes none
  std::function<void(std::string_view)> warn;  ///< a line for standard error
};

/// Compiled code of one function is kept for at most so many sets of guards.
inline constexpr size_t kMostEntries = 8;

}  // namespace glint::capture
