// How kernels that are written by hand read and write an element of a dtype.
//
//     ElementWords words(DType::kBFloat16);
//     words.memory()            BFloat16
//     words.read("x[i]")        from_memory(x[i])
//     words.write("sum")        to_bfloat16(round_to_bfloat16(sum))
//     words.definitions()       the text that these need, to stand above the kernel
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "backends/cuda/device/device.h"
#include "core/tensor/dtype.h"
#include "core/tensor/scalar.h"

namespace glint::cuda {

class ElementWords {
 public:
  explicit ElementWords(DType dtype) : dtype_(dtype) {}

  std::string memory() const;
  /// What arithmetic is done in: `float` for the 16-bit floats.
  std::string value() const;
  std::string read(std::string_view place) const;
  /// A value of `value()`, rounded once.
  std::string write(std::string_view value) const;
  /// The sum of two values; integers wrap, of truth values it is "or".
  std::string sum(std::string_view a, std::string_view b) const;
  /// Their product as an element holds it.
  std::string product(std::string_view a, std::string_view b) const;
  std::string definitions() const;

 private:
  DType dtype_;
};

/// What kernels need that read and write elements of these dtypes.
std::string element_definitions(std::initializer_list<DType> dtypes);

/// What a number comes in that becomes an element: the widest type of its kind.
DType wide_dtype(DType dtype);
GpuArgument wide_number(const Scalar& number, DType dtype);

}  // namespace glint::cuda
