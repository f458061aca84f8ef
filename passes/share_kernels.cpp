#include "passes/share_kernels.h"

#include <string>
#include <unordered_map>

namespace glint::passes {

namespace {

bool equal_but_for_names(const Kernel& a, const Kernel& b) {
  if (a.parameter_count != b.parameter_count || a.buffers.size() != b.buffers.size() ||
      a.statements.size() != b.statements.size())
    return false;
  for (size_t i = 0; i < a.buffers.size(); ++i) {
    const KernelBuffer& x = a.buffers[i];
    const KernelBuffer& y = b.buffers[i];
    if (x.type != y.type || x.scratch != y.scratch || x.scope != y.scope || x.over != y.over)
      return false;
  }
  for (size_t i = 0; i < a.statements.size(); ++i)
    if (a.statements[i].kind != b.statements[i].kind) return false;
  return true;
}

/// Equal for equal kernels; cheap, and different for most others.
uint64_t fingerprint(const Kernel& kernel) {
  uint64_t hash = kernel.parameter_count;
  auto mix = [&](uint64_t word) { hash = (hash ^ word) * 0x9e3779b97f4a7c15ULL + (hash >> 31); };
  for (const KernelBuffer& buffer : kernel.buffers) {
    mix(static_cast<uint64_t>(buffer.type.dtype));
    for (SymInt size : buffer.type.sizes) mix(size.key());
  }
  for (const Statement& statement : kernel.statements) {
    mix(statement.kind.index());
    if (auto* compute = statement.get_if<Compute>()) mix(static_cast<uint64_t>(compute->function));
    if (auto* loop = statement.get_if<Loop>()) mix(loop->extent.key());
  }
  return hash;
}

}  // namespace

void share_kernels(Schedule& schedule) {
  std::unordered_map<uint64_t, std::vector<uint32_t>> known;  // of `kept`, by fingerprint
  std::vector<uint32_t> place(schedule.kernels.size());
  std::vector<Kernel> kept;
  for (size_t i = 0; i < schedule.kernels.size(); ++i) {
    Kernel& kernel = schedule.kernels[i];
    std::vector<uint32_t>& alike = known[fingerprint(kernel)];
    bool found = false;
    for (uint32_t candidate : alike) {
      if (!equal_but_for_names(kept[candidate], kernel)) continue;
      place[i] = candidate;
      found = true;
      break;
    }
    if (found) continue;
    place[i] = static_cast<uint32_t>(kept.size());
    alike.push_back(place[i]);
    kept.push_back(std::move(kernel));
  }
  schedule.kernels = std::move(kept);
  for (Step& step : schedule.steps)
    if (auto* launch = std::get_if<Launch>(&step.kind)) launch->kernel = place[launch->kernel];
}

}  // namespace glint::passes
