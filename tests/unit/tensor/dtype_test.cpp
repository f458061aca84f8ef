// Element types: names, the 16-bit floats' rounding, and promotion against PyTorch's own table.
#include "core/tensor/dtype.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>
#include <vector>

#include "core/tensor/scalar.h"

namespace glint {
namespace {

using Kind = PromotionOperand::Kind;

DType named(const std::string& name) {
  if (name == "float") return DType::kFloat64;
  if (name == "int") return DType::kInt64;
  return *find_dtype(name);
}

TEST_CASE("dtypes are found by each of their names") {
  for (const DTypeInfo& row : kDTypeTable) {
    CHECK(dtype_info(row.dtype).name == row.name);
    CHECK(find_dtype(row.name) == row.dtype);
    CHECK(find_dtype(row.short_name) == row.dtype);
    if (!row.alias.empty()) CHECK(find_dtype(row.alias) == row.dtype);
    visit_dtype(row.dtype, [&]<class T>() {
      CHECK(kDTypeOf<T> == row.dtype);
      CHECK(sizeof(T) == row.size);
    });
  }
  CHECK(!find_dtype("complex64"));
  CHECK(!find_dtype(""));
}

TEST_CASE("promotion agrees with PyTorch for every pair") {
  std::ifstream file(GLINT_SOURCE_DIR "/tests/golden/tensor/promotion.txt");
  REQUIRE(file);
  std::string line;
  int rows = 0;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::vector<std::string> word(std::istream_iterator<std::string>(words), {});
    INFO(line);
    DType a = named(word[0]);
    auto result = [](PromotionOperand x, PromotionOperand y) {
      PromotionOperand operands[] = {x, y};
      return result_type(operands);
    };
    if (word.size() == 6) {
      DType b = named(word[1]);
      CHECK(promote_types(a, b) == named(word[2]));
      CHECK(result({Kind::kTensor, a}, {Kind::kTensor, b}) == named(word[3]));
      CHECK(result({Kind::kTensor, a}, {Kind::kZeroDim, b}) == named(word[4]));
      CHECK(result({Kind::kZeroDim, a}, {Kind::kZeroDim, b}) == named(word[5]));
    } else {
      PromotionOperand scalar = {Kind::kScalar, named(word[1])};
      CHECK(result({Kind::kTensor, a}, scalar) == named(word[2]));
      CHECK(result({Kind::kZeroDim, a}, scalar) == named(word[3]));
    }
    ++rows;
  }
  CHECK(rows == 130);
}

TEST_CASE("16-bit floats survive a trip through float32") {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    auto half = Float16::from_bits(uint16_t(bits));
    auto brain = BFloat16::from_bits(uint16_t(bits));
    if (!std::isnan(float(half))) REQUIRE(Float16(float(half)).bits == bits);
    if (!std::isnan(float(brain))) REQUIRE(BFloat16(float(brain)).bits == bits);
    REQUIRE(std::isnan(float(half)) == std::isnan(float(Float16(float(half)))));
    REQUIRE(std::isnan(float(brain)) == std::isnan(float(BFloat16(float(brain)))));
  }
}

TEST_CASE("16-bit floats round to nearest, ties to even") {
  CHECK(float(BFloat16(1.00390625f)) == 1.0f);
  CHECK(float(BFloat16(1.01171875f)) == 1.015625f);
  CHECK(float(BFloat16(1.0040f)) == 1.0078125f);
  CHECK(float(Float16(2049.0f)) == 2048.0f);
  CHECK(float(Float16(2051.0f)) == 2052.0f);
  CHECK(float(Float16(65519.0f)) == 65504.0f);
  CHECK(std::isinf(float(Float16(65520.0f))));
  CHECK(float(Float16(0x1p-25f)) == 0.0f);
  CHECK(float(Float16(0x1.8p-24f)) == 0x1p-23f);
  CHECK(float(Float16(0x1.000002p-25f)) == 0x1p-24f);
}

#if defined(__clang__)
TEST_CASE("the processor's own half precision agrees") {
  for (uint64_t step = 0; step < (uint64_t(1) << 32); step += 65521) {
    auto value = std::bit_cast<float>(uint32_t(step));
    if (std::isnan(value)) continue;
    REQUIRE(Float16(value).bits == std::bit_cast<uint16_t>(static_cast<_Float16>(value)));
  }
}
#endif

TEST_CASE("elements convert as PyTorch converts them") {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  CHECK(convert_element<int32_t>(-2.9f) == -2);
  CHECK(convert_element<int64_t>(kNan) == INT64_MIN);
  CHECK(convert_element<int32_t>(1e20f) == INT32_MIN);
  CHECK(convert_element<int8_t>(300.0f) == 44);
  CHECK(convert_element<uint8_t>(-1.0f) == 255);
  CHECK(convert_element<int8_t>(int64_t(300)) == 44);
  CHECK(convert_element<bool>(kNan));
  CHECK(!convert_element<bool>(-0.0f));
  CHECK(float(convert_element<BFloat16>(0.1)) == 0.10009765625f);
  CHECK(Scalar(2.5).to<int32_t>() == 2);
  CHECK(Scalar(true).dtype() == DType::kBool);
  CHECK(Scalar(7).as_double() == 7.0);
}

}  // namespace
}  // namespace glint
