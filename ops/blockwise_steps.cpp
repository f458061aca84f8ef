#include "ops/blockwise_steps.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "ops/kernels.h"
#include "ops/parallel.h"
#include "ops/scalar/elementwise_kernels.h"

namespace glint::ops {

namespace {

constexpr int64_t kBlock = kPiece;  ///< elements
constexpr int64_t kBlockBytes = kBlock * 8;

/// Beginning where a line of the cache does: a vector's store is to one line then.
struct alignas(64) ScratchBlock {
  std::byte bytes[kBlockBytes];
};

/// A step of a pass, and where its elements go: into its tensor, or into a block of scratch memory.
struct PassStep {
  PutOff* step;
  const scalar::ElementwiseLoops* loops = nullptr;
  int64_t scratch = -1;
  int reads = 0;
};

class Pass {
 public:
  explicit Pass(std::span<PutOff* const> wanted) {
    for (PutOff* step : wanted) visit(*step);
    for (PutOff* step : wanted) keep(*step);
    for (const PassStep& each : steps_)
      if (int(each.step->ref_count()) > each.reads) keep(*each.step);
    give_out_scratch();
  }
  /// Of a step that is summed as it is made. The formula is still being written, so that others
  /// refer to its steps: should one of them be wanted, it runs again.
  explicit Pass(PutOff& summed) {
    visit(summed);
    give_out_scratch();
  }
  ~Pass() {
    for (const PassStep& each : steps_) {
      each.step->place = -1;
      if (each.step->made.defined()) each.step->operands = {};
    }
  }

  void run() {
    const bool any_heavy = std::ranges::any_of(steps_, [](const PassStep& each) {
      return !each.step->casts && heavy(each.step->function) == Work::kHeavy;
    });
    // The last step is one of those that are wanted.
    parallel_ranges(steps_.back().step->made.numel(), any_heavy ? Work::kHeavy : Work::kLight,
                    [&](int64_t begin, int64_t end) { run_range(begin, end); });
  }

  Tensor sum() {
    const PutOff& last = *steps_.back().step;
    return sum_of(last.dtype, element_count(last.sizes),
                  [&](int64_t begin, int64_t count, std::byte* piece,
                      const std::function<void(int64_t)>& made) {
                    run_range(begin, begin + count, piece, made);
                  });
  }

 private:
  bool is_inside(const PutOff* step) const { return step && step->place >= 0; }

  /// Operands first.
  void visit(PutOff& step) {
    if (step.place >= 0 || step.made.defined()) return;
    for (StepOperand& operand : step.read()) {
      if (!operand.inner) continue;
      visit(*operand.inner);
      if (is_inside(operand.inner.get())) ++steps_[size_t(operand.inner->place)].reads;
    }
    step.place = int(steps_.size());
    PassStep made = {&step};
    if (!step.casts && step.arity < 3)
      made.loops = scalar::elementwise_loops(step.function, step.computation);
    steps_.push_back(made);
  }

  static void keep(PutOff& step) {
    if (!step.made.defined())
      step.made = Tensor::empty_strided(step.sizes, step.strides, step.dtype);
  }

  /// A block serves again once the last step has read it.
  void give_out_scratch() {
    std::vector<int64_t> free;
    std::vector<int> reads_left;
    for (const PassStep& each : steps_) reads_left.push_back(each.reads);
    for (PassStep& each : steps_) {
      if (!each.step->made.defined()) {
        if (free.empty()) free.push_back(scratch_blocks_++);
        each.scratch = free.back();
        free.pop_back();
      }
      for (const StepOperand& operand : each.step->read()) {
        if (!is_inside(operand.inner.get())) continue;
        const auto place = size_t(operand.inner->place);
        if (--reads_left[place] == 0 && steps_[place].scratch >= 0)
          free.push_back(steps_[place].scratch);
      }
    }
  }

  /// `last`: where each block of the last step goes, of which `made` is told before the next; null:
  /// to its tensor.
  void run_range(int64_t begin, int64_t end, std::byte* last = nullptr,
                 const std::function<void(int64_t)>& made = nullptr) const {
    const auto blocks = std::make_unique_for_overwrite<ScratchBlock[]>(size_t(scratch_blocks_));
    std::byte* scratch = blocks[0].bytes;
    for (int64_t at = begin; at < end; at += kBlock) {
      const int64_t n = std::min(kBlock, end - at);
      for (const PassStep& each : steps_) {
        const bool goes_there = last != nullptr && &each == &steps_.back();
        run_block(each, at, n, scratch, goes_there ? last : elements_of(*each.step, at, scratch));
      }
      if (made) made(n);
    }
  }

  std::byte* elements_of(const PutOff& step, int64_t at, std::byte* scratch) const {
    if (step.made.defined()) return step.made.raw_data() + at * int64_t(dtype_size(step.dtype));
    return scratch + steps_[size_t(step.place)].scratch * kBlockBytes;
  }

  void run_block(const PassStep& each, int64_t at, int64_t n, std::byte* scratch,
                 std::byte* out) const {
    const PutOff& step = *each.step;
    const std::byte* in[3];
    bool repeats[3] = {};
    for (size_t i = 0; i < step.arity; ++i) {
      const StepOperand& operand = step.operands[i];
      repeats[i] = operand.repeats;
      if (operand.inner)
        in[i] = elements_of(*operand.inner, at, scratch);
      else if (operand.number)
        in[i] = operand.number->bytes;  // of a tensor of no dimension too, where loops widen it
      else
        in[i] = operand.tensor.raw_data() +
                (operand.repeats ? 0 : at * int64_t(operand.tensor.element_size()));
    }
    if (step.casts) return scalar::cast_loop(step.computation, step.dtype)(in[0], out, n);
    if (step.function == ScalarFunction::kWhere)
      return scalar::where_loop(step.computation)(in[0], in[1], !repeats[1], in[2], !repeats[2],
                                                  out, n);
    if (step.arity == 3)
      return scalar::fma_loop(step.computation, repeats[1])(in[0], in[1], in[2], out, n);
    if (step.arity == 1) return each.loops->unary(in[0], out, n);
    if (repeats[0]) return each.loops->left_scalar(in[0], in[1], out, n);
    if (repeats[1]) return each.loops->right_scalar(in[0], in[1], out, n);
    each.loops->binary(in[0], in[1], out, n);
  }

  std::vector<PassStep> steps_;
  int64_t scratch_blocks_ = 0;
};

}  // namespace

void run_steps(std::span<PutOff* const> wanted) {
  const bool ran =
      std::ranges::all_of(wanted, [](const PutOff* step) { return step->made.defined(); });
  if (!ran) Pass(wanted).run();
}

Tensor sum_of_step(PutOff& step) {
  return step.made.defined() ? Tensor() : Pass(step).sum();
}

}  // namespace glint::ops
