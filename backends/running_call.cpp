#include "backends/running_call.h"

#include <algorithm>
#include <unordered_map>

namespace glint {
namespace {

auto& known_calls() {
  static auto& known = *new std::unordered_map<std::string, LaunchedKernels>;
  return known;
}

LaunchedKernels* running = nullptr;

}  // namespace

LaunchedKernels& launched_by(const std::string& call_text) {
  return known_calls()[call_text];
}

const LaunchedKernels* find_launched(const std::string& call_text) {
  const auto found = known_calls().find(call_text);
  return found == known_calls().end() ? nullptr : &found->second;
}

RunningCall::RunningCall(LaunchedKernels& kernels) : is_outermost_(running == nullptr) {
  if (is_outermost_) running = &kernels;
}
RunningCall::~RunningCall() {
  if (is_outermost_) running = nullptr;
}

bool RunningCall::is_any() {
  return running != nullptr;
}

void RunningCall::note(LaunchedKernel kernel) {
  const auto found = std::ranges::find_if(*running, [&](const LaunchedKernel& each) {
    return each.entry == kernel.entry &&
           (each.source == kernel.source || *each.source == *kernel.source);
  });
  if (found == running->end())
    running->push_back(std::move(kernel));
  else
    *found = std::move(kernel);
}

}  // namespace glint
