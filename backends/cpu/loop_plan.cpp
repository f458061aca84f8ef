#include "backends/cpu/loop_plan.h"

#include <bit>

#include "ir/kernel_access.h"
#include "ops/scalar/reduction_order.h"

namespace glint::cpu {
namespace {

/// Fewer iterations than fill what lanes a loop may have.
constexpr int64_t kFewLanes = kPlainLanes / 2;
constexpr unsigned kUnrolledLanes = 4 * kPlainLanes;
/// How often the body of a loop that does next to nothing is written out.
constexpr unsigned kStreamRepeats = 4;
/// The brief operations that such a loop does at most.
constexpr int kStreamWork = 6;
/// The lanes that a heavy loop's code does at a time, however many its partial results have.
constexpr unsigned kHeavyWidth = 32;
/// Running values of float64 that a register holds.
constexpr unsigned kScanLanes = 8;
/// Iterations for which it is worth compiling all lanes at once.
constexpr int64_t kManyIterations = 1 << 14;
/// Elements between lanes from which they are gathered one by one.
constexpr int64_t kLongStep = 5;
/// What half of the registers hold.
constexpr size_t kHeldBytes = 1024;
/// Iterations of a nest for which its code may take twice as long to compile.
constexpr int64_t kLargeIterations = 1 << 18;
/// The cost (scalar operations) of an iteration from which a loop is heavy: two scalar functions.
constexpr int kHeavyCost = 16;
/// The same of a chain that is worth several vectors at once in short loops as well, and of one
/// that is worth twice as many: three scalar functions, and five.
constexpr int kChain = 24;
constexpr int kLongChain = 40;
constexpr unsigned kLongChainLanes = 2 * kUnrolledLanes;
/// Scalar operations that take as long as a division of integers of 64 bits.
constexpr int kDivisionCost = 8;

class Planner {
 public:
  Planner(const Kernel& kernel, bool avx512)
      : kernel_(kernel), avx512_(avx512), plans_(kernel.statements.size()) {}

  std::vector<LoopPlan> run() {
    plan_range(0, kernel_.statements.size());
    return std::move(plans_);
  }

 private:
  const Loop* loop_at(size_t i) const { return kernel_.statements[i].get_if<Loop>(); }

  void plan_range(size_t first, size_t last) {
    for (size_t i = first; i < last; ++i) {
      const Loop* loop = loop_at(i);
      if (loop == nullptr) continue;
      const size_t end = index(loop->end);
      // Beside others that work on the same row, which is near, nothing is streamed.
      const bool alone = !holds<Loop>(first, i) && !holds<Loop>(end, last);
      plan_loop(i, *loop, alone);
      i = end - 1;
    }
  }

  void plan_loop(size_t i, const Loop& loop, bool alone) {
    const size_t first = i + 1;
    const size_t last = index(loop.end);
    const bool innermost = !holds<Loop>(first, last);
    if (holds<Scratch>(first, last)) {
      plan_range(first, last);
    } else if (innermost ? can_vectorise(i, loop) : prefers_outer(i, loop)) {
      plans_[i].lanes = lanes_for(i, loop, innermost);
      plans_[i].heavy = innermost && is_heavy(i, loop);
      plans_[i].width = plans_[i].heavy ? std::min(plans_[i].lanes, kHeavyWidth) : plans_[i].lanes;
      if (innermost && alone && plans_[i].width == kPlainLanes && is_stream(i, loop))
        plans_[i].repeats = kStreamRepeats;
    } else {
      plan_range(first, last);
    }
  }

  template <class T>
  bool holds(size_t first, size_t last) const {
    for (size_t i = first; i < last; ++i) {
      if (kernel_.statements[i].get_if<T>() != nullptr) return true;
    }
    return false;
  }

  bool can_vectorise(size_t i, const Loop& loop) const {
    if (loop.extent.is(1) || mostly_divides(i, loop)) return false;
    return loop.kind != LoopKind::kScan || is_plain_running(i, loop);
  }

