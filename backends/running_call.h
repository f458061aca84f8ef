// Which kernels a schedule's library calls launched on an accelerator, for those who look at it.
//
//     RunningCall running(launches_of({text}));   what is launched from now on, is for that call
//     RunningCall::note({"scatter", source, {40}, {256}});
//     find_launches({text})->kernels[0].entry     "scatter"
//
// A call is known by its text (ir/call_types.h), and by whether its products are tuned: they are
// done in other ways then.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace glint {

/// A kernel, and its last launch.
struct LaunchedKernel {
  std::string entry;
  std::shared_ptr<const std::string> source;
  std::array<uint32_t, 3> grid = {1, 1, 1};
  std::array<uint32_t, 3> block = {1, 1, 1};
  uint32_t dynamic_shared = 0;
};
/// What the runs of a call launched.
struct CallLaunches {
  struct Each : LaunchedKernel {
    uint64_t run = 0;  ///< the last one that launched it
  };
  std::vector<Each> kernels;  ///< each once, in the order of their first launch
  uint64_t runs = 0;
  std::string_view library = {};  ///< that did the last run, or most of it; empty: none
};

struct CallKey {
  std::string text;
  bool is_tuned = false;
  auto operator<=>(const CallKey&) const = default;
};
/// Those so far, to which the next calls add; they stay where they are.
CallLaunches& launches_of(const CallKey& call);
/// Null where no such call ran on an accelerator.
const CallLaunches* find_launches(const CallKey& call);

/// A call in a run. One within another is a part of that.
class RunningCall {
 public:
  explicit RunningCall(CallLaunches& launches);
  ~RunningCall();
  RunningCall(const RunningCall&) = delete;
  RunningCall& operator=(const RunningCall&) = delete;

  /// Whether a call runs.
  static bool is_any();
  /// A launch, which is of the call that runs.
  static void note(LaunchedKernel kernel);
  /// A library has done what the call is for, if one runs; its name outlives the process.
  static void note_library(std::string_view name);

 private:
  bool is_outermost_;
};

/// While it lives, calls are those of a schedule whose products are tuned.
class TunedCalls {
 public:
  TunedCalls();
  ~TunedCalls();
  TunedCalls(const TunedCalls&) = delete;
  TunedCalls& operator=(const TunedCalls&) = delete;

  static bool at_work();

 private:
  bool outer_;
};

}  // namespace glint
