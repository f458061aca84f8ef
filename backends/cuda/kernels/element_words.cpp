#include "backends/cuda/kernels/element_words.h"

#include <fmt/format.h>

#include "backends/cuda/codegen/definitions.h"

namespace glint::cuda {

std::string ElementWords::memory() const {
  return std::string(memory_type(dtype_));
}

std::string ElementWords::value() const {
  return std::string(value_type(dtype_));
}

std::string ElementWords::read(std::string_view place) const {
  const bool narrow = dtype_ == DType::kFloat16 || dtype_ == DType::kBFloat16;
  return narrow ? fmt::format("from_memory({})", place) : std::string(place);
}

std::string ElementWords::write(std::string_view value) const {
  if (dtype_ == DType::kFloat16) return fmt::format("to_half({})", value);
  if (dtype_ == DType::kBFloat16) return fmt::format("to_bfloat16(round_to_bfloat16({}))", value);
  return std::string(value);
}

std::string ElementWords::sum(std::string_view a, std::string_view b) const {
  if (is_bool(dtype_)) return fmt::format("{} || {}", a, b);
  if (!is_integer(dtype_)) return fmt::format("{} + {}", a, b);
  return fmt::format("({})((uint64){} + (uint64){})", memory(), a, b);
}

std::string ElementWords::product(std::string_view a, std::string_view b) const {
  if (!is_integer(dtype_)) return read(write(fmt::format("({} * {})", a, b)));
  return fmt::format("({})((uint64){} * (uint64){})", memory(), a, b);
}

std::string ElementWords::definitions() const {
  return element_definitions({dtype_});
}

std::string element_definitions(std::initializer_list<DType> dtypes) {
  Definitions needed;
  for (const DType dtype : dtypes) needed.memory(dtype);
  std::string text;
  for (const std::string& line : needed.lines()) text += line + "\n";
  return text;
}

DType wide_dtype(DType dtype) {
  return is_floating(dtype) ? DType::kFloat64 : DType::kInt64;
}

GpuArgument wide_number(const Scalar& number, DType dtype) {
  if (is_floating(dtype)) return gpu_argument(number.as_double());
  return gpu_argument(is_bool(dtype) ? int64_t{number.as_bool()} : number.to<int64_t>());
}

}  // namespace glint::cuda
