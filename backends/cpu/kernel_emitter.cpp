#include "backends/cpu/kernel_emitter.h"

#include <llvm/BinaryFormat/Dwarf.h>

#include <algorithm>

#include "core/support/check.h"
#include "ops/scalar/reduction_order.h"

namespace glint::cpu {

/// Iterations of an outer loop for each vector of the inner: a line of memory.
constexpr int64_t kStrip = kPlainLanes;
/// Columns of a narrow stretch of rows.
constexpr unsigned kNarrowStretch = 2 * kPlainLanes;

KernelEmitter::KernelEmitter(llvm::Module& module, const Kernel& kernel, std::string symbol,
                             bool avx512, bool with_lines)
    : module_(module),
      kernel_(kernel),
      symbol_(std::move(symbol)),
      builder_(module.getContext()),
      emission_{module, builder_, nullptr, avx512},
      plans_(plan_loops(kernel, avx512)),
      with_lines_(with_lines),
      buffers_(kernel.buffers.size()),
      values_(kernel.statements.size()) {}

EmittedKernel KernelEmitter::emit() {
  begin_function();
  emit_whole();
  b().CreateRet(b().getInt32(0));
  const bool does_rows = plans_.front().lanes != 0 && !is_innermost(0);
  return {symbol_, size_expressions_, scratch_bytes_, does_rows ? plans_.front().lanes : 1,
          thread_extent_};
}

/// Whether a statement holds no loop.
bool KernelEmitter::is_innermost(size_t i) const {
  const Loop* loop = kernel_.statements[i].get_if<Loop>();
  if (loop == nullptr) return true;
  return std::none_of(kernel_.statements.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                      kernel_.statements.begin() + static_cast<std::ptrdiff_t>(index(loop->end)),
                      [](const Statement& inside) { return inside.get_if<Loop>() != nullptr; });
}

void KernelEmitter::begin_function() {
  auto& context = module_.getContext();
  auto* pointer = b().getPtrTy();
  auto* type = llvm::FunctionType::get(
      b().getInt32Ty(), {pointer, pointer, pointer, pointer, b().getInt64Ty(), b().getInt64Ty()},
      false);
  function_ = llvm::Function::Create(type, llvm::Function::ExternalLinkage, symbol_, module_);
  symbol_ = function_->getName().str();  // two kernels of one name: LLVM numbers the second
  const char* names[] = {"context", "scratch", "parameters", "sizes", "begin", "end"};
  for (unsigned i = 0; i < 6; ++i) function_->getArg(i)->setName(names[i]);
  function_->addFnAttr(llvm::Attribute::NoUnwind);
  function_->addFnAttr("prefer-vector-width", "512");
  function_->addFnAttr("frame-pointer", "none");
  if (with_lines_) attach_debug_info(function_);

  emission_.entry = llvm::BasicBlock::Create(context, "entry", function_);
  auto* body = llvm::BasicBlock::Create(context, "body", function_);
  b().SetInsertPoint(emission_.entry);
  set_line(0);
  for (uint32_t i = 0; i < kernel_.parameter_count; ++i) {
    auto* slot = b().CreateConstInBoundsGEP1_64(pointer, function_->getArg(kParameters), i);
    buffers_[i] = b().CreateLoad(pointer, slot, kernel_.buffers[i].name);
  }
  // One alias scope a buffer, so that a load moves past the stores to others.
  alias_domain_ = llvm::MDNode::getDistinct(context, {llvm::MDString::get(context, symbol_)});
  for (const KernelBuffer& buffer : kernel_.buffers) {
    alias_scopes_.push_back(llvm::MDNode::getDistinct(
        context, {llvm::MDString::get(context, buffer.name), alias_domain_}));
  }
  b().CreateBr(body);
  b().SetInsertPoint(body);
}

void KernelEmitter::attach_debug_info(llvm::Function* function) {
  llvm::DIBuilder debug(module_);
  auto* file = debug.createFile(kernel_.name + ".kernel", ".");
  debug.createCompileUnit(llvm::dwarf::DW_LANG_C, file, "glint", true, "", 0, "",
                          llvm::DICompileUnit::LineTablesOnly);
  auto* type = debug.createSubroutineType(debug.getOrCreateTypeArray({}));
  subprogram_ = debug.createFunction(
      file, symbol_, symbol_, file, 1, type, 1, llvm::DINode::FlagZero,
      llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagOptimized);
  function->setSubprogram(subprogram_);
  debug.finalize();
}

llvm::DebugLoc KernelEmitter::line_of(size_t statement) const {
  if (subprogram_ == nullptr) return {};
  return llvm::DILocation::get(module_.getContext(), static_cast<unsigned>(statement) + 1, 0,
                               subprogram_);
}

void KernelEmitter::emit_range(size_t first, size_t last) {
  for (size_t i = first; i < last; ++i) {
    set_line(i);
    if (const Loop* loop = kernel_.statements[i].get_if<Loop>()) {
      emit_loop(i, *loop);
      i = index(loop->end) - 1;
    } else {
      emit_statement(i);
    }
  }
}

void KernelEmitter::emit_statement(size_t i) {
  const Statement& statement = kernel_.statements[i];
  if (const auto* load = statement.get_if<Load>()) {
    emit_load(i, *load);
  } else if (const auto* store = statement.get_if<Store>()) {
    emit_store(*store);
  } else if (const auto* compute = statement.get_if<Compute>()) {
    emit_compute(i, *compute);
  } else if (const auto* index = statement.get_if<IndexValue>()) {
    values_[i] = index_value(index->expression);
  } else if (const auto* reduction = statement.get_if<Reduction>()) {
    emit_reduction(i, *reduction);
  } else if (const auto* accumulate = statement.get_if<Accumulate>()) {
    emit_accumulate(*accumulate);
  } else if (const auto* scratch = statement.get_if<Scratch>()) {
    emit_scratch(*scratch);
  } else if (const auto* check = statement.get_if<Check>()) {
    emit_check(*check, i);
  }
}

/// What a call is asked for, from `begin` to `end`: iterations of the one loop, or shares of each.
void KernelEmitter::emit_whole() {
  llvm::Value *begin = function_->getArg(kBegin), *end = function_->getArg(kEnd);
  const Loop* whole = kernel_.whole_loop();
  if (whole == nullptr && !kernel_.has_loops_apart()) {
    emit_range(0, kernel_.statements.size());
    return;
  }
  thread_extent_ = whole ? whole->extent : SymInt(kShares);
  for (size_t i = 0; i < kernel_.statements.size();) {
    const Loop& loop = *kernel_.statements[i].get_if<Loop>();
    set_line(i);
    emit_loop(i, loop, whole ? begin : share_of(i, loop, begin),
              whole ? end : share_of(i, loop, end));
    i = index(loop.end);
  }
}

/// Where the first `shares` of a loop end: all of them at its end, fewer at a multiple of the lanes
/// that the rows inside are done in.
llvm::Value* KernelEmitter::share_of(size_t i, const Loop& loop, llvm::Value* shares) {
  auto* extent = size(loop.extent);
  auto* all = b().getInt64(kShares);
  auto* part = b().CreateSDiv(b().CreateMul(extent, shares), all);
  const int64_t lanes = plans_[i].lanes;
  if (lanes > 1) part = b().CreateAnd(part, b().getInt64(-lanes));
  return b().CreateSelect(b().CreateICmpEQ(shares, all), extent, part);
}

void KernelEmitter::emit_loop(size_t i, const Loop& loop) {
  llvm::Value* high = size(loop.extent);
  if (loop.rest) {
    check(lanes_ == 0, "the lanes of a loop over blocks would end at different places");
    high = b().CreateBinaryIntrinsic(llvm::Intrinsic::smin, high, index_value(*loop.rest).value);
  }
  emit_loop(i, loop, b().getInt64(0), high);
}

void KernelEmitter::emit_loop(size_t i, const Loop& loop, llvm::Value* low, llvm::Value* high) {
  if (plans_[i].lanes != 0) {
    emit_lanes_loop(i, loop, low, high);
    return;
  }
  if (lanes_ == 0 && walks_across(kernel_, i) && plans_[i + 1].lanes != 0) {
    emit_tiled(i, low, high);
    return;
  }
  if (loop.kind == LoopKind::kParallel && lanes_ == 0) plan_prefetches(i, loop);
  const auto body = [&](llvm::Value* counter) {
    values_[i] = {counter, false};
    emit_range(i + 1, index(loop.end));
    set_line(i);
  };
  // A reduction over rows while the columns run in lanes: in blocks (reduction_order.h).
  const auto fed =
      loop.kind == LoopKind::kReduce ? fed_by(i + 1, index(loop.end)) : std::vector<size_t>();
  if (lanes_ == 0 || fed.empty() || !has_blocked_sum(fed) || feeds_deeper(i, loop, fed)) {
    emit_counted(low, high, b().getInt64(1), "i", body);
    return;
  }
  auto* block = b().getInt64(scalar::kColumnBlock);
  emit_counted(low, high, block, "block", [&](llvm::Value* start) {
    auto* stop =
        b().CreateBinaryIntrinsic(llvm::Intrinsic::smin, b().CreateAdd(start, block), high);
    open_partials(fed, lanes_, lanes_);
    emit_counted(start, stop, b().getInt64(1), "i", body);
    close_partials(fed);
  });
}

/// A pair of loops that reads across (loop_plan.h), in strips: a cache line's worth of the outer
/// loop for each vector of the inner, so that a line that is read across is used whole.
void KernelEmitter::emit_tiled(size_t i, llvm::Value* low, llvm::Value* high) {
  auto* count = b().CreateSub(high, low);
  auto* middle = b().CreateAdd(low, b().CreateAnd(count, b().getInt64(-kStrip)));
  emit_strips(i, low, middle, true);
  const auto* known = llvm::dyn_cast<llvm::ConstantInt>(count);
  if (known == nullptr || known->getSExtValue() % kStrip != 0) emit_strips(i, middle, high, false);
}

void KernelEmitter::emit_strips(size_t i, llvm::Value* low, llvm::Value* high, bool whole) {
  const Loop& inner = *kernel_.statements[i + 1].get_if<Loop>();
  auto* strip = b().getInt64(kStrip);
  emit_counted(low, high, strip, "strip", [&](llvm::Value* start) {
    strip_ = Strip{i, start, whole ? b().CreateAdd(start, strip) : high, whole};
    emit_lanes_loop(i + 1, inner, b().getInt64(0), size(inner.extent));
    strip_.reset();
  });
}

/// Runs `body` for low, low + step, ... below high. What is known to run once is no loop.
void KernelEmitter::emit_counted(llvm::Value* low, llvm::Value* high, llvm::Value* step,
                                 const char* name, const std::function<void(llvm::Value*)>& body) {
  const auto* distance = llvm::dyn_cast<llvm::ConstantInt>(b().CreateSub(high, low));
  const auto* stride = llvm::dyn_cast<llvm::ConstantInt>(step);
  if (distance != nullptr && distance->getSExtValue() <= 0) return;
  if (distance != nullptr && stride != nullptr &&
      distance->getSExtValue() <= stride->getSExtValue()) {
    body(low);
    return;
  }
  auto& context = module_.getContext();
  auto* before = b().GetInsertBlock();
  auto* inside = llvm::BasicBlock::Create(context, name, function_);
  auto* after = llvm::BasicBlock::Create(context, "done", function_);
  const auto line = b().getCurrentDebugLocation();
  if (distance != nullptr) {
    b().CreateBr(inside);
  } else {
    b().CreateCondBr(b().CreateICmpSLT(low, high), inside, after);
  }
  b().SetInsertPoint(inside);
  auto* counter = b().CreatePHI(b().getInt64Ty(), 2, name);
  counter->addIncoming(low, before);
  body(counter);
  b().SetCurrentDebugLocation(line);
  auto* next = b().CreateNSWAdd(counter, step);
  counter->addIncoming(next, b().GetInsertBlock());
  b().CreateCondBr(b().CreateICmpSLT(next, high), inside, after);
  after->moveAfter(b().GetInsertBlock());
  b().SetInsertPoint(after);
}

void KernelEmitter::emit_lanes_loop(size_t i, const Loop& loop, llvm::Value* low,
                                    llvm::Value* high) {
  const auto fed =
      loop.kind == LoopKind::kReduce ? fed_by(i + 1, index(loop.end)) : std::vector<size_t>();
  if (fed.empty()) {
    emit_lanes_range(i, loop, low, high);
    return;
  }
  const auto extent = loop.extent.maybe_constant();
  const bool one_block = !has_blocked_sum(fed) || (extent && *extent <= scalar::kSumBlock);
  const auto block_body = [&](llvm::Value* start, llvm::Value* stop) {
    shorten_indices(i, loop);
    open_partials(fed, plans_[i].lanes, plans_[i].width);
    emit_lanes_range(i, loop, start, stop);
    close_partials(fed);
  };
  if (one_block) {
    block_body(low, high);
    return;
  }
  auto* block = b().getInt64(scalar::kSumBlock);
  emit_counted(low, high, block, "block", [&](llvm::Value* start) {
    block_body(start,
               b().CreateBinaryIntrinsic(llvm::Intrinsic::smin, b().CreateAdd(start, block), high));
  });
}

void KernelEmitter::emit_lanes_range(size_t i, const Loop& loop, llvm::Value* low,
                                     llvm::Value* high) {
  lanes_ = plans_[i].width;
  lane_axis_ = StatementId(i);
  in_scan_ = loop.kind == LoopKind::kScan;
  waits_for_memory_ = loop.kind == LoopKind::kReduce && !plans_[i].heavy && prefetches_.empty();
  const auto body = [&](llvm::Value* counter) {
    values_[i] = {counter, false};
    if (lane_mask_ == nullptr) emit_prefetches(i, counter);
    if (plans_[i].width != plans_[i].lanes) {
      partial_offset_ = b().CreateAnd(counter, b().getInt64(plans_[i].lanes - 1));
    }
    if (strip_) {
      if (strip_->whole && lane_mask_ == nullptr) emit_tiles(i, loop);
      emit_counted(strip_->start, strip_->stop, b().getInt64(1), "row", [&](llvm::Value* row) {
        values_[strip_->loop] = {row, false};
        emit_range(i + 1, index(loop.end));
      });
      tiles_.clear();
    } else {
      emit_range(i + 1, index(loop.end));
    }
    set_line(i);
  };
  if (plans_[i].heavy && emission_.avx512) {
    emit_one_body(low, high, body);
  } else if (!is_innermost(i)) {
    emit_rows(low, high, loop.extent, body);
  } else {
    emit_body_and_rest(low, high, plans_[i].repeats, loop.kind == LoopKind::kParallel, body);
  }
  if (in_scan_) {
    for (size_t reduction : fed_by(i + 1, index(loop.end)))
      accumulators_.at(reduction).partial.clear();
  }
  lanes_ = 0;
  lane_axis_.reset();
  partial_offset_ = nullptr;
  in_scan_ = false;
  waits_for_memory_ = false;
}

/// Whole vectors, `repeats` of them an iteration, then what is left, a register's worth at a time.
void KernelEmitter::emit_body_and_rest(llvm::Value* low, llvm::Value* high, unsigned repeats,
                                       bool parallel, const LoopBody& body) {
  const int64_t step = lanes_ * repeats;
  auto* count = b().CreateSub(high, low);
  auto* middle = b().CreateAdd(low, b().CreateAnd(count, b().getInt64(-step)));
  const auto* known = llvm::dyn_cast<llvm::ConstantInt>(count);
  if (known == nullptr || known->getSExtValue() >= step) {
    emit_counted(low, middle, b().getInt64(step), "vector", [&](llvm::Value* counter) {
      for (unsigned k = 0; k < repeats; ++k)
        body(k == 0 ? counter : b().CreateNSWAdd(counter, b().getInt64(k * lanes_)));
    });
  }
  if (known != nullptr && known->getSExtValue() % step == 0) return;
  if (parallel && step > kPlainLanes) {
    lanes_ = std::min(lanes_, kPlainLanes);
    emit_one_body(middle, high, body);
    return;
  }
  emit_rest(middle, high, b().CreateSub(high, middle), body);
}

/// Whole stretches of rows, then what is left of them at once: a row is read once, however wide.
/// Where the extent is known, so is the mask: nobody ends between two stretches but there. Where it
/// is not, rows may be of few columns, so that what is left goes in narrow stretches.
void KernelEmitter::emit_rows(llvm::Value* low, llvm::Value* high, SymInt extent,
                              const LoopBody& body) {
  auto* count = b().CreateSub(high, low);
  auto* middle = b().CreateAdd(low, b().CreateAnd(count, b().getInt64(-int64_t{lanes_})));
  const auto known = extent.maybe_constant();
  if (!known || *known >= lanes_) emit_counted(low, middle, b().getInt64(lanes_), "vector", body);
  if (!known) {
    lanes_ = std::min(lanes_, kNarrowStretch);
    emit_one_body(middle, high, body);
  } else if (*known % lanes_ != 0) {
    emit_rest(middle, high, b().getInt64(*known % lanes_), body);
  }
}

/// At most one iteration.
void KernelEmitter::emit_rest(llvm::Value* low, llvm::Value* high, llvm::Value* count,
                              const LoopBody& body) {
  emit_counted(low, high, b().getInt64(lanes_), "rest", [&](llvm::Value* counter) {
    lane_mask_ = mask_below(count);
    body(counter);
    lane_mask_ = nullptr;
  });
}

/// Every vector under a mask, unless all are whole: half the code to compile.
void KernelEmitter::emit_one_body(llvm::Value* low, llvm::Value* high, const LoopBody& body) {
  const auto* known = llvm::dyn_cast<llvm::ConstantInt>(b().CreateSub(high, low));
  const bool whole = known != nullptr && known->getSExtValue() % lanes_ == 0;
  auto* width = b().getInt64(lanes_);
  emit_counted(low, high, width, "vector", [&](llvm::Value* counter) {
    if (!whole) {
      auto* rest = b().CreateSub(high, counter);
      lane_mask_ = mask_below(b().CreateBinaryIntrinsic(llvm::Intrinsic::smin, rest, width));
    }
    body(counter);
    lane_mask_ = nullptr;
  });
}

/// The mask of the first `count` lanes.
llvm::Value* KernelEmitter::mask_below(llvm::Value* count) {
  auto* limit = b().CreateVectorSplat(lanes_, b().CreateTrunc(count, b().getInt32Ty()));
  std::vector<llvm::Constant*> numbers;
  for (unsigned lane = 0; lane < lanes_; ++lane) numbers.push_back(b().getInt32(lane));
  return b().CreateICmpULT(llvm::ConstantVector::get(numbers), limit);
}

void KernelEmitter::emit_check(const Check& check, size_t i) {
  const bool varying = is_varying(check.condition);
  llvm::Value* failed = b().CreateNot(operand(check.condition, DType::kBool, varying));
  if (varying) {
    if (lane_mask_ != nullptr) failed = b().CreateAnd(failed, lane_mask_);
    failed = b().CreateOrReduce(failed);
  }
  auto& context = module_.getContext();
  auto* leave = llvm::BasicBlock::Create(context, "failed", function_);
  auto* next = llvm::BasicBlock::Create(context, "checked", function_);
  b().CreateCondBr(failed, leave, next);
  b().SetInsertPoint(leave);
  b().CreateRet(b().getInt32(static_cast<uint32_t>(i) + 1));
  b().SetInsertPoint(next);
}

/// Row scratch lies in the worker's scratch memory, one buffer behind the other.
void KernelEmitter::emit_scratch(const Scratch& scratch) {
  const SymInt bytes = kernel_[scratch.buffer].type.bytes();
  buffers_[index(scratch.buffer)] =
      b().CreateGEP(b().getInt8Ty(), function_->getArg(kScratch), size(scratch_bytes_));
  scratch_bytes_ = scratch_bytes_ + ceil_divide(bytes, 64) * 64;
}

// ---- values ------------------------------------------------------------------------------------

llvm::Type* KernelEmitter::with_lanes(llvm::Type* type, unsigned lanes) {
  return lanes == 0 ? type : llvm::FixedVectorType::get(type, lanes);
}

llvm::Type* KernelEmitter::value_type(DType dtype, unsigned lanes) {
  switch (dtype) {
    case DType::kBool:
      return with_lanes(b().getInt1Ty(), lanes);
    case DType::kFloat16:
    case DType::kBFloat16:
    case DType::kFloat32:
      return with_lanes(b().getFloatTy(), lanes);
    case DType::kFloat64:
      return with_lanes(b().getDoubleTy(), lanes);
    default:
      return with_lanes(b().getIntNTy(static_cast<unsigned>(dtype_size(dtype)) * 8), lanes);
  }
}

llvm::Type* KernelEmitter::memory_type(DType dtype, unsigned lanes) {
  switch (dtype) {
    case DType::kBool:
      return with_lanes(b().getInt8Ty(), lanes);
    case DType::kFloat16:
      return with_lanes(b().getHalfTy(), lanes);
    case DType::kBFloat16:
      return with_lanes(b().getInt16Ty(), lanes);
    default:
      return value_type(dtype, lanes);
  }
}

llvm::Value* KernelEmitter::spread(llvm::Value* value) {
  return b().CreateVectorSplat(lanes_, value);
}

llvm::Value* KernelEmitter::literal(const Operand& operand, DType dtype) {
  if (is_floating(dtype)) {
    double number = operand.number();
    if (dtype != DType::kFloat64) number = static_cast<float>(number);
    auto* constant = llvm::ConstantFP::get(value_type(dtype, 0), number);
    return dtype == DType::kBFloat16 || dtype == DType::kFloat16
               ? round_to_storage(dtype, constant, 0)
               : constant;
  }
  if (dtype == DType::kBool) return b().getInt1(operand.number() != 0);
  const int64_t number = operand.value.index() == 1 ? std::get<1>(operand.value)
                                                    : static_cast<int64_t>(operand.number());
  return llvm::ConstantInt::getSigned(value_type(dtype, 0), number);
}

Emitted KernelEmitter::value_of(const Operand& operand, DType dtype) {
  if (operand.is_literal()) return {literal(operand, dtype), false};
  const StatementId id = operand.statement();
  const Statement& made_by = kernel_[id];
  if (made_by.get_if<Reduction>() != nullptr) return reduction_value(id, operand.part);
  if (lane_axis_ == id) {
    IndexExpression expression(id);
    return index_value(expression);
  }
  return values_[index(id)];
}

bool KernelEmitter::is_varying(const Operand& operand) const {
  if (operand.is_literal() || lanes_ == 0) return false;
  const StatementId id = operand.statement();
  if (lane_axis_ == id) return true;
  if (kernel_[id].get_if<Reduction>() != nullptr) {
    const Accumulator& accumulator = accumulators_.at(index(id));
    return accumulator.total_lanes != 0 || (in_scan_ && accumulator.partial_lanes != 0);
  }
  return values_[index(id)].varying;
}

llvm::Value* KernelEmitter::operand(const Operand& operand, DType dtype, bool varying) {
  const Emitted emitted = value_of(operand, dtype);
  check(emitted.value != nullptr, "a value is made before it is used");
  return varying && !emitted.varying ? spread(emitted.value) : emitted.value;
}

DType KernelEmitter::dtype_of(const Operand& operand, DType otherwise) const {
  return kernel_.dtype(operand).value_or(otherwise);
}

llvm::Value* KernelEmitter::all_lanes_mask() {
  return llvm::ConstantInt::get(with_lanes(b().getInt1Ty(), lanes_), 1);
}

}  // namespace glint::cpu
