#include "backends/cuda/listing/logged_kernels.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "backends/cuda/compile/nvrtc.h"

namespace glint::cuda {
namespace {

constexpr std::string_view kNothing =
    "nothing ran on a simulated GPU yet; start with GLINT_GPU=sim, and use tensors on `cuda`";

}  // namespace

std::vector<const LoggedKernel*> kernels_that_ran(std::string_view name) {
  std::vector<const LoggedKernel*> found;
  for (const LoggedKernel& each : launch_log().kernels())
    if (each.program->name.starts_with(name)) found.push_back(&each);
  return found;
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

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string_view line_at(const std::vector<std::string_view>& lines, uint32_t number) {
  return number == 0 || number > lines.size() ? std::string_view() : lines[number - 1];
}

uint32_t line_in_text(const simulator::Program& program, simulator::SourceLine at) {
  const bool is_own =
      at.file < program.files.size() && program.files[at.file].ends_with(kSourceName);
  return is_own ? at.line : 0;
}

}  // namespace glint::cuda
