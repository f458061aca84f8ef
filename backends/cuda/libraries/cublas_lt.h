// Matrix products by cuBLASLt, NVIDIA's library, where it is found.
//
//     const Result<CublasLt*>& found = load_cublas_lt();       // or what is missing, how to get it
//     LtProduct product{.dtype = ..., .rows = 64, .columns = 32, .inner = 128, .a = ..., ...};
//     if (const LtPlan* plan = (*found)->plan(product)) {      // null: a kernel of ours has to do
//     it
//       (*found)->run(*plan, product, workspace);              // of plan->workspace_bytes
//     }
//
// cuBLASLt reads matrices by columns, ours lie by rows. A matrix by rows is its transpose by
// columns, so out = a @ b is asked for as out^T = b^T @ a^T: whatever lies by rows is taken as it
// is, what lies by columns (a view `w.t()`) with the library's transposition, and a bias for each
// column of `out` is one for each row, which is what the library adds. Nothing is copied.
//
//   1. a product's kind (sizes, strides, dtype, alignment, epilogue) is the key of its plan;
//   2. a plan has the descriptors, and the algorithm that the library proposes first for at most
//      32 MiB of workspace; a kind that it proposes nothing for is remembered too;
//   3. a run sets the bias's address and calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/support/result.h"
#include "core/tensor/dtype.h"

namespace glint::cuda {

/// A matrix in the device's memory, or a batch of them; strides count elements.
struct LtMatrix {
  uint64_t address = 0;
  int64_t row = 0;
  int64_t column = 0;
  int64_t batch = 0;
};

/// What follows a product. `kGelu` is the form with tanh.
enum class LtActivation : uint8_t { kNone, kRelu, kGelu };

/// out = activation(alpha * (a @ b) + beta * added + bias), for each of a batch.
struct LtProduct {
  DType dtype = DType::kFloat32;  ///< a floating one; of all of them
  int64_t rows = 0;
  int64_t columns = 0;
  int64_t inner = 0;
  int64_t batches = 1;
  LtMatrix a;
  LtMatrix b;
  LtMatrix out;
  LtMatrix added = {};  ///< apart from `out`; at 0: none
  double alpha = 1;
  double beta = 1;
  uint64_t bias = 0;  ///< an element for each column, in order; 0: none
  LtActivation activation = LtActivation::kNone;
  bool allows_tf32 = false;  ///< operands of float32 may be rounded to 10 bits of fraction
};

struct LtPlan;

class CublasLt {
 public:
  virtual ~CublasLt() = default;
  /// Where it was found, and its version: `13.0.2`.
  virtual const std::string& path() const = 0;
  virtual const std::string& version() const = 0;
  /// How it runs such a product; null where it does not. Valid until the next call.
  virtual const LtPlan* plan(const LtProduct& product) = 0;
  /// `workspace`: the address of as much memory as the plan says. Returns before the product is
  /// done.
  virtual std::optional<Error> run(const LtPlan& plan, const LtProduct& product, uint64_t workspace,
                                   uint64_t stream) = 0;
};

/// How much memory a run of a plan needs beside its operands.
size_t workspace_bytes(const LtPlan& plan);

/// The library, loaded once for the process. It is asked for nothing that needs a GPU before
/// `plan`.
const Result<CublasLt*>& load_cublas_lt();

}  // namespace glint::cuda