  /// Whether a parallel loop's time goes into divisions of integers of 64 bits, as places behind a
  /// `reshape` take. No processor has a vector instruction for those: LLVM writes out each lane's,
  /// which takes it long, and which is not faster than one element at a time.
  bool mostly_divides(size_t i, const Loop& loop) const {
    if (loop.kind != LoopKind::kParallel) return false;
    int divisions = 0;
    for (size_t k = i + 1; k < index(loop.end); ++k) {
      const auto* compute = kernel_.statements[k].get_if<Compute>();
      if (compute != nullptr && compute->dtype == DType::kInt64) divisions += is_division(*compute);
    }
    return divisions > 0 && work_of(i, loop) <= kDivisionCost * divisions;
  }

  static bool is_division(const Compute& compute) {
    return (compute.function == ScalarFunction::kFloorDivide ||
            compute.function == ScalarFunction::kRemainder) &&
           !is_power_of_two(compute.operands[1]);
  }

  static bool is_power_of_two(const Operand& divisor) {
    const int64_t* number = std::get_if<int64_t>(&divisor.value);
    return number != nullptr && *number > 0 && std::has_single_bit(static_cast<uint64_t>(*number));
  }

  /// A scan whose accumulates are sums or products that are only read after them, and are read: of
  /// a sum that is read behind the loop, the order is all that the scan asks for. Products of a few
  /// lanes may leave the range of a float64 that a later one would come back to, but of narrower
  /// elements not: so many do not reach its end.
  bool is_plain_running(size_t i, const Loop& loop) const {
    bool is_read = false;
    for (size_t k = i + 1; k < index(loop.end); ++k) {
      const auto* accumulate = kernel_.statements[k].get_if<Accumulate>();
      if (accumulate == nullptr) continue;
      const auto* reduction = kernel_[accumulate->reduction].get_if<Reduction>();
      const bool in_range =
          reduction->combiner == Combiner::kSum ||
          (reduction->combiner == Combiner::kProduct && reduction->dtype != DType::kFloat64);
      if (!in_range || !is_floating(reduction->dtype)) return false;
      for (size_t before = i + 1; before <= k; ++before) {
        if (reads(kernel_.statements[before], accumulate->reduction)) return false;
      }
      for (size_t behind = k + 1; behind < index(loop.end); ++behind)
        is_read = is_read || reads(kernel_.statements[behind], accumulate->reduction);
    }
    return is_read;
  }

  static bool reads(const Statement& statement, StatementId id) {
    const auto is = [id](const Operand& operand) {
      return !operand.is_literal() && operand.statement() == id;
    };
    if (const auto* compute = statement.get_if<Compute>()) {
      for (const Operand& operand : compute->operands) {
        if (is(operand)) return true;
      }
    } else if (const auto* store = statement.get_if<Store>()) {
      return is(store->value);
    } else if (const auto* accumulate = statement.get_if<Accumulate>()) {
      for (const Operand& operand : accumulate->operands) {
        if (is(operand)) return true;
      }
    }
    return false;
  }

  /// Whether the parallel loop `i` should run in lanes although it holds loops: more of the memory
  /// lies side by side along it than along those inside; or as much, where those are too short to
  /// fill lanes.
  bool prefers_outer(size_t i, const Loop& loop) const {
    if (loop.kind != LoopKind::kParallel || loop.extent.is(1)) return false;
    int inner = 0;
    int outer = 0;
    bool is_short = true;
    for (size_t k = i + 1; k < index(loop.end); ++k) {
      const Loop* nested = loop_at(k);
      if (nested == nullptr || holds<Loop>(k + 1, index(nested->end))) continue;
      const SideBySide found =
          side_by_side(kernel_, k + 1, index(nested->end), StatementId(i), StatementId(k));
      inner += found.inner;
      outer += found.outer;
      is_short &= nested->kind == LoopKind::kParallel &&
                  nested->extent.maybe_constant().value_or(kFewLanes) < kFewLanes;
    }
    const bool fills_lanes = loop.extent.maybe_constant().value_or(kPlainLanes) >= kPlainLanes;
    return outer > inner || (outer == inner && is_short && fills_lanes);
  }

