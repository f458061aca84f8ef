#include "backends/cuda/register_counts.h"

#include <fmt/format.h>

#include <algorithm>

#include "backends/cuda/machine_code.h"
#include "backends/cuda/simulator/occupancy.h"

namespace glint::cuda {

std::optional<uint32_t> RegisterCounts::of(const CompiledKernel& kernel) {
  const auto [place, is_new] = known_.try_emplace(kernel.module);
  if (is_new) {
    auto code = machine_code(kernel.module->source, kernel.module->architecture);
    if (code)
      place->second = std::move(code->registers);
    else
      missing_ = code.error();
  }
  const auto found = place->second.find(kernel.entry);
  return found == place->second.end() ? std::nullopt : std::optional(found->second);
}

std::string occupancy_text(const CompiledKernel& kernel, uint32_t registers) {
  const auto fits = simulator::occupancy(simulator::find_architecture(kernel.module->architecture),
                                         {kernel.threads, registers, kernel.shared_bytes});
  return fmt::format("{:.0f} %", 100 * fits.part);
}

std::vector<std::string> aligned(const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::vector<std::string> texts;
  for (const auto& row : rows) {
    std::string text = fmt::format("{:<{}}", row[0], widths[0]);
    for (size_t i = 1; i < row.size(); ++i) text += fmt::format("  {:>{}}", row[i], widths[i]);
    texts.push_back(std::move(text));
  }
  return texts;
}

}  // namespace glint::cuda
