// The approximate instructions keep to the error that PTX documents, over their ranges.
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <functional>

#include "run_kernel.h"

namespace glint::simulator {
namespace {

constexpr int kCount = 4096;

/// out[i] = OPCODE(x[i]) for every element.
template <class T>
std::vector<T> apply(const std::string& opcode, std::vector<T> x) {
  const std::string type = sizeof(T) == 4 ? "f32" : "f64";
  Device device(
      fmt::format(".version 8.0 .target sm_80 .address_size 64\n"
                  ".visible .entry one(.param .u64 x, .param .u64 out) {{\n"
                  ".reg .b64 %rd<3>; .reg .b32 %r<4>; .reg .{0} %a, %d;\n"
                  "ld.param.u64 %rd0, [x]; ld.param.u64 %rd1, [out]; mov.u32 %r0, %tid.x; mov.u32 "
                  "%r1, %ctaid.x;\n"
                  "mov.u32 %r2, %ntid.x; mad.lo.u32 %r0, %r1, %r2, %r0;\n"
                  "mad.wide.u32 %rd0, %r0, {1}, %rd0; mad.wide.u32 %rd1, %r0, {1}, %rd1;\n"
                  "ld.global.{0} %a, [%rd0]; {2} %d, %a; st.global.{0} [%rd1], %d; ret; }}\n",
                  type, sizeof(T), opcode));
  std::vector<T> out(x.size());
  device.check("one", {.grid = {kCount / 256}, .block = {256}}, x, out);
  return out;
}

enum class Measure { kAbsolute, kRelative };

/// The greatest error on numbers spread evenly over [low, high].
template <class T>
double worst(const std::string& opcode, double low, double high, Measure measure,
             const std::function<double(double)>& function) {
  std::vector<T> x(kCount);
  for (int i = 0; i < kCount; ++i) x[size_t(i)] = T(low + (high - low) * i / (kCount - 1));
  const std::vector<T> found = apply<T>(opcode, x);
  double error = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    const double expected = function(double(x[i]));
    const double off = std::abs(double(found[i]) - expected);
    error = std::max(error, measure == Measure::kAbsolute ? off : off / std::abs(expected));
  }
  return error;
}

TEST_CASE("approximate: floats keep to the documented error", "[approximate]") {
  using enum Measure;
  const double ulp = 0x1p-23;
  CHECK(worst<float>("ex2.approx.f32", -120, 120, kRelative,
                     [](double x) { return std::exp2(x); }) <= 2 * ulp);
  CHECK(worst<float>("ex2.approx.ftz.f32", -120, 120, kRelative,
                     [](double x) { return std::exp2(x); }) <= 2 * ulp);
  CHECK(worst<float>("lg2.approx.f32", 0.5, 2, kAbsolute, [](double x) { return std::log2(x); }) <=
        0x1p-22);
  CHECK(worst<float>("lg2.approx.f32", 2.1, 1e6, kRelative,
                     [](double x) { return std::log2(x); }) <= 0x1p-22);
  CHECK(worst<float>("sin.approx.f32", -3.14, 3.14, kAbsolute,
                     [](double x) { return std::sin(x); }) <= std::exp2(-20.5));
  CHECK(worst<float>("cos.approx.ftz.f32", -3.14, 3.14, kAbsolute,
                     [](double x) { return std::cos(x); }) <= std::exp2(-20.5));
  CHECK(worst<float>("tanh.approx.f32", 0.01, 9, kRelative,
                     [](double x) { return std::tanh(x); }) <= 0x1p-11);
  CHECK(worst<float>("rcp.approx.ftz.f32", 1e-3, 1e3, kRelative, [](double x) { return 1 / x; }) <=
        ulp);
  CHECK(worst<float>("rsqrt.approx.f32", 1e-3, 1e3, kRelative,
                     [](double x) { return 1 / std::sqrt(x); }) <= std::exp2(-22.9));
  CHECK(worst<float>("sqrt.approx.f32", 1e-3, 1e3, kRelative,
                     [](double x) { return std::sqrt(x); }) <= ulp);
}

TEST_CASE("approximate: doubles keep to 20 bits, and are cut there", "[approximate]") {
  using enum Measure;
  CHECK(worst<double>("rcp.approx.ftz.f64", 1e-3, 1e3, kRelative, [](double x) { return 1 / x; }) <=
        0x1p-20);
  CHECK(worst<double>("rsqrt.approx.ftz.f64", 1e-3, 1e3, kRelative,
                      [](double x) { return 1 / std::sqrt(x); }) <= 0x1p-20);
  for (const double value : apply<double>("rcp.approx.ftz.f64", std::vector<double>(kCount, 3.0))) {
    REQUIRE((std::bit_cast<uint64_t>(value) & 0xffffffff) == 0);
  }
}

}  // namespace
}  // namespace glint::simulator
