// Loads whose lanes do not lie next to each other, without gathering them one by one.
//
// Every second, third or fourth element (or all, backwards): whole vectors and shuffles of them.
//
//     x[2 * j], 16 lanes      two vectors, of which a shuffle keeps the even elements
//
// Across the lines of memory (a transpose): tiles. The loop in lanes reads down a column while the
// one around it, in strips of 16, reads along the rows. So for each vector of lanes and each strip
// the 16 rows are loaded whole, transposed, and kept in a slot of the stack, from which the strip's
// iterations take a vector each.
//
//     strip i .. i + 16                      tile = transposed x[j .. j + 16, i .. i + 16]
//       vector j .. j + 16                   row r: y[i + r, j .. j + 16] = tile[r]
//         row r in 0 .. 16
#include "backends/cpu/kernel_emitter.h"
#include "ir/kernel_access.h"
#include "ops/rows/row_kernels.h"

namespace glint::cpu {

/// Whether `load_every` does this step.
bool KernelEmitter::is_short_step(SymInt step) {
  const auto known = step.maybe_constant();
  return known && (*known == -1 || (*known >= 2 && *known <= 4));
}

/// Lanes that are `step` elements apart, from `pointer` on: all of them may be read.
llvm::Value* KernelEmitter::load_every(const Load& load, llvm::Value* pointer, int64_t step) {
  const DType dtype = kernel_[load.buffer].type.dtype;
  const llvm::Align alignment(dtype_size(dtype));
  const unsigned width = std::min(lanes_, kPlainLanes);
  const auto vector_at = [&](int64_t element) -> llvm::Value* {
    auto* place = b().CreateGEP(memory_type(dtype, 0), pointer, b().getInt64(element));
    auto* vector = b().CreateAlignedLoad(memory_type(dtype, width), place, alignment);
    tag_memory(vector, load.buffer);
    return vector;
  };
  std::vector<llvm::Value*> parts;
  for (int64_t first = 0; first < lanes_; first += width) {
    const int64_t from = first * step;
    if (step < 0) {
      parts.push_back(b().CreateVectorReverse(vector_at(from - (width - 1))));
      continue;
    }
    // The last vector ends with the last lane's element, so that none beyond it is read.
    const int64_t last = (width - 1) * (step - 1);
    llvm::Value* part = vector_at(from);
    for (int64_t k = 1; k < step; ++k) {
      const int64_t begin = k == step - 1 ? last : k * width;
      std::vector<int> lanes;
      for (unsigned lane = 0; lane < width; ++lane) {
        const int64_t element = lane * step;
        const bool here = element / width >= k;
        const int64_t before = k == 1 ? element : lane;
        lanes.push_back(static_cast<int>(here ? width + (element - begin) % width : before));
      }
      part = b().CreateShuffleVector(part, vector_at(from + begin), lanes);
    }
    parts.push_back(part);
  }
  return joined_registers(b(), std::move(parts), lanes_);
}

/// Loads and transposes, for the vector at hand and the whole strip around it, what the body reads
/// across. Nothing in it may be masked or depend on what the body computes.
void KernelEmitter::emit_tiles(size_t i, const Loop& loop) {
  for (size_t k = i + 1; k < index(loop.end); ++k) {
    const auto* load = kernel_.statements[k].get_if<Load>();
    if (load == nullptr || load->mask || lanes_ != kPlainLanes) continue;
    const auto is_loop = [&](const IndexTerm& term) {
      return kernel_[term.variable].get_if<Loop>() != nullptr;
    };
    const bool affine = std::ranges::all_of(load->indices, [&](const IndexExpression& expression) {
      return std::ranges::all_of(expression.terms, is_loop);
    });
    const SymInt along =
        memory_stride(kernel_, load->buffer, load->indices, StatementId(strip_->loop));
    const SymInt across = memory_stride(kernel_, load->buffer, load->indices, StatementId(i));
    const DType dtype = kernel_[load->buffer].type.dtype;
    if (!affine || !along.is(1) || across.is(0) || across.is(1)) continue;
    values_[strip_->loop] = {strip_->start, false};
    auto* corner = element_pointer(load->buffer, place(load->buffer, load->indices).uniform);
    tiles_[k] = transposed_tile(dtype, corner, size(across));
  }
}

/// A slot that holds, column by column, the 16 times 16 elements whose rows begin at `corner` and
/// lie `step` elements apart. The ready function (ops/rows) does it, as what it takes would be
/// compiled for long.
llvm::AllocaInst* KernelEmitter::transposed_tile(DType dtype, llvm::Value* corner,
                                                 llvm::Value* step) {
  static_assert(kPlainLanes == ops::kTileSide);
  auto* type = llvm::ArrayType::get(memory_type(dtype, kPlainLanes), kPlainLanes);
  auto* slot = emission_.stack_slot(type, "tile");
  auto* pointer = b().getPtrTy();
  const auto callee = module_.getOrInsertFunction(
      "glint_transpose_" + std::to_string(dtype_size(dtype)),
      llvm::FunctionType::get(b().getVoidTy(), {pointer, b().getInt64Ty(), pointer}, false));
  b().CreateCall(callee, {corner, step, slot});
  return slot;
}

/// The strip's iteration at hand of a tile.
llvm::Value* KernelEmitter::tile_row(size_t load, DType dtype) {
  auto* type = memory_type(dtype, kPlainLanes);
  auto* row = b().CreateSub(values_[strip_->loop].value, strip_->start);
  return b().CreateLoad(type, b().CreateInBoundsGEP(type, tiles_.at(load), row));
}

}  // namespace glint::cpu
