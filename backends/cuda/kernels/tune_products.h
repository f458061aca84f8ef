// Matrix products of schedules that are tuned: by the library or by which tile, found by trying.
//
//     {
//       ProductTrials::Scope scope(tuning.products);   // multiply() asks for the way from here on
//       ...                                            // steps of the schedule
//     }
//
// A product stores every element of its result and reads none of them, so that it may run as often
// as one likes. What was found for the same sizes, layouts, dtype and epilogue is taken, from this
// process or from the cache folder.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "backends/cuda/kernels/matrix_kernel.h"
#include "backends/cuda/tuning/tuning.h"
#include "backends/running_call.h"

namespace glint::cuda {

class ProductTrials {
 public:
  /// While it lives, products are tuned, and what was found of each is added to the list, once.
  class Scope {
   public:
    explicit Scope(std::vector<Tuning>& found);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    TunedCalls calls_;
    std::vector<Tuning>* outer_;
  };

  static bool at_work();
};

/// The best way for a product, by trial if it is not known; only inside a scope. Nothing is the
/// library's way, which `by_library` runs: false where it does not do that product. Empty: there is
/// no library.
std::optional<MatrixTile> tuned_product(const Tensor& a, const Tensor& b, const Tensor& out,
                                        const ProductEpilogue& epilogue,
                                        const std::function<bool()>& by_library);

}  // namespace glint::cuda
