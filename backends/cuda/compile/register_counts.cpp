#include "backends/cuda/compile/register_counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "backends/cuda/compile/machine_code.h"
#include "backends/cuda/simulator/launch.h"
#include "backends/cuda/simulator/occupancy.h"

namespace glint::cuda {

namespace {

using RegistersByEntry = std::map<std::string, uint32_t>;

const Result<RegistersByEntry>& registers_of_text(const std::string& source,
                                                  const std::string& architecture) {
  static auto& known = *new std::map<std::pair<std::string, std::string>, Result<RegistersByEntry>>;
  // `compute_80` and `sm_80` have the same machine code.
  const std::pair key(architecture.substr(architecture.find('_') + 1), source);
  const auto found = known.find(key);
  if (found != known.end()) return found->second;
  auto code = machine_code(source, architecture);
  return known
      .emplace(key, code ? Result<RegistersByEntry>(std::move(code->registers)) : code.error())
      .first->second;
}

/// What the text asks for.
std::optional<uint32_t> live_registers(const std::string& ptx, const std::string& entry) {
  simulator::Memory memory;
  const auto module = simulator::LoadedModule::load(ptx, memory);
  if (!module) return std::nullopt;
  const auto program = module->program(entry);
  return program ? std::optional(program->live_registers) : std::nullopt;
}

}  // namespace

std::string RegisterCount::text() const {
  return fmt::format("{}{}", is_estimate ? "~" : "", count);
}

Result<uint32_t> assembled_registers(const std::string& source, const std::string& architecture,
                                     const std::string& entry) {
  const Result<RegistersByEntry>& registers = registers_of_text(source, architecture);
  if (!registers) return registers.error();
  const auto found = registers->find(entry);
  if (found == registers->end()) return Error{fmt::format("its machine code has no `{}`", entry)};
  return found->second;
}

std::optional<RegisterCount> RegisterCounts::of(const CompiledKernel& kernel) {
  const CompiledModule& module = *kernel.module;
  const auto assembled = assembled_registers(module.source, module.architecture, kernel.entry);
  if (assembled) return RegisterCount{*assembled};
  missing_ = assembled.error();
  const auto live = live_registers(module.ptx, kernel.entry);
  return live ? std::optional(RegisterCount{*live, true}) : std::nullopt;
}

SymInt shared_memory(const CompiledKernel& kernel) {
  const auto& architecture = simulator::find_architecture(kernel.module->architecture);
  return dynamic_shared_bytes(kernel, architecture.block_shared_bytes) +
         int64_t{kernel.shared_bytes};
}

std::string occupancy_text(const CompiledKernel& kernel, uint32_t registers) {
  const auto& architecture = simulator::find_architecture(kernel.module->architecture);
  const auto shared = shared_memory(kernel).maybe_constant();
  int64_t most = kernel.shared_bytes;  // of rows as long as there is room for
  for (const KernelParameter& each : kernel.parameters) {
    if (each.kind != KernelParameter::Kind::kKept) continue;
    const int64_t elements = most_kept_elements(kernel, each, architecture.block_shared_bytes);
    most = std::max(most, kernel.shared_bytes + elements * each.element_bytes);
  }
  const auto taken = static_cast<uint32_t>(shared.value_or(most));
  const auto fits = simulator::occupancy(architecture, {kernel.threads, registers, taken});
  return fmt::format("{}{:.0f} %", shared ? "" : ">= ", 100 * fits.part);
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
