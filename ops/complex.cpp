// Complex numbers as pairs of real ones: two tensors side by side along a new last dimension.
//
//     complex([1, 2], [3, 4])      [[1, 3], [2, 4]]: 1 + 3i and 2 + 4i
//
// It says the same as `stack`, but as a choice for each element, so that what computes the parts
// and what reads the pairs are one kernel. All else that complex tensors need is written in the
// language (library/torch/_complex), over operators of real tensors.
#include "core/tensor/copy.h"
#include "core/tensor/views.h"
#include "ops/families.h"
#include "ops/gradient.h"
#include "ops/infer.h"
#include "ops/layout.h"
#include "ops/samples.h"

namespace glint::ops {
namespace {

std::vector<SymInt> sizes_of_pairs(std::span<const SymInt> real,
                                   std::span<const SymInt> imaginary) {
  std::vector<SymInt> sizes = broadcast(real, imaginary);
  sizes.push_back(2);
  return sizes;
}

std::vector<TensorType> infer_complex(const OpEntry& entry, InferArguments arguments) {
  const TensorType &real = arguments[0].tensor(), &imaginary = arguments[1].tensor();
  return {TensorType::tensor(promote_types(real.dtype, imaginary.dtype),
                             sizes_of_pairs(real.sizes, imaginary.sizes))};
}

Outputs eager_complex(const OpEntry& entry, Arguments arguments) {
  const std::vector<InferArgument> types = infer_arguments(arguments);
  const TensorType type = infer_complex(entry, types)[0];
  const Tensor out = Tensor::empty(constant_dims(type.sizes), type.dtype);
  for (int64_t part = 0; part < 2; ++part) {
    const Tensor place = select(out, -1, part);
    copy(place, expand(arguments[size_t(part)].tensor(), place.sizes()));
  }
  return out;
}

std::vector<OpValue> complex(OpBuilder& b, OpArguments arguments) {
  const OpValue real = arguments[0].tensor(), imaginary = arguments[1].tensor();
  const auto sizes = sizes_of_pairs(b.sizes(real), b.sizes(imaginary));
  OpValue part = b.expand(b.call("arange_sized", {SymInt(2)}), sizes);
  return {b.where(b.equal(part, SymInt(0)), b.unsqueeze(real, int64_t(b.rank(real))),
                  b.unsqueeze(imaginary, int64_t(b.rank(imaginary))))};
}

template <int64_t kPart>
OpValue part_of_gradient(GradientCall& g) {
  return g.b.call("select", {g.out(), SymInt(-1), SymInt(kPart)});
}

std::vector<Sample> complex_samples(const OpEntry& entry) {
  return {{{sample_tensor({3, 4}), sample_tensor({3, 4})}},
          {{sample_tensor({2, 1, 3}), sample_tensor({4, 1})}},
          {{sample_tensor({}), sample_tensor({})}},
          {{sample_tensor({0, 2}), sample_tensor({0, 2})}},
          {{sample_tensor({5}, DType::kFloat64), sample_tensor({5})}}};
}

constexpr OpEntry kEntries[] = {
    {
        .name = "complex",
        .signature = "_complex_pairs(real: Tensor, imag: Tensor) -> Tensor",
        .torch = "_complex_pairs",
        .doc = "Pairs of the elements of two tensors, along a new last dimension: what a complex "
               "tensor is a view of.",
        .infer = infer_complex,
        .eager = eager_complex,
        .decomposition = complex,
        .gradients = {{"real", "", part_of_gradient<0>}, {"imag", "", part_of_gradient<1>}},
        .grad_name = "ComplexBackward0",
        .samples = complex_samples,
    },
};

static_assert(complete(kEntries));

}  // namespace

std::span<const OpEntry> complex_entries() {
  return kEntries;
}

}  // namespace glint::ops
