// Matrix products on the device by a kernel of our own, by tiles in shared memory.
//
//     multiply_by_kernel(a, b, out)        out[i, j] = sum over k of a[i, k] * b[k, j]; or batches
//     multiply_by_kernel(a, b, out, {}, MatrixTile{4})                       by tiles of 64 by 64
//
// A block of 256 threads makes a square of `out`, 16 by 16 elements or, each thread several rows
// and columns, 32, 64 or 128: a larger tile reads each element of `a` and `b` less often, and is
// taken where there are enough of them for all multiprocessors. Tiles of `a` and `b` are read along
// the side that lies in order in memory. Sums run in order of k, whichever the tile, in float for
// the 16-bit floats; each step is one fused multiply-add. What follows the product is done before
// it is written (product_epilogue.h).
#pragma once

#include <optional>
#include <span>
#include <string>

#include "backends/cuda/codegen/compiled_kernel.h"
#include "backends/cuda/device/device.h"
#include "backends/cuda/kernels/product_epilogue.h"
#include "core/tensor/tensor.h"

namespace glint::cuda {

/// A block's tile: `part` rows and columns a thread.
struct MatrixTile {
  int part = 1;
  int64_t side() const { return 16 * part; }
};

/// Two matrices or two batches of them, of one dtype, into memory that overlaps neither. An
/// epilogue is for floats.
void multiply_by_kernel(const Tensor& a, const Tensor& b, const Tensor& out,
                        const ProductEpilogue& epilogue = {}, std::optional<MatrixTile> tile = {});

/// The tiles that there are for a dtype, and the one that is taken unasked.
std::span<const MatrixTile> matrix_tiles(DType dtype);
MatrixTile usual_tile(const Tensor& out);

/// The kernel of a tile, and its launch for a product.
struct MatrixLaunch {
  const GpuEntry& entry;
  GpuLaunch launch = {};
};
MatrixLaunch matrix_launch(const Tensor& a, const Tensor& b, const Tensor& out,
                           const ProductEpilogue& epilogue, MatrixTile tile);

/// For those who look at it; the error says why it does not compile.
Result<CompiledKernel> compiled_product(DType dtype, const EpilogueForm& form, MatrixTile tile);

/// The text for a dtype, and a form of what follows; and the name of its entry.
std::string matrix_product_text(DType dtype, const EpilogueForm& form = {}, MatrixTile tile = {});
std::string matrix_product_entry(MatrixTile tile);

}  // namespace glint::cuda
