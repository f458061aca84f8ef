// Tensors as text, character for character as PyTorch prints them.
//
//     tensor([[1.0000, 2.5000],
//             [3.0000, 4.0000]], dtype=torch.float64)
//
// One width for all elements; scientific notation where the range asks for it; above `threshold`
// elements only the first and last `edge_items` of each dimension.
#pragma once

#include <string>
#include <string_view>

#include "core/tensor/tensor.h"

namespace glint {

struct PrintOptions {
  int precision = 4;
  int64_t threshold = 1000;
  int64_t edge_items = 3;
  int line_width = 80;
  enum class Scientific : uint8_t { kAuto, kNever, kAlways } scientific = Scientific::kAuto;
};
/// What `torch.set_printoptions` sets.
PrintOptions& print_options();

/// What stands between the brackets: the tensor's numbers, or each two of them, along the last
/// dimension, as a complex number.
enum class Elements : uint8_t { kNumbers, kPairs };

/// `repr(tensor)`. `suffix` is what autograd adds before the closing bracket, such as
/// `grad_fn=<MulBackward0>`; without one a tensor that requires a gradient says so itself. A
/// parameter's text opens with the line `Parameter containing:`.
std::string repr(const Tensor& tensor, std::string_view suffix = {},
                 Elements elements = Elements::kNumbers);

/// What stands between the brackets alone, whose first line begins behind `indent` columns.
std::string elements_text(const Tensor& tensor, size_t indent);

}  // namespace glint
