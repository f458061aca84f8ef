// Sums with a product in them on a device, one launch: `addmm`, `baddbmm` and `addmv`.
//
//     addmm(y, a, b, beta=0.5)       a @ b + 0.5 * y, added as the product is written
//
// What is added has any strides, repeats along dimensions where it is smaller, and has a factor.
// Integers, and what the operators refuse, go the way of any operator.
#pragma once

#include <span>

#include "ops/op.h"

namespace glint::device {

ops::Outputs add_product(const ops::OpEntry& entry, ops::Arguments arguments);
void add_product_into(const ops::OpEntry& entry, ops::Arguments arguments,
                      std::span<const Tensor> outputs);
/// Into what is added, which is `x.addmm_(a, b)`; false if it cannot.
bool add_product_over(const ops::OpEntry& entry, ops::Arguments arguments);

}  // namespace glint::device
