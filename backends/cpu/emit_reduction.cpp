// Reductions of the kernel emitter.
//
// A reduction has a total, and, while a loop in lanes (or a block of rows) feeds it, partial
// results: one a lane. They begin at the identity where the loop begins, every accumulate combines
// into them, and behind the loop they are folded by halves and combined with the total. The order
// is that of ops/scalar/reduction_order.h.
//
//     total = 0.0                                        acc = reduction sum
//     partial = <64 x float> zero                        reduce j ... {
//     loop: partial += x[j .. j + 64]                      acc += x
//     total += fold(partial)                             }
#include <bit>
#include <limits>
#include <numeric>
#include <utility>

#include "backends/cpu/kernel_emitter.h"
#include "core/support/check.h"
#include "ops/scalar/apply.h"
#include "ops/scalar/reduction_order.h"

namespace glint::cpu {
namespace {

/// Maxima and minima of floats: while partial, nans are only noted, beside the best number so far,
/// which takes a third of the time of carrying them along.
bool notes_nan(const Reduction& reduction) {
  return is_floating(reduction.dtype) &&
         (reduction.combiner == Combiner::kMaximum || reduction.combiner == Combiner::kMinimum);
}

/// Beyond all short indices, also with a lane's number added.
constexpr uint32_t kNoIndex = std::numeric_limits<int32_t>::max();

bool is_index_combiner(Combiner combiner) {
  return combiner == Combiner::kArgmax || combiner == Combiner::kArgmin;
}

/// Whether the index that is accumulated grows from one time to the next: it goes with the one loop
/// that the reduction runs along.
bool index_grows(const Kernel& kernel, const Accumulate& accumulate) {
  const Operand& operand = accumulate.operands[1];
  if (operand.is_literal()) return false;
  const size_t at = index(operand.statement());
  const auto* value = kernel.statements[at].get_if<IndexValue>();
  if (value == nullptr) return false;
  std::optional<SymInt> factor;
  for (size_t i = index(accumulate.reduction) + 1; i < at; ++i) {
    const Loop* loop = kernel.statements[i].get_if<Loop>();
    if (loop == nullptr || index(loop->end) <= at) continue;
    if (factor) return false;
    factor = value->expression.coefficient(StatementId(i));
  }
  return factor && factor->maybe_constant().value_or(0) > 0 &&
         std::ranges::all_of(value->expression.terms, [&](const IndexTerm& term) {
           return kernel[term.variable].get_if<Loop>() != nullptr;
         });
}

}  // namespace

void KernelEmitter::emit_reduction(size_t i, const Reduction& reduction) {
  Accumulator& accumulator = accumulators_[i];
  accumulator = {};
  accumulator.total_lanes = lanes_;
  accumulator.wide_total = has_wide_total(i, reduction);
  auto start = identity(reduction, lanes_);
  if (accumulator.wide_total) {
    start[0] = b().CreateFPExt(start[0], with_lanes(b().getDoubleTy(), lanes_));
  }
  for (llvm::Value* value : start) {
    auto* slot = emission_.stack_slot(value->getType(), "total");
    b().CreateStore(value, slot);
    accumulator.total.push_back(slot);
  }
}

std::vector<llvm::Value*> KernelEmitter::identity(const Reduction& reduction, unsigned lanes) {
  auto* type = value_type(reduction.dtype, lanes);
  auto* zero = llvm::Constant::getNullValue(type);
  const auto extreme = [&](bool least) -> llvm::Value* {
    if (is_floating(reduction.dtype)) return llvm::ConstantFP::getInfinity(type, least);
    if (is_bool(reduction.dtype)) return llvm::ConstantInt::get(type, least ? 0 : 1);
    const unsigned bits = type->getScalarSizeInBits();
    if (reduction.dtype == DType::kUInt8) return llvm::ConstantInt::get(type, least ? 0 : 255);
    return llvm::ConstantInt::get(
        type, least ? llvm::APInt::getSignedMinValue(bits) : llvm::APInt::getSignedMaxValue(bits));
  };
  switch (reduction.combiner) {
    case Combiner::kSum:
      return {zero};
    case Combiner::kProduct:
      return {is_floating(reduction.dtype) ? llvm::ConstantFP::get(type, 1.0)
                                           : llvm::ConstantInt::get(type, 1)};
    case Combiner::kMaximum:
      return {extreme(true)};
    case Combiner::kMinimum:
      return {extreme(false)};
    case Combiner::kAny:
      return {llvm::ConstantInt::get(with_lanes(b().getInt1Ty(), lanes), 0)};
    case Combiner::kAll:
      return {llvm::ConstantInt::get(with_lanes(b().getInt1Ty(), lanes), 1)};
    case Combiner::kArgmax:
    case Combiner::kArgmin:
      return {extreme(reduction.combiner == Combiner::kArgmax),
              llvm::Constant::getNullValue(with_lanes(b().getInt64Ty(), lanes))};
    case Combiner::kWelford:
      return {zero, zero, zero};
  }
  fail("every combiner has an identity");
}

/// The reductions outside [first, last) that an accumulate inside feeds.
std::vector<size_t> KernelEmitter::fed_by(size_t first, size_t last) const {
  std::vector<size_t> fed;
  for (size_t i = first; i < last; ++i) {
    const auto* accumulate = kernel_.statements[i].get_if<Accumulate>();
    if (accumulate == nullptr) continue;
    const size_t reduction = index(accumulate->reduction);
    if (reduction >= first) continue;
    if (std::find(fed.begin(), fed.end(), reduction) == fed.end()) fed.push_back(reduction);
  }
  return fed;
}

/// Whether a reducing loop inside the loop `i` feeds one of these too: then that one runs in
/// blocks.
bool KernelEmitter::feeds_deeper(size_t i, const Loop& loop,
                                 const std::vector<size_t>& reductions) const {
  for (size_t k = i + 1; k < index(loop.end); ++k) {
    const Loop* inner = kernel_.statements[k].get_if<Loop>();
    if (inner == nullptr || inner->kind != LoopKind::kReduce) continue;
    for (size_t reduction : fed_by(k + 1, index(inner->end)))
      if (std::find(reductions.begin(), reductions.end(), reduction) != reductions.end())
        return true;
  }
  return false;
}

bool KernelEmitter::has_blocked_sum(const std::vector<size_t>& reductions) const {
  for (size_t i : reductions) {
    const auto* reduction = kernel_.statements[i].get_if<Reduction>();
    if (reduction->combiner == Combiner::kSum && is_floating(reduction->dtype)) return true;
  }
  return false;
}

/// Marks the reductions whose partial indices can be short: where the index that the loop `i` feeds
/// them is its own, and fits 32 bits, a lane notes no more than where its vector began.
void KernelEmitter::shorten_indices(size_t i, const Loop& loop) {
  const auto extent = loop.extent.maybe_constant();
  if (!extent || *extent > std::numeric_limits<int32_t>::max()) return;
  for (size_t k = i + 1; k < index(loop.end); ++k) {
    const auto* accumulate = kernel_.statements[k].get_if<Accumulate>();
    if (accumulate == nullptr || accumulate->operands.size() < 2) continue;
    const Operand& at = accumulate->operands[1];
    if (at.is_literal()) continue;
    const auto* value = kernel_[at.statement()].get_if<IndexValue>();
    if (value == nullptr || !(value->expression == IndexExpression(StatementId(i)))) continue;
    accumulators_.at(index(accumulate->reduction)).index_axis = StatementId(i);
  }
}

/// 0, 1, 2, ... in 32 bits.
llvm::Constant* KernelEmitter::lane_numbers(unsigned lanes) {
  std::vector<uint32_t> numbers(lanes);
  std::iota(numbers.begin(), numbers.end(), 0U);
  return llvm::ConstantDataVector::get(module_.getContext(), numbers);
}

/// Begins the partial results of `lanes` lanes, which the code does `width` at a time.
void KernelEmitter::open_partials(const std::vector<size_t>& reductions, unsigned lanes,
                                  unsigned width) {
  for (size_t i : reductions) {
    const auto* reduction = kernel_.statements[i].get_if<Reduction>();
    Accumulator& accumulator = accumulators_.at(i);
    accumulator.partial_lanes = lanes;
    accumulator.partial.clear();
    auto start = identity(*reduction, lanes);
    if (accumulator.index_axis) {
      start[1] = llvm::Constant::getNullValue(with_lanes(b().getInt32Ty(), lanes));
    }
    for (llvm::Value* value : start) {
      auto* slot = emission_.stack_slot(value->getType(), "partial");
      b().CreateStore(value, slot);
      accumulator.partial.push_back(slot);
    }
    if (accumulator.total_lanes == 0 && accumulator.index_axis && lanes > 1 &&
        is_floating(reduction->dtype) && !is_value_read(i)) {
      auto* numbers = start[1]->getType();
      accumulator.first_nan = emission_.stack_slot(numbers, "nan");
      b().CreateStore(llvm::ConstantInt::get(numbers, kNoIndex), accumulator.first_nan);
    }
    if (accumulator.total_lanes == 0 && notes_nan(*reduction)) {
      auto* flags = with_lanes(b().getInt1Ty(), width / 2);
      accumulator.nan_seen = emission_.stack_slot(flags, "nan");
      b().CreateStore(llvm::Constant::getNullValue(flags), accumulator.nan_seen);
    }
  }
}

/// The part of a partial result that the lanes at hand add to.
llvm::Value* KernelEmitter::partial_place(llvm::AllocaInst* slot) {
  if (partial_offset_ == nullptr) return slot;
  auto* element = slot->getAllocatedType()->getScalarType();
  return b().CreateInBoundsGEP(element, slot, partial_offset_);
}

/// Whether a statement reads the value of a reduction that finds an index.
bool KernelEmitter::is_value_read(size_t reduction) const {
  const auto is = [&](const Operand& x) {
    return !x.is_literal() && index(x.statement()) == reduction && x.part == 0;
  };
  return std::ranges::any_of(kernel_.statements, [&](const Statement& statement) {
    if (const auto* compute = statement.get_if<Compute>())
      return std::ranges::any_of(compute->operands, is);
    if (const auto* accumulate = statement.get_if<Accumulate>())
      return std::ranges::any_of(accumulate->operands, is);
    const auto* store = statement.get_if<Store>();
    return store != nullptr && is(store->value);
  });
}

/// The best of the lanes' values and the least index that has it, or the least of `nans`: the value
/// first, then the index, each a tree of one instruction a level. Of zeros it may give the other's
/// sign.
std::vector<llvm::Value*> KernelEmitter::first_of_best(const Reduction& reduction,
                                                       llvm::Value* values, llvm::Value* indices,
                                                       llvm::Value* nans) {
  const auto count = llvm::cast<llvm::FixedVectorType>(values->getType())->getNumElements();
  llvm::Value* best = values;
  for (unsigned lanes = count / 2; lanes != 0; lanes /= 2) {
    best = better_number(reduction, register_of(b(), best, 0, lanes),
                         register_of(b(), best, lanes, lanes));
  }
  best = b().CreateExtractElement(best, uint64_t{0});
  auto* same = b().CreateFCmpOEQ(values, b().CreateVectorSplat(count, best));
  auto* beyond = llvm::ConstantInt::get(indices->getType(), kNoIndex);
  auto* place = b().CreateIntMinReduce(b().CreateSelect(same, indices, beyond), false);
  auto* nan_place = b().CreateIntMinReduce(nans, false);
  auto* has_nan = b().CreateICmpULT(nan_place, b().getInt32(kNoIndex));
  return {b().CreateSelect(has_nan, llvm::ConstantFP::getNaN(best->getType()), best),
          b().CreateSelect(has_nan, nan_place, place)};
}

/// One result of many lanes': by halves, except where a first of the best is all that is asked for.
std::vector<llvm::Value*> KernelEmitter::fold_lanes(const Reduction& reduction,
                                                    Accumulator& accumulator,
                                                    std::vector<llvm::Value*> parts) {
  unsigned lanes = accumulator.partial_lanes;
  if (auto* slot = std::exchange(accumulator.first_nan, nullptr)) {
    auto* nans = b().CreateLoad(slot->getAllocatedType(), slot);
    return first_of_best(reduction, parts[0], parts[1], b().CreateAdd(nans, lane_numbers(lanes)));
  }
  for (lanes /= 2; lanes != 0; lanes /= 2) {
    std::vector<llvm::Value*> low, high;
    for (llvm::Value* part : parts) {
      low.push_back(register_of(b(), part, 0, lanes));
      high.push_back(register_of(b(), part, lanes, lanes));
    }
    parts = accumulator.nan_seen != nullptr
                ? std::vector<llvm::Value*>{better_number(reduction, low[0], high[0])}
                : combine(reduction, lanes, low, high);
  }
  for (llvm::Value*& part : parts) part = b().CreateExtractElement(part, uint64_t{0});
  return parts;
}

/// Folds the partial results and combines them with the totals.
void KernelEmitter::close_partials(const std::vector<size_t>& reductions) {
  for (size_t i : reductions) {
    const auto* reduction = kernel_.statements[i].get_if<Reduction>();
    Accumulator& accumulator = accumulators_.at(i);
    std::vector<llvm::Value*> parts;
    for (auto* slot : accumulator.partial) {
      parts.push_back(b().CreateLoad(slot->getAllocatedType(), slot));
    }
    if (accumulator.index_axis)
      parts[1] = b().CreateAdd(parts[1], lane_numbers(accumulator.partial_lanes));
    if (accumulator.total_lanes == 0) parts = fold_lanes(*reduction, accumulator, parts);
    if (accumulator.index_axis) {
      parts[1] = b().CreateZExt(parts[1], b().getInt64Ty());
      accumulator.index_axis.reset();
    }
    if (accumulator.nan_seen != nullptr) {
      auto* flags = b().CreateLoad(accumulator.nan_seen->getAllocatedType(), accumulator.nan_seen);
      parts[0] = b().CreateSelect(b().CreateOrReduce(flags),
                                  llvm::ConstantFP::getNaN(parts[0]->getType()), parts[0]);
      accumulator.nan_seen = nullptr;
    }
    std::vector<llvm::Value*> totals;
    for (auto* slot : accumulator.total) {
      totals.push_back(b().CreateLoad(slot->getAllocatedType(), slot));
    }
    if (accumulator.wide_total) {
      parts[0] = b().CreateFAdd(totals[0], b().CreateFPExt(parts[0], b().getDoubleTy()));
    } else {
      parts = combine(*reduction, accumulator.total_lanes, totals, parts);
    }
    for (size_t k = 0; k < parts.size(); ++k) b().CreateStore(parts[k], accumulator.total[k]);
    accumulator.partial.clear();
    accumulator.partial_lanes = 0;
  }
}

/// The greater (or lesser) of two values, the second if one is nan: one instruction.
llvm::Value* KernelEmitter::better_number(const Reduction& reduction, llvm::Value* x,
                                          llvm::Value* y) {
  const bool greatest =
      reduction.combiner == Combiner::kMaximum || reduction.combiner == Combiner::kArgmax;
  auto* better = greatest ? b().CreateFCmpOGT(x, y) : b().CreateFCmpOLT(x, y);
  return b().CreateSelect(better, x, y);
}

/// The same, but a nan if there is one. The fence keeps LLVM from making one choice of the two:
/// that takes two masks for each vector instead of an instruction and one mask, and there are few.
llvm::Value* KernelEmitter::better_or_nan(const Reduction& reduction, llvm::Value* so_far,
                                          llvm::Value* value) {
  llvm::Value* better = better_number(reduction, value, so_far);
  better = b().CreateIntrinsic(llvm::Intrinsic::arithmetic_fence, {better->getType()}, {better});
  return b().CreateSelect(b().CreateFCmpUNO(value, value), value, better);
}

/// Whether a lane of the lower or upper half of `value` is nan.
void KernelEmitter::note_nan(Accumulator& accumulator, llvm::Value* value) {
  std::vector<int> low, high;
  for (unsigned lane = 0; lane < lanes_ / 2; ++lane) {
    low.push_back(static_cast<int>(lane));
    high.push_back(static_cast<int>(lane + lanes_ / 2));
  }
  auto* unordered =
      b().CreateFCmpUNO(b().CreateShuffleVector(value, low), b().CreateShuffleVector(value, high));
  auto* slot = accumulator.nan_seen;
  auto* old = b().CreateLoad(slot->getAllocatedType(), slot);
  b().CreateStore(b().CreateOr(old, unordered), slot);
}

/// `a` and `b` combined, part by part.
std::vector<llvm::Value*> KernelEmitter::combine(const Reduction& reduction, unsigned lanes,
                                                 const std::vector<llvm::Value*>& x,
                                                 const std::vector<llvm::Value*>& y) {
  const auto function = [&](ScalarFunction f) -> std::vector<llvm::Value*> {
    Compute compute{f, reduction.dtype, {}};
    return {is_floating(reduction.dtype) ? floating(compute, {x[0], y[0]}, lanes)
                                         : integral(compute, {x[0], y[0]}, lanes)};
  };
  switch (reduction.combiner) {
    case Combiner::kSum:
      if (is_floating(reduction.dtype)) return {b().CreateFAdd(x[0], y[0])};
      return function(ScalarFunction::kAdd);
    case Combiner::kProduct:
      if (is_floating(reduction.dtype)) return {b().CreateFMul(x[0], y[0])};
      return function(ScalarFunction::kMultiply);
    case Combiner::kMaximum:
      if (is_floating(reduction.dtype)) return {better_or_nan(reduction, x[0], y[0])};
      return function(ScalarFunction::kMaximum);
    case Combiner::kMinimum:
      if (is_floating(reduction.dtype)) return {better_or_nan(reduction, x[0], y[0])};
      return function(ScalarFunction::kMinimum);
    case Combiner::kAny:
      return {b().CreateOr(x[0], y[0])};
    case Combiner::kAll:
      return {b().CreateAnd(x[0], y[0])};
    case Combiner::kArgmax:
    case Combiner::kArgmin: {
      const bool greatest = reduction.combiner == Combiner::kArgmax;
      llvm::Value* better = nullptr;
      llvm::Value* same = nullptr;
      if (is_floating(reduction.dtype)) {
        auto* x_nan = b().CreateFCmpUNO(x[0], x[0]);
        auto* y_nan = b().CreateFCmpUNO(y[0], y[0]);
        auto* beats = greatest ? b().CreateFCmpUGT(y[0], x[0]) : b().CreateFCmpULT(y[0], x[0]);
        better = b().CreateAnd(beats, b().CreateNot(x_nan));
        same = b().CreateOr(b().CreateFCmpOEQ(x[0], y[0]), b().CreateAnd(x_nan, y_nan));
      } else {
        const bool is_unsigned = reduction.dtype == DType::kUInt8 || is_bool(reduction.dtype);
        if (is_unsigned) {
          better = greatest ? b().CreateICmpUGT(y[0], x[0]) : b().CreateICmpULT(y[0], x[0]);
        } else {
          better = greatest ? b().CreateICmpSGT(y[0], x[0]) : b().CreateICmpSLT(y[0], x[0]);
        }
        same = b().CreateICmpEQ(x[0], y[0]);
      }
      auto* earlier = b().CreateAnd(same, b().CreateICmpSLT(y[1], x[1]));
      auto* take = b().CreateOr(better, earlier);
      return {b().CreateSelect(take, y[0], x[0]), b().CreateSelect(take, y[1], x[1])};
    }
    case Combiner::kWelford: {
      // Chan, Golub, LeVeque: means and squared deviations of two parts.
      auto* count = b().CreateFAdd(x[2], y[2]);
      auto* zero = llvm::Constant::getNullValue(count->getType());
      auto* empty = b().CreateFCmpOEQ(count, zero);
      auto* share = b().CreateSelect(empty, zero, b().CreateFDiv(y[2], count));
      auto* delta = b().CreateFSub(y[0], x[0]);
      auto* mean = b().CreateFAdd(x[0], b().CreateFMul(delta, share));
      auto* between = b().CreateFMul(b().CreateFMul(delta, delta), b().CreateFMul(x[2], share));
      auto* squares = b().CreateFAdd(b().CreateFAdd(x[1], y[1]), between);
      return {mean, squares, count};
    }
  }
  fail("every combiner combines");
}

void KernelEmitter::emit_accumulate(const Accumulate& accumulate) {
  const size_t id = index(accumulate.reduction);
  const auto* reduction = kernel_.statements[id].get_if<Reduction>();
  Accumulator& accumulator = accumulators_.at(id);
  const bool in_partial = !accumulator.partial.empty();
  const bool scan_in_lanes = in_scan_ && lanes_ != 0 && accumulator.total_lanes == 0;
  const bool varying = lanes_ != 0 && (in_partial || accumulator.total_lanes != 0 || scan_in_lanes);
  const DType dtype = reduction->combiner == Combiner::kAny || reduction->combiner == Combiner::kAll
                          ? DType::kBool
                          : reduction->dtype;
  std::vector<llvm::Value*> values = {operand(accumulate.operands[0], dtype, varying)};
  if (is_index_combiner(reduction->combiner)) {
    values.push_back(accumulator.index_axis
                         ? spread(b().CreateTrunc(values_[index(*accumulator.index_axis)].value,
                                                  b().getInt32Ty()))
                         : operand(accumulate.operands[1], DType::kInt64, varying));
  }
  if (scan_in_lanes) {
    accumulate_scan(*reduction, accumulator, values[0]);
    return;
  }
  if (reduction->combiner == Combiner::kWelford) {
    accumulate_welford(*reduction, accumulator, values[0]);
    return;
  }
  if (is_index_combiner(reduction->combiner) &&
      (in_partial ? varying : index_grows(kernel_, accumulate))) {
    accumulate_index(*reduction, accumulator, in_partial ? accumulator.partial : accumulator.total,
                     values);
    return;
  }
  // Lanes beyond the end of the loop leave what they have (only a loop in lanes has a mask).
  if (varying && lane_mask_ != nullptr) {
    const auto neutral = identity(*reduction, lanes_);
    for (size_t k = 0; k < values.size(); ++k) {
      values[k] = b().CreateSelect(lane_mask_, values[k], neutral[k]);
    }
  }
  std::vector<llvm::Value*> slots, old;
  for (auto* slot : in_partial ? accumulator.partial : accumulator.total) {
    auto* type = partial_offset_ != nullptr ? values[0]->getType() : slot->getAllocatedType();
    slots.push_back(in_partial ? partial_place(slot) : slot);
    old.push_back(b().CreateLoad(type, slots.back()));
  }
  if (in_partial && accumulator.nan_seen != nullptr) {
    note_nan(accumulator, values[0]);
    values[0] = better_number(*reduction, values[0], old[0]);
  } else {
    if (!in_partial && accumulator.wide_total)
      values[0] = b().CreateFPExt(values[0], old[0]->getType());
    values = combine(*reduction, varying ? lanes_ : 0, old, values);
  }
  for (size_t k = 0; k < values.size(); ++k) b().CreateStore(values[k], slots[k]);
}

/// The indices only grow, so that of two equal values the one held already stays.
void KernelEmitter::accumulate_index(const Reduction& reduction, Accumulator& accumulator,
                                     const std::vector<llvm::AllocaInst*>& slots,
                                     const std::vector<llvm::Value*>& values) {
  const bool greatest = reduction.combiner == Combiner::kArgmax;
  llvm::Value* old[2];
  for (int k = 0; k < 2; ++k) {
    auto* slot = slots[static_cast<size_t>(k)];
    old[k] = b().CreateLoad(slot->getAllocatedType(), slot);
  }
  llvm::Value* better = nullptr;
  if (accumulator.first_nan != nullptr) {
    better = greatest ? b().CreateFCmpOGT(values[0], old[0]) : b().CreateFCmpOLT(values[0], old[0]);
    note_first_nan(accumulator, values);
  } else if (is_floating(reduction.dtype)) {
    auto* beats =
        greatest ? b().CreateFCmpUGT(values[0], old[0]) : b().CreateFCmpULT(values[0], old[0]);
    better = b().CreateAnd(beats, b().CreateFCmpORD(old[0], old[0]));
  } else if (reduction.dtype == DType::kUInt8 || is_bool(reduction.dtype)) {
    better = greatest ? b().CreateICmpUGT(values[0], old[0]) : b().CreateICmpULT(values[0], old[0]);
  } else {
    better = greatest ? b().CreateICmpSGT(values[0], old[0]) : b().CreateICmpSLT(values[0], old[0]);
  }
  if (lane_mask_ != nullptr) better = b().CreateAnd(better, lane_mask_);
  for (size_t k = 0; k < 2; ++k) {
    b().CreateStore(b().CreateSelect(better, values[k], old[k]), slots[k]);
  }
}

/// A lane's first nan, kept beside its best number: neither waits for the other.
void KernelEmitter::note_first_nan(Accumulator& accumulator,
                                   const std::vector<llvm::Value*>& values) {
  auto* slot = accumulator.first_nan;
  auto* old = b().CreateLoad(slot->getAllocatedType(), slot);
  llvm::Value* is_nan = b().CreateFCmpUNO(values[0], values[0]);
  if (lane_mask_ != nullptr) is_nan = b().CreateAnd(is_nan, lane_mask_);
  auto* earlier = b().CreateBinaryIntrinsic(llvm::Intrinsic::umin, old, values[1]);
  b().CreateStore(b().CreateSelect(is_nan, earlier, old), slot);
}

/// One more value: mean += (x - mean) / count, squares += (x - old mean) (x - mean).
void KernelEmitter::accumulate_welford(const Reduction& reduction, Accumulator& accumulator,
                                       llvm::Value* value) {
  const auto& slots = accumulator.partial.empty() ? accumulator.total : accumulator.partial;
  std::vector<llvm::Value*> old;
  for (auto* slot : slots) old.push_back(b().CreateLoad(slot->getAllocatedType(), slot));
  auto* type = value->getType();
  auto* one = llvm::ConstantFP::get(type, 1.0);
  auto* count = b().CreateFAdd(old[2], one);
  auto* delta = b().CreateFSub(value, old[0]);
  llvm::Value* inverse = nullptr;
  if (type->isVectorTy() && lane_mask_ == nullptr) {
    // All lanes have seen equally many: one division does.
    auto* first = b().CreateExtractElement(count, uint64_t{0});
    inverse = spread(b().CreateFDiv(llvm::ConstantFP::get(first->getType(), 1.0), first));
  } else {
    inverse = b().CreateFDiv(one, count);
  }
  const auto fma = [&](llvm::Value* x, llvm::Value* y, llvm::Value* z) {
    return b().CreateIntrinsic(llvm::Intrinsic::fma, {type}, {x, y, z});
  };
  llvm::Value* mean = fma(delta, inverse, old[0]);
  llvm::Value* squares = fma(delta, b().CreateFSub(value, mean), old[1]);
  llvm::Value* updated[3] = {mean, squares, count};
  for (size_t k = 0; k < 3; ++k) {
    if (lane_mask_ != nullptr && type->isVectorTy()) {
      updated[k] = b().CreateSelect(lane_mask_, updated[k], old[k]);
    }
    b().CreateStore(updated[k], slots[k]);
  }
}

Emitted KernelEmitter::reduction_value(StatementId id, uint8_t part) {
  const auto* reduction = kernel_[id].get_if<Reduction>();
  Accumulator& accumulator = accumulators_.at(index(id));
  if (in_scan_ && !accumulator.partial.empty()) {
    auto* slot = accumulator.partial[part];
    return {b().CreateLoad(slot->getAllocatedType(), slot), true};
  }
  auto* slot = accumulator.total[part];
  llvm::Value* value = b().CreateLoad(slot->getAllocatedType(), slot);
  if (accumulator.wide_total)
    value = b().CreateFPTrunc(value, with_lanes(b().getFloatTy(), accumulator.total_lanes));
  if (is_floating(reduction->dtype) && value->getType()->isFPOrFPVectorTy()) {
    value = round_to_storage(reduction->dtype, value, accumulator.total_lanes);
  }
  return {value, accumulator.total_lanes != 0};
}

}  // namespace glint::cpu
