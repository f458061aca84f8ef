#include "backends/cpu/runtime_functions.h"

#include <cstdint>
#include <cstring>
#include <vector>

#include "ops/rows/row_kernels.h"
#include "ops/scalar/integer.h"
#include "ops/scalar/slow_functions.h"

namespace glint::cpu {

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

template <class F>
void* address_of(F* function) {
  return reinterpret_cast<void*>(function);
}

}  // namespace

std::span<const RuntimeFunction> runtime_functions() {
  static const auto table = [] {
    std::vector<RuntimeFunction> rows;
    for (const auto& row : scalar::slow_unary_functions())
      rows.push_back({row.name, address_of(row.function)});
    for (const auto& row : scalar::slow_binary_functions())
      rows.push_back({row.name, address_of(row.function)});
    rows.push_back({"glint_patch_unary_f32", address_of(patch_unary<float>)});
    rows.push_back({"glint_patch_unary_f64", address_of(patch_unary<double>)});
    rows.push_back({"glint_patch_binary_f32", address_of(patch_binary<float>)});
    rows.push_back({"glint_patch_binary_f64", address_of(patch_binary<double>)});
    rows.push_back({"glint_power_i64", address_of(power_i64)});
    rows.push_back({"glint_transpose_1", address_of(ops::transpose_tile(1))});
    rows.push_back({"glint_transpose_2", address_of(ops::transpose_tile(2))});
    rows.push_back({"glint_transpose_4", address_of(ops::transpose_tile(4))});
    rows.push_back({"glint_transpose_8", address_of(ops::transpose_tile(8))});
    rows.push_back({"memcpy", address_of(std::memcpy)});
    rows.push_back({"memset", address_of(std::memset)});
    rows.push_back({"memmove", address_of(std::memmove)});
    return rows;
  }();
  return table;
}

}  // namespace glint::cpu
