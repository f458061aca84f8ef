#include "backends/cuda/kernels/text_walk.h"

#include <fmt/format.h>

#include "core/tensor/views.h"

namespace glint::cuda {
namespace {

StridedLoop loop_over(const std::vector<TextWalk::Operand>& operands) {
  std::vector<const Tensor*> tensors;
  for (const TextWalk::Operand& each : operands) tensors.push_back(&each.tensor);
  return StridedLoop(std::span<const Tensor* const>(tensors));
}

}  // namespace

TextWalk::TextWalk(const std::vector<Operand>& operands) : loop_(loop_over(operands)) {
  for (const Operand& each : operands) {
    names_.emplace_back(each.name);
    element_sizes_.push_back(static_cast<int64_t>(each.tensor.element_size()));
  }
}

std::string TextWalk::parameters() const {
  std::string text;
  for (size_t dim = 0; dim < loop_.rank(); ++dim) {
    text += fmt::format(", int64 size{}", dim);
    for (const std::string& name : names_) text += fmt::format(", int64 {}_step{}", name, dim);
  }
  return text;
}

void TextWalk::add_arguments(std::vector<GpuArgument>& arguments) const {
  for (size_t dim = 0; dim < loop_.rank(); ++dim) {
    arguments.push_back(gpu_argument(loop_.size(dim)));
    for (size_t k = 0; k < names_.size(); ++k)
      arguments.push_back(gpu_argument(loop_.stride(k, dim) / element_sizes_[k]));
  }
}

std::string TextWalk::places(std::string_view number) const {
  std::string text = fmt::format("    int64 rest = {};\n", number);
  for (const std::string& name : names_) text += fmt::format("    int64 {}_at = 0;\n", name);
  for (size_t dim = 0; dim < loop_.rank(); ++dim) {
    // Nothing is left behind the last dimension.
    const bool is_last = dim + 1 == loop_.rank();
    const std::string here = is_last ? "rest" : fmt::format("rest % size{}", dim);
    for (const std::string& name : names_)
      text += fmt::format("    {0}_at += {1} * {0}_step{2};\n", name, here, dim);
    if (!is_last) text += fmt::format("    rest /= size{};\n", dim);
  }
  return text;
}

Tensor with_dimensions(const Tensor& tensor) {
  return !tensor.defined() || tensor.rank() > 0 ? tensor : unsqueeze(tensor, 0);
}

Tensor first_of_rows(const Tensor& tensor, int64_t dim) {
  Dims sizes(tensor.sizes());
  sizes[static_cast<size_t>(dim)] = 1;
  return Tensor::view_of(tensor, sizes, tensor.strides(), tensor.offset());
}

}  // namespace glint::cuda
