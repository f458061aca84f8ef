#include "backends/cuda/codegen/bind_axes.h"

#include <algorithm>

namespace glint::cuda {
namespace {

/// Rows that a thread reads alone.
constexpr int64_t kThreadRow = 4;
/// Rows that are enough for a thread to scan each of them.
constexpr int64_t kManyRows = 4096;
/// Columns from which several warps share one.
constexpr int64_t kLongColumn = 64;

class Binder {
 public:
  Binder(Kernel kernel, const LaunchShape& shape) : kernel_(std::move(kernel)), shape_(shape) {}

  Kernel run() && {
    const size_t end = kernel_.statements.size();
    const std::vector<Nest> nests = inner_nests(kernel_, 0, end);
    if (are_independent(kernel_)) {
      for (const Nest& nest : nests) bind_outer(nest);
    } else if (!nests.empty() && is_shareable(kernel_, 0, end)) {
      const bool all_blocks = is_one_reduction(nests);
      for (const Nest& nest : nests) bind(nest, all_blocks ? Binding::kBlock : Binding::kThread);
    }
    return std::move(kernel_);
  }

 private:
  Loop& loop(size_t i) { return *kernel_.statements[i].get_if<Loop>(); }
  const Loop& loop(size_t i) const { return *kernel_.statements[i].get_if<Loop>(); }

  void bind(const Nest& nest, Binding binding) {
    for (const size_t i : nest.loops) loop(i).binding = binding;
  }

  /// One reduce nest, and behind it only what happens once.
  bool is_one_reduction(const std::vector<Nest>& nests) const {
    if (nests.size() != 1 || loop(nests[0].loops[0]).kind != LoopKind::kReduce) return false;
    return !holds<Scratch>(kernel_, 0, kernel_.statements.size()) &&
           !loads_stored(kernel_, nests[0].last, kernel_.statements.size(), 0,
                         kernel_.statements.size());
  }

  void bind_outer(const Nest& outer) {
    const std::vector<Nest> inner = inner_nests(kernel_, outer.first, outer.last);
    Binding team = Binding::kThread;
    if (!inner.empty() && is_shareable(kernel_, outer.first, outer.last)) {
      team = team_for(outer, inner);
    } else if (const auto turned = inner.empty() ? turned_loop(kernel_, outer) : std::nullopt) {
      bind(outer, Binding::kBlock);
      loop(*turned).binding = Binding::kWarp;
      loop(outer.loops.back()).binding = Binding::kLane;
      return;
    } else if (inner.empty() && can_be_vectors(outer)) {
      bind(outer, Binding::kThread);
      loop(outer.loops.back()).binding = Binding::kVector;
      return;
    }
    bind(outer, team);
    if (team == Binding::kThread) return;
    const Binding member = team == Binding::kBlock  ? Binding::kThread
                           : team == Binding::kWarp ? Binding::kLane
                                                    : Binding::kWarp;
    for (const Nest& nest : inner) bind(nest, member);
  }

  Binding team_for(const Nest& outer, const std::vector<Nest>& inner) const {
    switch (shape_.row) {
      case LaunchShape::Row::kThread:
        return Binding::kThread;
      case LaunchShape::Row::kWarp:
        return Binding::kWarp;
      case LaunchShape::Row::kBlock:
        return Binding::kBlock;
      case LaunchShape::Row::kUsual:
        break;
    }
    int64_t longest = 0;
    bool known = true;
    for (const Nest& nest : inner) {
      const auto extent = most_iterations(kernel_, nest, shape_);
      known &= extent.has_value();
      longest = std::max(longest, extent.value_or(0));
    }
    if (loop(inner[0].loops[0]).kind == LoopKind::kScan) {
      // Columns are scanned by a thread each, where they are enough to fill a GPU.
      const bool are_many =
          extent_of(kernel_, outer).maybe_constant().value_or(kManyRows) >= kManyRows;
      if (are_many && lies_across(outer, inner)) return Binding::kThread;
      if (known && longest <= kThreadScan && are_many) return Binding::kThread;
      return known && longest <= kWarpRow ? Binding::kWarp : Binding::kBlock;
    }
    if (lies_across(outer, inner))
      return known && longest < kLongColumn ? Binding::kThread : Binding::kLane;
    if (!known || longest > kWarpRow) return Binding::kBlock;
    return longest <= kThreadRow || is_one_vector(inner, longest) ? Binding::kThread
                                                                  : Binding::kWarp;
  }

