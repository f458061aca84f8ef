#include "passes/like_kernels.h"

namespace glint::passes {

namespace {

bool is_any_length(const Kernel& kernel, Likeness likeness) {
  return likeness == Likeness::kAnyLength && kernel.is_flat();
}

bool same_buffer(const KernelBuffer& a, const KernelBuffer& b, bool any_length) {
  if (a.scratch != b.scratch || a.scope != b.scope || a.over != b.over) return false;
  if (!any_length) return a.type == b.type;
  return a.type.dtype == b.type.dtype && a.type.rank() == b.type.rank() &&
         a.type.scalar == b.type.scalar;
}

}  // namespace

bool alike(const Kernel& a, const Kernel& b, Likeness likeness) {
  if (a.parameter_count != b.parameter_count || a.buffers.size() != b.buffers.size() ||
      a.statements.size() != b.statements.size())
    return false;
  bool any_length = is_any_length(a, likeness);
  if (any_length != is_any_length(b, likeness)) return false;
  for (size_t i = 0; i < a.buffers.size(); ++i)
    if (!same_buffer(a.buffers[i], b.buffers[i], any_length)) return false;
  // A flat kernel's first statement is its loop.
  for (size_t i = any_length ? 1 : 0; i < a.statements.size(); ++i)
    if (a.statements[i].kind != b.statements[i].kind) return false;
  return true;
}

uint64_t fingerprint(const Kernel& kernel, Likeness likeness) {
  bool any_length = is_any_length(kernel, likeness);
  uint64_t hash = kernel.parameter_count;
  auto mix = [&](uint64_t word) { hash = (hash ^ word) * 0x9e3779b97f4a7c15ULL + (hash >> 31); };
  for (const KernelBuffer& buffer : kernel.buffers) {
    mix(static_cast<uint64_t>(buffer.type.dtype));
    if (any_length) continue;
    for (SymInt size : buffer.type.sizes) mix(size.key());
  }
  for (const Statement& statement : kernel.statements) {
    mix(statement.kind.index());
    if (auto* compute = statement.get_if<Compute>()) mix(static_cast<uint64_t>(compute->function));
    if (auto* loop = statement.get_if<Loop>(); loop && !any_length) mix(loop->extent.key());
  }
  return hash;
}

}  // namespace glint::passes
