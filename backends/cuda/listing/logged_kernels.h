// Kernels that ran on the simulated device, found by name or by text.
//
//     kernels_that_ran({"softmax"})   softmax_rows_to_16, softmax
//     none_ran("sofmax")              no kernel `sofmax` ran; those that did: ...
//     kernel_title("k", source)       k, text 2 of 2
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "backends/cuda/device/launch_log.h"

namespace glint::cuda {

/// Kernels that are asked for: those of a name, or else those that begin so; of a source that one.
struct KernelChoice {
  std::string name;  ///< empty: all
  std::string source = {};

  bool has(std::string_view entry, std::string_view text) const {
    return source.empty() ? entry.starts_with(name) : entry == name && text == source;
  }
};
/// Of what keeps kernels with their source and the number of their `last` launch: as they stand
/// there, those of a name the newest first.
template <class K, class F>
std::vector<const K*> chosen(const std::deque<K>& kernels, const KernelChoice& choice,
                             const F& entry_of) {
  std::vector<const K*> found;
  for (const K& each : kernels)
    if (choice.has(entry_of(each), *each.source)) found.push_back(&each);
  if (choice.name.empty()) return found;
  const auto is_other = [&](const K* each) { return entry_of(*each) != choice.name; };
  if (!std::ranges::all_of(found, is_other)) std::erase_if(found, is_other);
  std::ranges::stable_sort(found, std::greater(), &K::last);
  return found;
}
std::vector<const LoggedKernel*> kernels_that_ran(const KernelChoice& choice);
/// The kernel of that text; null where it did not run.
const LoggedKernel* kernel_that_ran(std::string_view entry, std::string_view source);
/// The name of a kernel, with the number of its text where there are several of that name.
std::string kernel_title(std::string_view entry, std::string_view source);
/// What is said where none of that name ran.
std::string none_ran(std::string_view name);

}  // namespace glint::cuda
