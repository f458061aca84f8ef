// The stages that `GLINT_FAIL` can make fail, besides the passes by their names: to test that each
// failure costs speed and a warning, no more.
//
//     if (stage == fail_stage::kLink) return Error{fail_stage::message(stage)};
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace glint::fail_stage {

inline constexpr std::string_view kCapture = "capture";
inline constexpr std::string_view kVerify = "verify";
inline constexpr std::string_view kCpu = "cpu";
inline constexpr std::string_view kCuda = "cuda";
inline constexpr std::string_view kInterp = "interp";
inline constexpr std::string_view kLlvm = "llvm";
inline constexpr std::string_view kLink = "link";
/// The machine code writes where no memory is: what runs it at a prompt or in a notebook survives
/// that (recovery.h), a script dies of it. So it is no stage that falls back to eager execution.
inline constexpr std::string_view kLaunch = "launch";

struct Stage {
  std::string_view name;
  std::string_view pass = {};  ///< it fails in this pass; none: where it is asked for by its name
};

/// In the order of a compile.
inline constexpr std::array<Stage, 11> kStages = {{
    {kCapture},
    {"passes", "simplify"},
    {"fusion", "fuse"},
    {"kernels", "lower"},
    {"memory", "plan_buffers"},
    {kVerify},
    {kInterp},
    {kCpu},
    {kCuda},
    {kLlvm},
    {kLink},
}};

/// `link: made to fail by GLINT_FAIL`
inline std::string message(std::string_view stage) {
  return std::string(stage) + ": made to fail by GLINT_FAIL";
}

}  // namespace glint::fail_stage
