// The numbers of a convolution, or of a part of one: what code is made and kept for.
#pragma once

#include <array>
#include <cstdint>

#include "core/platform/convolution.h"
#include "core/support/check.h"

namespace glint {

/// The place of what a pass computes among input, weight and result.
constexpr size_t computed_operand(ConvolutionPass pass) {
  switch (pass) {
    case ConvolutionPass::kForward:
      return 2;
    case ConvolutionPass::kOfInput:
      return 0;
    case ConvolutionPass::kOfWeight:
      return 1;
  }
  fail("a convolution has three passes");
}

/// What a primitive is made for: a convolution of some of the images, channels and outputs of
/// tensors that lie in memory whole. Numbers alone, so that it is a key as it is.
struct ConvolutionShape {
  int64_t pass = 0, dtype = 0, dims = 0, groups = 1, has_bias = 0;
  int64_t images = 0, channels = 0, outputs = 0;
  int64_t all_channels = 0, all_outputs = 0;  ///< of the whole tensors
  std::array<int64_t, 3> sizes = {}, kernel = {}, places = {}, stride = {}, padding = {},
                         dilation = {};

  using Key = std::array<int64_t, 10 + 6 * 3>;
  Key key() const { return __builtin_bit_cast(Key, *this); }
};

}  // namespace glint
