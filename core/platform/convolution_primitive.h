// oneDNN's code for one shape of convolution, and for bringing its tensors into the library's
// layouts.
//
//     ConvolutionPrimitive primitive;
//     if (!primitive.create(shape)) ...      // the library refuses
//     primitive.operands()[0].reorder                 // not empty: the input has another layout
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "core/platform/convolution_shape.h"
#include "core/platform/onednn_library.h"

namespace glint {

/// A primitive of the library's, destroyed with its owner.
class OwnedPrimitive {
 public:
  OwnedPrimitive() = default;
  OwnedPrimitive(OwnedPrimitive&& other) noexcept
      : primitive_(std::exchange(other.primitive_, nullptr)) {}
  OwnedPrimitive& operator=(OwnedPrimitive&& other) noexcept {
    std::swap(primitive_, other.primitive_);
    return *this;
  }
  ~OwnedPrimitive();

  /// Takes the description over. False where the library refuses.
  bool create(dnnl_primitive_desc_t description);
  explicit operator bool() const { return primitive_ != nullptr; }
  dnnl_primitive_t get() const { return primitive_; }

 private:
  dnnl_primitive_t primitive_ = nullptr;
};

/// One tensor of a convolution: as it lies in memory, and as the primitive takes it.
struct ConvolutionOperand {
  int argument = 0;  ///< the library's number for it in a call
  dnnl_memory_desc_t plain = {};
  dnnl_memory_desc_t taken = {};
  OwnedPrimitive reorder;  ///< from one to the other, back for what is computed; empty: the same

  size_t taken_bytes() const { return onednn::library().memory_desc_get_size(&taken); }
};

class ConvolutionPrimitive {
 public:
  /// False where the library refuses, or has nothing but plain loops for it.
  bool create(const ConvolutionShape& shape);

  /// Input, weight, result.
  const std::array<ConvolutionOperand, 3>& operands() const { return operands_; }
  const dnnl_memory_desc_t& bias() const { return bias_; }
  const dnnl_memory_desc_t& scratch() const { return scratch_; }
  dnnl_primitive_t get() const { return primitive_.get(); }

 private:
  bool create_reorders(ConvolutionPass pass);

  std::array<ConvolutionOperand, 3> operands_;
  dnnl_memory_desc_t bias_ = {}, scratch_ = {};
  OwnedPrimitive primitive_;
};

}  // namespace glint
