#include "backends/cpu/runtime_functions.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "core/support/check.h"
#include "ops/rows/row_kernels.h"
#include "ops/scalar/integer.h"
#include "ops/scalar/lanes.h"

namespace glint::cpu {

const char* slow_function_name(scalar::SlowUnary function);
const char* slow_function_name(scalar::SlowBinary function);

namespace {

/// Replaces the lanes in `mask` of `result` by the slow function of theirs.
template <class Real>
void patch_unary(scalar::SlowUnary slow, uint64_t mask, const Real* x, const Real*, Real* result,
                 uint64_t lanes) {
  for (uint64_t i = 0; i < lanes; ++i) {
    if (mask >> i & 1) result[i] = static_cast<Real>(slow(static_cast<double>(x[i])));
  }
}

template <class Real>
void patch_binary(scalar::SlowBinary slow, uint64_t mask, const Real* x, const Real* y,
                  Real* result, uint64_t lanes) {
  for (uint64_t i = 0; i < lanes; ++i) {
    if (mask >> i & 1) {
      result[i] = static_cast<Real>(slow(static_cast<double>(x[i]), static_cast<double>(y[i])));
    }
  }
}

int64_t power_i64(int64_t base, int64_t exponent) {
  return scalar::power_integer<int64_t>(base, exponent);
}

struct SlowUnaryName {
  const char* name;
  scalar::SlowUnary function;
};
struct SlowBinaryName {
  const char* name;
  scalar::SlowBinary function;
};

constexpr SlowUnaryName kSlowUnary[] = {
    {"sin", std::sin},   {"cos", std::cos},    {"tan", std::tan},   {"asin", std::asin},
    {"acos", std::acos}, {"atan", std::atan},  {"sinh", std::sinh}, {"cosh", std::cosh},
    {"erf", std::erf},   {"log1p", std::log1p}};
constexpr SlowBinaryName kSlowBinary[] = {
    {"pow", std::pow}, {"fmod", std::fmod}, {"atan2", std::atan2}};

template <class F>
void* address_of(F* function) {
  return reinterpret_cast<void*>(function);
}

}  // namespace

const char* slow_function_name(scalar::SlowUnary function) {
  for (const SlowUnaryName& row : kSlowUnary) {
    if (row.function == function) return row.name;
  }
  fail("every slow function is in the table");
}

const char* slow_function_name(scalar::SlowBinary function) {
  for (const SlowBinaryName& row : kSlowBinary) {
    if (row.function == function) return row.name;
  }
  fail("every slow function is in the table");
}

std::span<const RuntimeFunction> runtime_functions() {
  static const auto table = [] {
    std::array<RuntimeFunction, std::size(kSlowUnary) + std::size(kSlowBinary) + 12> rows{};
    size_t n = 0;
    for (const SlowUnaryName& row : kSlowUnary) rows[n++] = {row.name, address_of(row.function)};
    for (const SlowBinaryName& row : kSlowBinary) rows[n++] = {row.name, address_of(row.function)};
    rows[n++] = {"glint_patch_unary_f32", address_of(patch_unary<float>)};
    rows[n++] = {"glint_patch_unary_f64", address_of(patch_unary<double>)};
    rows[n++] = {"glint_patch_binary_f32", address_of(patch_binary<float>)};
    rows[n++] = {"glint_patch_binary_f64", address_of(patch_binary<double>)};
    rows[n++] = {"glint_power_i64", address_of(power_i64)};
    rows[n++] = {"glint_transpose_1", address_of(ops::transpose_tile(1))};
    rows[n++] = {"glint_transpose_2", address_of(ops::transpose_tile(2))};
    rows[n++] = {"glint_transpose_4", address_of(ops::transpose_tile(4))};
    rows[n++] = {"glint_transpose_8", address_of(ops::transpose_tile(8))};
    rows[n++] = {"memcpy", address_of(std::memcpy)};
    rows[n++] = {"memset", address_of(std::memset)};
    rows[n++] = {"memmove", address_of(std::memmove)};
    return rows;
  }();
  return table;
}

}  // namespace glint::cpu
