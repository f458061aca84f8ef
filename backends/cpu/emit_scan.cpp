// Scans of the kernel emitter: running sums and products, whose value so far is stored at each
// place.
//
//     x          1  2  3  4            eight lanes at a time, in float64
//     + 1 lane   1  3  5  7            each lane adds what is one lane below, then two, then four
//     + 2 lanes  1  3  6  10
//     + total    ...                   and what all vectors before came to
//
// Source: Hillis and Steele, Data Parallel Algorithms (1986).
#include <algorithm>

#include "backends/cpu/kernel_emitter.h"

namespace glint::cpu {
namespace {

/// Whether a scan reads the reduction's value so far.
bool runs_in_scan(const Kernel& kernel, size_t reduction) {
  size_t scan_end = 0;
  for (size_t i = reduction + 1; i < kernel.statements.size(); ++i) {
    const Loop* loop = kernel.statements[i].get_if<Loop>();
    if (loop != nullptr && loop->kind == LoopKind::kScan)
      scan_end = std::max(scan_end, index(loop->end));
    const auto* accumulate = kernel.statements[i].get_if<Accumulate>();
    if (accumulate != nullptr && index(accumulate->reduction) == reduction) return i < scan_end;
  }
  return false;
}

}  // namespace

/// Whether a floating total is kept in float64: of the sums of whole rows, and of running sums and
/// products of float32, as in eager mode (ops/scan.cpp). What a scan does in lanes needs it also of
/// narrower floats (loop_plan.cpp).
bool KernelEmitter::has_wide_total(size_t i, const Reduction& reduction) const {
  if (!is_floating(reduction.dtype) || reduction.dtype == DType::kFloat64) return false;
  const bool is_sum = reduction.combiner == Combiner::kSum;
  if (is_sum && lanes_ == 0) return true;
  return (is_sum || reduction.combiner == Combiner::kProduct) && runs_in_scan(kernel_, i);
}

/// A running sum or product: within the lanes by doubling the distance, then on top of the total so
/// far.
void KernelEmitter::accumulate_scan(const Reduction& reduction, Accumulator& accumulator,
                                    llvm::Value* value) {
  const auto join = [&](llvm::Value* x, llvm::Value* y) {
    return combine(reduction, lanes_, {x}, {y}).front();
  };
  if (lane_mask_ != nullptr) {
    value = b().CreateSelect(lane_mask_, value, identity(reduction, lanes_)[0]);
  }
  auto* slot = accumulator.total[0];
  auto* total = b().CreateLoad(slot->getAllocatedType(), slot);
  if (accumulator.wide_total) value = b().CreateFPExt(value, with_lanes(total->getType(), lanes_));
  // What comes in from below changes nothing: of sums that is -0.0.
  auto* nothing =
      llvm::ConstantFP::get(value->getType(), reduction.combiner == Combiner::kSum ? -0.0 : 1.0);
  for (unsigned distance = 1; distance < lanes_; distance *= 2) {
    std::vector<int> from;
    for (unsigned lane = 0; lane < lanes_; ++lane) {
      from.push_back(static_cast<int>(lane < distance ? lanes_ + lane : lane - distance));
    }
    value = join(value, b().CreateShuffleVector(value, nothing, from));
  }
  llvm::Value* last = b().CreateExtractElement(value, uint64_t{lanes_ - 1});
  llvm::Value* running = join(value, b().CreateVectorSplat(lanes_, total));
  if (accumulator.wide_total) {
    running = b().CreateFPTrunc(running, value_type(reduction.dtype, lanes_));
  }
  b().CreateStore(join(total, last), slot);
  auto* current = emission_.stack_slot(running->getType(), "scan");
  b().CreateStore(round_to_storage(reduction.dtype, running, lanes_), current);
  accumulator.partial = {current};
  accumulator.partial_lanes = lanes_;
}

}  // namespace glint::cpu