  /// Whether a parallel loop gathers from memory in long steps, and no tile does (emit_across.cpp).
  /// Eight lanes of eight lines each
  /// stay within the ways of a first-level cache even where the step is a power of two.
  bool reads_across(size_t i, const Loop& loop) const {
    if (loop.kind != LoopKind::kParallel) return false;
    if (i > 0 && loop_at(i - 1) != nullptr && walks_across(kernel_, i - 1)) return false;
    for (size_t k = i + 1; k < index(loop.end); ++k) {
      const auto* load = kernel_.statements[k].get_if<Load>();
      if (load == nullptr) continue;
      const SymInt step = memory_stride(kernel_, load->buffer, load->indices, StatementId(i));
      const int64_t known = step.maybe_constant().value_or(kLongStep);
      if (known < -1 || known >= kLongStep) return true;
    }
    return false;
  }

  /// Whether the loop computes so little that the registers hold many lanes: wide stretches of each
  /// row are then read at a time, which memory prefers.
  bool is_light(size_t i, const Loop& loop) const {
    int work = 0;
    for (size_t k = i + 1; k < index(loop.end); ++k) {
      const Statement& statement = kernel_.statements[k];
      const auto* compute = statement.get_if<Compute>();
      if (compute != nullptr) work += compute->function >= ScalarFunction::kExp ? 8 : 1;
      if (statement.get_if<Reduction>() != nullptr) work += 2;
      const auto* load = statement.get_if<Load>();
      if (load != nullptr && dtype_size(kernel_[load->buffer].type.dtype) > 4) work += 4;
    }
    return work <= 6;
  }

  /// Of a loop of light rows, vectors at once: each page of memory holds few rows, so that wide
  /// stretches are worth several times the code where the loop and those inside run often. What
  /// sums add to then lies in memory; maxima are of more operations, and stay in registers.
  unsigned vectors_of_rows(size_t i, const Loop& loop) const {
    int64_t iterations = loop.extent.maybe_constant().value_or(0);
    bool only_sums = true;
    size_t held = 0;
    for (size_t k = i + 1; k < index(loop.end); ++k) {
      const Loop* nested = loop_at(k);
      if (nested != nullptr) iterations *= nested->extent.maybe_constant().value_or(0);
      const auto* reduction = kernel_.statements[k].get_if<Reduction>();
      if (reduction == nullptr) continue;
      only_sums &= reduction->combiner == Combiner::kSum;
      held += bytes_held(*reduction);
    }
    if (only_sums) return iterations < kLargeIterations ? 8 : 32;
    const auto most = static_cast<unsigned>(std::bit_floor(kHeldBytes / (kPlainLanes * held)));
    return std::min(iterations < kLargeIterations ? 8u : 16u, std::max(most, 1u));
  }

  /// What each lane holds of a reduction.
  static size_t bytes_held(const Reduction& reduction) {
    size_t bytes = 0;
    for (uint8_t part = 0; part < info(reduction.combiner).parts; ++part)
      bytes += dtype_size(part_dtype(reduction.combiner, reduction.dtype, part));
    return bytes;
  }

  /// Whether the loop computes so much that compiling its code is dearer than the little that masks
  /// and partial results in memory cost. What its reductions hold must lie in memory lane by lane.
  bool is_heavy(size_t i, const Loop& loop) const {
    if (loop.kind != LoopKind::kReduce || has_many_iterations(loop)) return false;
    for (size_t k = i + 1; k < index(loop.end); ++k) {
      const auto* accumulate = kernel_.statements[k].get_if<Accumulate>();
      if (accumulate == nullptr) continue;
      const auto* reduction = kernel_[accumulate->reduction].get_if<Reduction>();
      if (reduction->combiner > Combiner::kMinimum || is_bool(reduction->dtype)) return false;
    }
    return work_of(i, loop) >= kHeavyCost;
  }

  static bool has_many_iterations(const Loop& loop) {
    return loop.extent.maybe_constant().value_or(0) >= kManyIterations;
  }

  /// The scalar operations of an iteration.
  int work_of(size_t i, const Loop& loop) const {
    int work = 0;
    for (size_t k = i + 1; k < index(loop.end); ++k) {
      const auto* compute = kernel_.statements[k].get_if<Compute>();
      if (compute != nullptr) work += compute->function >= ScalarFunction::kExp ? 8 : 1;
    }
    return work;
  }

  /// One instruction, or hardly more.
  static bool is_brief(ScalarFunction function) {
    return function <= ScalarFunction::kMultiply || function > ScalarFunction::kErf ||
           (function >= ScalarFunction::kMaximum && function <= ScalarFunction::kSquare);
  }

