#include "backends/cuda/listing/logged_kernels.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "backends/cuda/launch/text_kernel.h"

namespace glint::cuda {
namespace {

constexpr std::string_view kNothing =
    "nothing ran on a simulated GPU yet; start with GLINT_GPU=sim, and use tensors on `cuda`";

}  // namespace

std::vector<const LoggedKernel*> kernels_that_ran(const KernelChoice& choice) {
  return chosen(launch_log().kernels(), choice,
                [](const LoggedKernel& each) { return std::string_view(each.program->name); });
}

std::string kernel_title(std::string_view entry, std::string_view source) {
  std::vector<std::string_view> texts;
  for (const WrittenText& each : written_texts())
    if (each.entry == entry) texts.emplace_back(each.module->source);
  for (const LoggedKernel& each : launch_log().kernels())
    if (each.program->name == entry && std::ranges::find(texts, *each.source) == texts.end())
      texts.emplace_back(*each.source);
  const auto found = std::ranges::find(texts, source);
  if (texts.size() < 2 || found == texts.end()) return std::string(entry);
  return fmt::format("{}, text {} of {}", entry, found - texts.begin() + 1, texts.size());
}

const LoggedKernel* kernel_that_ran(std::string_view entry, std::string_view source) {
  const auto is_it = [&](const LoggedKernel& each) {
    return each.program->name == entry && *each.source == source;
  };
  const auto found = std::ranges::find_if(launch_log().kernels(), is_it);
  return found == launch_log().kernels().end() ? nullptr : &*found;
}

std::string none_ran(std::string_view name) {
  if (launch_log().kernels().empty()) return std::string(kNothing);
  // Several texts may have one name.
  std::vector<std::string_view> names;
  for (const LoggedKernel& each : launch_log().kernels())
    if (std::ranges::find(names, each.program->name) == names.end())
      names.push_back(each.program->name);
  return fmt::format("no kernel `{}` ran; those that did: {}", name, fmt::join(names, ", "));
}

}  // namespace glint::cuda
