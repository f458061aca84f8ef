// Row-wise kernels ask for memory ahead of time.
//
// A kernel such as softmax goes over each row in several loops, of which the first reads from
// memory, the last writes to it, and the ones between compute on what is near: memory idles
// meanwhile. So the heaviest loop behind the first prefetches what the first will read some rows (8
// KiB) further on, and the heaviest before the last what the last will write in this one, a
// vector's lines at a time. A reduction that computes little prefetches for itself, 3 KiB ahead: a
// twentieth of its time. A prefetch beyond the end of a buffer does nothing.
#include "backends/cpu/kernel_emitter.h"
#include "ir/kernel_access.h"

namespace glint::cpu {
namespace {

constexpr unsigned kLineBytes = 64;
/// How far ahead to read: long enough for memory to answer, little beside a first-level cache.
constexpr int64_t kAheadBytes = 8192;

/// How many rows of `extent` elements that is; rows of unknown length are taken for long ones.
int64_t rows_ahead(SymInt extent, DType dtype) {
  const auto elements = extent.maybe_constant();
  if (!elements || *elements == 0) return 1;
  const int64_t row_bytes = *elements * static_cast<int64_t>(dtype_size(dtype));
  return std::max<int64_t>(1, kAheadBytes / row_bytes);
}

/// Roughly what one iteration costs.
int cost(const Kernel& kernel, size_t first, size_t last) {
  int total = 0;
  for (size_t i = first; i < last; ++i) {
    const auto* compute = kernel.statements[i].get_if<Compute>();
    const bool heavy = compute != nullptr && compute->function >= ScalarFunction::kExp &&
                       compute->function <= ScalarFunction::kErf;
    total += heavy ? 8 : 1;
  }
  return total;
}

}  // namespace

/// Plans the prefetches of the row loop `row`, before its body is emitted.
void KernelEmitter::plan_prefetches(size_t row, const Loop& loop) {
  prefetches_.clear();
  std::vector<size_t> children;
  for (size_t i = row + 1; i < index(loop.end); ++i) {
    const Loop* child = kernel_.statements[i].get_if<Loop>();
    if (child == nullptr) continue;
    if (plans_[i].lanes == 0) return;
    children.push_back(i);
    i = index(child->end) - 1;
  }
  if (children.size() < 2) return;
  const auto heaviest = [&](size_t from, size_t to) {
    size_t best = from;
    int best_cost = -1;
    for (size_t k = from; k < to; ++k) {
      const int c = cost(kernel_, children[k] + 1,
                         index(kernel_.statements[children[k]].get_if<Loop>()->end));
      if (c > best_cost) {
        best = k;
        best_cost = c;
      }
    }
    return children[best];
  };
  const auto add = [&](size_t child, size_t carrier, bool reads, BufferId buffer,
                       const std::vector<IndexExpression>& indices) {
    const Loop* from = kernel_.statements[child].get_if<Loop>();
    const Loop* to = kernel_.statements[carrier].get_if<Loop>();
    if (kernel_[buffer].scratch || !(from->extent == to->extent)) return;
    if (!memory_stride(kernel_, buffer, indices, StatementId(child)).is(1)) return;
    if (memory_stride(kernel_, buffer, indices, StatementId(row)).is(0)) return;
    for (const IndexExpression& expression : indices) {
      for (const IndexTerm& term : expression.terms) {
        if (kernel_[term.variable].get_if<Loop>() == nullptr) return;
      }
    }
    const int64_t ahead = reads ? rows_ahead(from->extent, kernel_[buffer].type.dtype) : 0;
    prefetches_.push_back({carrier, child, row, ahead, buffer, indices});
  };
  const size_t reader = heaviest(1, children.size());
  const size_t writer = heaviest(0, children.size() - 1);
  const size_t first = children.front();
  const size_t last = children.back();
  for (size_t i = first; i < index(kernel_.statements[first].get_if<Loop>()->end); ++i) {
    const auto* load = kernel_.statements[i].get_if<Load>();
    if (load != nullptr) add(first, reader, true, load->buffer, load->indices);
  }
  for (size_t i = last; i < index(kernel_.statements[last].get_if<Loop>()->end); ++i) {
    const auto* store = kernel_.statements[i].get_if<Store>();
    if (store != nullptr) add(last, writer, false, store->buffer, store->indices);
  }
}

/// The prefetches that the loop `carrier` makes for its vector at `counter`.
void KernelEmitter::emit_prefetches(size_t carrier, llvm::Value* counter) {
  for (const Prefetch& prefetch : prefetches_) {
    if (prefetch.carrier != carrier) continue;
    const Emitted row = values_[prefetch.row];
    const Emitted column = values_[prefetch.column];
    values_[prefetch.row].value = b().CreateAdd(row.value, b().getInt64(prefetch.rows_ahead));
    values_[prefetch.column] = {counter, false};
    const Place at = place(prefetch.buffer, prefetch.indices);
    auto* pointer = element_pointer(prefetch.buffer, at.uniform);
    const auto bytes =
        lanes_ * static_cast<unsigned>(dtype_size(kernel_[prefetch.buffer].type.dtype));
    prefetch_lines(pointer, 0, bytes, prefetch.rows_ahead == 0);
    values_[prefetch.row] = row;
    values_[prefetch.column] = column;
  }
}

/// The lines that hold `bytes` bytes, so far behind `pointer`.
void KernelEmitter::prefetch_lines(llvm::Value* pointer, unsigned ahead, unsigned bytes,
                                   bool writes) {
  for (unsigned offset = 0; offset < bytes; offset += kLineBytes) {
    auto* line = b().CreateConstGEP1_64(b().getInt8Ty(), pointer, ahead + offset);
    b().CreateIntrinsic(llvm::Intrinsic::prefetch, {b().getPtrTy()},
                        {line, b().getInt32(writes ? 1 : 0), b().getInt32(3), b().getInt32(1)});
  }
}

/// A light reduction waits for nothing but memory: it asks for the lines that it will read soon, a
/// little ahead of the processor's own prefetching. So does a strip, whose many rows are more
/// streams than that follows.
void KernelEmitter::prefetch_soon(llvm::Value* pointer, DType dtype) {
  constexpr unsigned kSoonBytes = 3072, kSoonInStrip = 256;
  if ((!waits_for_memory_ && !strip_) || lane_mask_ != nullptr) return;
  const auto bytes = lanes_ * static_cast<unsigned>(dtype_size(dtype));
  prefetch_lines(pointer, strip_ ? kSoonInStrip : kSoonBytes, bytes, false);
}

}  // namespace glint::cpu