  /// Whether a loop does little with what lies next to each other: counting and jumping would take
  /// as long as its arithmetic.
  bool is_stream(size_t i, const Loop& loop) const {
    const auto extent = loop.extent.maybe_constant();
    if (extent && *extent < 2 * kStreamRepeats * kPlainLanes) return false;
    if (loop.kind != LoopKind::kParallel) return false;
    const auto streams = [&](BufferId buffer, const std::vector<IndexExpression>& indices) {
      const SymInt step = memory_stride(kernel_, buffer, indices, StatementId(i));
      return step.is(0) || step.is(1);
    };
    int work = 0;
    for (size_t k = i + 1; k < index(loop.end); ++k) {
      const Statement& statement = kernel_.statements[k];
      const auto* load = statement.get_if<Load>();
      const auto* store = statement.get_if<Store>();
      const auto* compute = statement.get_if<Compute>();
      if (load != nullptr && !streams(load->buffer, load->indices)) return false;
      if (store != nullptr && !streams(store->buffer, store->indices)) return false;
      if (compute != nullptr && !is_brief(compute->function)) return false;
      work += compute != nullptr;
    }
    return work <= kStreamWork;
  }

  /// Scalar functions that wait for one another leave the processor idle, the longer the chain the
  /// more, as it cannot look as far ahead as the next vector: several vectors at once fill the
  /// gaps. Eager loops have none, so without it a long chain would be slower than they are.
  unsigned lanes_for_chain(size_t i, const Loop& loop) const {
    const int64_t extent = loop.extent.maybe_constant().value_or(kManyIterations - 1);
    const int work = work_of(i, loop);
    if (avx512_ && work >= kLongChain && extent >= 8 * kLongChainLanes) return kLongChainLanes;
    const bool is_chain = work >= kChain && extent >= 8 * kUnrolledLanes;
    return is_chain || (work >= kHeavyCost && has_many_iterations(loop)) ? kUnrolledLanes
                                                                         : kPlainLanes;
  }

  unsigned lanes_for(size_t i, const Loop& loop, bool innermost) const {
    unsigned lanes = kPlainLanes;
    if (innermost && loop.kind == LoopKind::kReduce) lanes = scalar::kPartialSums;
    if (innermost && loop.kind == LoopKind::kScan) lanes = kScanLanes;
    if (innermost && loop.kind == LoopKind::kParallel) lanes = lanes_for_chain(i, loop);
    if (innermost && reads_across(i, loop)) lanes = kPlainLanes / 2;
    if (!innermost) lanes = (is_light(i, loop) ? vectors_of_rows(i, loop) : 2) * kPlainLanes;
    if (const auto extent = loop.extent.maybe_constant()) {
      const auto needed = std::bit_ceil(static_cast<unsigned>(std::min<int64_t>(*extent, lanes)));
      lanes = std::min(lanes, std::max(needed, 4u));
    }
    return lanes;
  }

  const Kernel& kernel_;
  const bool avx512_;
  std::vector<LoopPlan> plans_;
};

}  // namespace

std::vector<LoopPlan> plan_loops(const Kernel& kernel, bool avx512) {
  return Planner(kernel, avx512).run();
}

bool walks_across(const Kernel& kernel, size_t i) {
  const Loop* outer = kernel.statements[i].get_if<Loop>();
  if (outer->kind != LoopKind::kParallel || i + 1 >= index(outer->end)) return false;
  const Loop* inner = kernel.statements[i + 1].get_if<Loop>();
  if (inner == nullptr || inner->kind != LoopKind::kParallel || inner->end != outer->end) {
    return false;
  }
  for (size_t k = i + 2; k < index(outer->end); ++k) {
    if (kernel.statements[k].get_if<Loop>() != nullptr) return false;
    const auto* load = kernel.statements[k].get_if<Load>();
    if (load == nullptr) continue;
    const SymInt along = memory_stride(kernel, load->buffer, load->indices, StatementId(i));
    const SymInt across = memory_stride(kernel, load->buffer, load->indices, StatementId(i + 1));
    if (along.is(1) && !across.is(0) && !across.is(1)) return true;
  }
  return false;
}

}  // namespace glint::cpu
