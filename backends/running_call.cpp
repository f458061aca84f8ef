#include "backends/running_call.h"

#include <algorithm>
#include <map>
#include <utility>

namespace glint {
namespace {

auto& known_calls() {
  static auto& known = *new std::map<CallKey, CallLaunches>;
  return known;
}

CallLaunches* running = nullptr;
bool are_tuned = false;

}  // namespace

CallLaunches& launches_of(const CallKey& call) {
  return known_calls()[call];
}

const CallLaunches* find_launches(const CallKey& call) {
  const auto found = known_calls().find(call);
  return found == known_calls().end() ? nullptr : &found->second;
}

RunningCall::RunningCall(CallLaunches& launches) : is_outermost_(running == nullptr) {
  if (!is_outermost_) return;
  running = &launches;
  ++launches.runs;
  launches.library = {};
}
RunningCall::~RunningCall() {
  if (is_outermost_) running = nullptr;
}

bool RunningCall::is_any() {
  return running != nullptr;
}

void RunningCall::note(LaunchedKernel kernel) {
  CallLaunches::Each each{std::move(kernel), running->runs};
  const auto found = std::ranges::find_if(running->kernels, [&](const CallLaunches::Each& known) {
    return known.entry == each.entry &&
           (known.source == each.source || *known.source == *each.source);
  });
  if (found == running->kernels.end())
    running->kernels.push_back(std::move(each));
  else
    *found = std::move(each);
}

void RunningCall::note_library(std::string_view name) {
  if (running != nullptr) running->library = name;
}

TunedCalls::TunedCalls() : outer_(std::exchange(are_tuned, true)) {}
TunedCalls::~TunedCalls() {
  are_tuned = outer_;
}
bool TunedCalls::at_work() {
  return are_tuned;
}

}  // namespace glint
