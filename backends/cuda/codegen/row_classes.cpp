#include "backends/cuda/codegen/row_classes.h"

#include <algorithm>

#include "backends/cuda/codegen/bind_axes.h"
#include "backends/cuda/codegen/loop_nest.h"

namespace glint::cuda {
namespace {

/// Rows of which a block of half the usual size keeps a few elements a thread.
constexpr uint32_t kHalfBlockRow = 2048;
/// Rows of a few lanes, or that a thread scans; rows of a warp; of a small block, and of a usual
/// one.
constexpr uint32_t kLimits[] = {kThreadScan, kWarpRow, kHalfBlockRow, kLongRow};

/// The lengths that are not known of rows that a team may share.
std::vector<SymInt> unknown_lengths(const Kernel& kernel) {
  std::vector<SymInt> lengths;
  if (!are_independent(kernel)) return lengths;
  for (const Nest& outer : inner_nests(kernel, 0, kernel.statements.size())) {
    if (!is_shareable(kernel, outer.first, outer.last)) continue;
    for (const Nest& nest : inner_nests(kernel, outer.first, outer.last)) {
      const SymInt length = extent_of(kernel, nest);
      const bool is_new = std::ranges::find(lengths, length) == lengths.end();
      if (!length.is_constant() && is_new) lengths.push_back(length);
    }
  }
  return lengths;
}

/// Who runs each loop; whether warps share their rows out to fewer lanes, and the longest rows that
/// blocks go over again, by which they have their threads.
struct Cut {
  std::vector<Binding> bindings;
  bool few_lanes = false;
  std::optional<uint32_t> kept_row = {};

  bool operator==(const Cut&) const = default;
};

Cut cut_of(const Kernel& kernel, const LaunchShape& shape) {
  const Kernel bound = bind_axes(kernel, shape);
  const auto binding_of = [&](const Nest& nest) {
    return bound.statements[nest.loops[0]].get_if<Loop>()->binding;
  };
  Cut cut;
  for (const Statement& statement : bound.statements)
    if (const auto* loop = statement.get_if<Loop>()) cut.bindings.push_back(loop->binding);
  for (const Nest& outer : inner_nests(bound, 0, bound.statements.size())) {
    const std::vector<Nest> inner = inner_nests(bound, outer.first, outer.last);
    const bool is_known = std::ranges::any_of(
        inner, [&](const Nest& nest) { return extent_of(bound, nest).is_constant(); });
    if (inner.empty() || is_known) continue;
    const bool is_scan =
        bound.statements[inner[0].loops[0]].get_if<Loop>()->kind == LoopKind::kScan;
    cut.few_lanes |=
        binding_of(outer) == Binding::kWarp && !is_scan && shape.longest_row == kThreadScan;
    if (binding_of(outer) == Binding::kBlock && inner.size() > 1) cut.kept_row = shape.longest_row;
  }
  return cut;
}

}  // namespace

size_t RowClasses::at(std::span<const int64_t> symbols) const {
  int64_t longest = 0;
  for (const SymInt length : lengths) longest = std::max(longest, length.evaluate(symbols));
  size_t which = 0;
  while (which + 1 < shapes.size() && longest > shapes[which].longest_row) ++which;
  return which;
}

RowClasses row_classes(const Kernel& kernel) {
  RowClasses classes{unknown_lengths(kernel), {LaunchShape()}};
  if (classes.lengths.empty()) return classes;
  // From long rows to short ones; of those cut alike the class of the longest is all.
  Cut last = cut_of(kernel, {});
  for (auto limit = std::rbegin(kLimits); limit != std::rend(kLimits); ++limit) {
    const LaunchShape shape{.longest_row = *limit};
    Cut cut = cut_of(kernel, shape);
    if (cut == last) continue;
    classes.shapes.insert(classes.shapes.begin(), shape);
    last = std::move(cut);
  }
  if (classes.shapes.size() == 1) classes.lengths.clear();
  return classes;
}

void KernelCuts::add(const Kernel& kernel, RowClasses its_classes) {
  for (const LaunchShape& shape : its_classes.shapes) {
    kernels.push_back(&kernel);
    shapes.push_back(shape);
  }
  classes.push_back(std::move(its_classes));
}

KernelCuts cuts_of(std::span<const Kernel> kernels, std::span<const LaunchShape> chosen) {
  KernelCuts cuts;
  for (size_t i = 0; i < kernels.size(); ++i)
    cuts.add(kernels[i], chosen.empty() ? row_classes(kernels[i]) : RowClasses{{}, {chosen[i]}});
  return cuts;
}

}  // namespace glint::cuda
