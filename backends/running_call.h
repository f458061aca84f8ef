// Which kernels a schedule's library calls launched on an accelerator, for those who look at it.
//
//     RunningCall running(launched_by(text));     what is launched from now on, is for that call
//     RunningCall::note({"scatter", source, {40}, {256}});
//     find_launched(text)->front().entry          "scatter"
//
// A call is known by its text (ir/call_types.h).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace glint {

/// A kernel, and its last launch for a call.
struct LaunchedKernel {
  std::string entry;
  std::shared_ptr<const std::string> source;
  std::array<uint32_t, 3> grid = {1, 1, 1};
  std::array<uint32_t, 3> block = {1, 1, 1};
  uint32_t dynamic_shared = 0;
};
/// Each once, in the order of their first launch.
using LaunchedKernels = std::vector<LaunchedKernel>;

/// Those of the calls of a text so far, to which its next ones add; they stay where they are.
LaunchedKernels& launched_by(const std::string& call_text);
/// Null where no such call ran on an accelerator.
const LaunchedKernels* find_launched(const std::string& call_text);

/// A call in a run. One within another is a part of that.
class RunningCall {
 public:
  explicit RunningCall(LaunchedKernels& kernels);
  ~RunningCall();
  RunningCall(const RunningCall&) = delete;
  RunningCall& operator=(const RunningCall&) = delete;

  /// Whether a call runs.
  static bool is_any();
  /// A launch, which is of the call that runs.
  static void note(LaunchedKernel kernel);

 private:
  bool is_outermost_;
};

}  // namespace glint
