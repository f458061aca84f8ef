// The environment variables that Glint reads, in one table, and the folders it keeps things in.
//
//     if (auto stage = environment::value(Variable::kFail)) ...
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace glint::environment {

enum class Variable : uint8_t {
  kCompile,
  kBackend,
  kFail,
  kCpu,
  kGpu,
  kGpuRaces,
  kNvrtc,
  kCublasLt,
  kCudnn,
  kCudaArch,
  kCudaBounds,
  kThreads,
  kHistory,
  kStartup,
  kCache,
  kPath,
  kNoColour,
  kPager,
};

struct VariableInfo {
  Variable variable;
  const char* name;
  std::string_view meaning;
};

/// Every variable, in the order of `Variable`.
std::span<const VariableInfo> table();

/// The variable's value; nothing when it is unset or empty.
std::optional<std::string> value(Variable variable);

/// The file that holds what was typed at the REPL: `GLINT_HISTORY`, else `history` in the state
/// folder (`$XDG_STATE_HOME/glint`, else `~/.local/state/glint`).
std::string history_file();

/// What is entered at the REPL before anything else: `GLINT_STARTUP`, else `startup.py` in the
/// folder for settings (`$XDG_CONFIG_HOME/glint`, else `~/.config/glint`).
std::string startup_file();

/// The folder for repro files and cached kernels: `GLINT_CACHE`, else `$XDG_CACHE_HOME/glint`, else
/// `~/.cache/glint`. It is made when something is first written.
std::string cache_folder();

}  // namespace glint::environment