  /// Whether rows of that length are one access.
  bool is_one_vector(const std::vector<Nest>& inner, int64_t length) const {
    int64_t largest = 0;
    for (const Nest& nest : inner) {
      for (size_t i = nest.first; i < nest.last; ++i) {
        const auto access = access_of(kernel_.statements[i]);
        if (!access || index(access->buffer) >= kernel_.parameter_count) continue;
        const auto size = static_cast<int64_t>(dtype_size(kernel_[access->buffer].type.dtype));
        const auto along = StatementId(nest.loops.back());
        if (!memory_stride(kernel_, access->buffer, *access->indices, along).is(0))
          largest = std::max(largest, size);
      }
    }
    return largest > 0 && length * largest == kVectorBytes;
  }

  /// Whether more of the memory lies side by side along the outer loop than along the inner ones.
  bool lies_across(const Nest& outer, const std::vector<Nest>& inner) const {
    const auto across = StatementId(outer.loops.back());
    if (loop(outer.loops.back()).extent.is(1)) return false;
    int outer_steps = 0;
    int inner_steps = 0;
    for (const Nest& nest : inner) {
      const SideBySide found =
          side_by_side(kernel_, nest.first, nest.last, across, StatementId(nest.loops.back()));
      outer_steps += found.outer;
      inner_steps += found.inner;
    }
    return outer_steps > inner_steps;
  }

  /// Whether all that the nest touches, and that its innermost loop walks over, lies side by side
  /// and may begin where a vector does; the index is used for nothing else.
  bool can_be_vectors(const Nest& nest) const {
    const int64_t lanes = vector_lanes(kernel_, nest.loops[0], shape_);
    if (lanes < 2 || loads_stored(kernel_, nest.first, nest.last, nest.first, nest.last))
      return false;
    const SymInt extent = loop(nest.loops.back()).extent;
    if (nest.loops.size() > 1 && !may_be_multiple(extent, lanes)) return false;
    if (extent.maybe_constant().value_or(2 * lanes) < 2 * lanes) return false;
    const std::vector<bool> varies = vary_along(kernel_, nest);
    for (size_t i = nest.first; i < nest.last; ++i) {
      const bool fits = varies[i - nest.first] ? fits_vectors(nest, varies, i, lanes)
                                               : !kernel_.statements[i].get_if<Store>();
      if (!fits) return false;
    }
    return true;
  }

  /// Of a size that only the launch knows, that decides.
  static bool may_be_multiple(SymInt number, int64_t lanes) {
    const SymInt rest = remainder(number, lanes);
    return rest.is(0) || !rest.is_constant();
  }

  /// A statement that depends on the innermost loop.
  bool fits_vectors(const Nest& nest, const std::vector<bool>& varies, size_t i,
                    int64_t lanes) const {
    const auto innermost = StatementId(nest.loops.back());
    const auto is_loop = [innermost](const Operand& operand) {
      return !operand.is_literal() && operand.statement() == innermost;
    };
    const Statement& statement = kernel_.statements[i];
    if (const auto* compute = statement.get_if<Compute>())
      return std::none_of(compute->operands.begin(), compute->operands.end(), is_loop);
    const auto access = access_of(statement);
    if (!access || access->masked) return false;
    const IndexExpression place = memory_place(kernel_, access->buffer, *access->indices);
    const auto is_one_for_all = [&](StatementId id) {
      return index(id) < nest.first || !varies[index(id) - nest.first];
    };
    return place.coefficient(innermost).is(1) && may_be_multiple(place.constant, lanes) &&
           std::ranges::all_of(place.terms, [&](const IndexTerm& term) {
             return term.variable == innermost ||
                    (is_one_for_all(term.variable) && may_be_multiple(term.coefficient, lanes));
           });
  }

  Kernel kernel_;
  LaunchShape shape_;
};

}  // namespace

int64_t vector_lanes(const Kernel& kernel, size_t nest, const LaunchShape& shape) {
  const Nest loops = nest_at(kernel, nest);
  const auto innermost = StatementId(loops.loops.back());
  int64_t largest = 2;
  for (size_t i = loops.first; i < loops.last; ++i) {
    const auto access = access_of(kernel.statements[i]);
    if (!access) continue;
    const SymInt step = memory_stride(kernel, access->buffer, *access->indices, innermost);
    const auto bytes = static_cast<int64_t>(dtype_size(kernel[access->buffer].type.dtype));
    if (step.is(1)) largest = std::max(largest, bytes);
  }
  const int64_t lanes = std::min(kVectorBytes / largest, kMostLanes);
  return shape.elements == 0 ? lanes : std::min<int64_t>(lanes, shape.elements);
}

std::optional<int64_t> most_iterations(const Kernel& kernel, const Nest& nest,
                                       const LaunchShape& shape) {
  const auto extent = extent_of(kernel, nest).maybe_constant();
  if (extent || shape.longest_row == 0) return extent;
  return shape.longest_row;
}

Kernel bind_axes(Kernel kernel, const LaunchShape& shape) {
  return Binder(std::move(kernel), shape).run();
}

}  // namespace glint::cuda
