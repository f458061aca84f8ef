// Random numbers that take a number of tries which only the draws decide: gamma, Poisson, binomial.
//
//     Tensor x = Tensor::empty({3}, DType::kFloat32);
//     fill_gamma(x, concentrations, default_generator());
//
// Draw for draw PyTorch's, as those of generator.h: an element after the other, in float64, from
// parameters in the tensor's own dtype. Parameters have the sizes and dtype of what is filled, and
// all are dense.
#pragma once

#include "core/tensor/generator.h"

namespace glint {

/// Of a scale of 1; float32 and float64.
void fill_gamma(const Tensor& tensor, const Tensor& concentrations, Generator& generator);
/// Rates are at least 0.
void fill_poisson(const Tensor& tensor, const Tensor& rates, Generator& generator);
/// How many of `counts` trials succeed; float32 and float64.
void fill_binomial(const Tensor& tensor, const Tensor& counts, const Tensor& probabilities,
                   Generator& generator);

}  // namespace glint
