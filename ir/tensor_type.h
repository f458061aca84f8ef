// `TensorType`: what is known of a value without running: dtype, device, sizes, strides.
//
//     f32[s0, 8]                    contiguous, on the processor
//     f32[8, s0]{1, 8}              the transpose of the above: strides in braces, in elements
//     f32[2, 2] cuda:0              elsewhere
//     f64                           a Python float that is an input (no brackets); i64, b8 likewise
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/support/result.h"
#include "core/tensor/device.h"
#include "core/tensor/dtype.h"
#include "ir/symbolic.h"

namespace glint {

struct TensorType {
  DType dtype = DType::kFloat32;
  Device device = {};
  /// A Python number (kBool, kInt64 or kFloat64, no sizes), not a tensor: promotion differs.
  bool scalar = false;
  std::vector<SymInt> sizes;
  /// Elements between neighbours along each dimension. Empty means those of `contiguous_strides`;
  /// `normalise` makes that the only way to write them.
  std::vector<SymInt> strides;

  static TensorType tensor(DType dtype, std::vector<SymInt> sizes, Device device = {}) {
    return {dtype, device, false, std::move(sizes), {}};
  }
  static TensorType number(DType dtype) { return {dtype, {}, true, {}, {}}; }

  size_t rank() const { return sizes.size(); }
  /// Whether the elements lie in row-major order without gaps: strides of dimensions of size 1 say
  /// nothing about that, and `x.stride()` shows them all the same.
  bool contiguous() const { return strides.empty() || lies_in_order(); }
  SymInt numel() const { return product(sizes); }
  /// Whether a dimension is one element, shown again and again: of stride 0.
  bool is_spread(size_t dim) const { return !contiguous() && strides[dim].is(0); }
  SymInt bytes() const { return numel() * static_cast<int64_t>(dtype_size(dtype)); }
  /// The strides, also of a contiguous type.
  std::vector<SymInt> full_strides() const;
  /// Drops strides that are just the row-major ones.
  void normalise();
  /// Drops the strides of any contiguous type, for those who only look for elements.
  void simplify();
  std::string text() const;
  bool operator==(const TensorType&) const = default;

 private:
  bool lies_in_order() const;
};

/// Row-major strides for the sizes.
std::vector<SymInt> contiguous_strides(std::span<const SymInt> sizes);

/// Reads what `text()` prints.
Result<TensorType> parse_tensor_type(std::string_view text);

}  // namespace glint
