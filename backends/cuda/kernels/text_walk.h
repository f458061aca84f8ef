// The elements of several tensors, one by one, in a kernel that is written by hand.
//
//     const TextWalk walk({{"out", out}, {"x", x}});      the sizes are those of the first
//     walk.parameters()        , int64 size0, int64 out_step0, int64 x_step0
//     walk.places("i")         const int64 rest_of_i...; out_at and x_at are where element i is
//
// Strides are arguments, so that a view needs no copy; dimensions that lie evenly in all of them
// are one, so that contiguous tensors cost no division.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backends/cuda/device/device.h"
#include "core/tensor/strided_loop.h"

namespace glint::cuda {

class TextWalk {
 public:
  struct Operand {
    std::string_view name;
    const Tensor& tensor;
  };
  explicit TextWalk(const std::vector<Operand>& operands);

  int64_t count() const { return loop_.count(); }
  /// Behind the kernel's own parameters.
  std::string parameters() const;
  void add_arguments(std::vector<GpuArgument>& arguments) const;
  /// Statements that define `NAME_at`, from the number of an element.
  std::string places(std::string_view number) const;

 private:
  StridedLoop loop_;
  std::vector<std::string> names_;
  std::vector<int64_t> element_sizes_;
};

/// A tensor without dimensions as a row of one element; one that is undefined stays.
Tensor with_dimensions(const Tensor& tensor);
/// The first element of each row of a tensor along a dimension, which has a size of 1 then.
Tensor first_of_rows(const Tensor& tensor, int64_t dim);

}  // namespace glint::cuda
