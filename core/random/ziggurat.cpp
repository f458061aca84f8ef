#include "core/random/ziggurat.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace glint::random {
namespace {

constexpr size_t kLayers = 256;
constexpr double kNormalTail = 3.6541528853610087963519472518;
constexpr double kExponentialTail = 7.69711747013104972;

/// Of each layer: what a drawn integer is multiplied with, below which integer it is accepted at
/// once, and the density at its right end.
template <class Real, class Integer>
struct Layers {
  std::array<Real, kLayers> scale;
  std::array<Integer, kLayers> sure;
  std::array<Real, kLayers> density;
};

/// The right ends of the layers, the lowest's as if it were a rectangle, and the densities there.
template <class Wide>
struct Shape {
  std::array<Wide, kLayers> x;
  std::array<Wide, kLayers> density;

  /// How much of a layer lies inside the next one up.
  Wide inner(size_t layer) const {
    if (layer == 1) return 0;
    return layer == 0 ? x[kLayers - 1] / x[0] : x[layer - 1] / x[layer];
  }
};

// Rounding is part of the tables that NumPy draws from: the normal's were worked out in double
// precision, each density anew, the exponential's in more.

Shape<double> normal_shape() {
  constexpr double kArea = 0.0049286732339746519;
  const auto density = [](double x) {
    return static_cast<double>(std::exp(static_cast<long double>(-0.5 * x * x)));
  };
  Shape<double> shape;
  double x = kNormalTail;
  shape.x[kLayers - 1] = x;
  shape.density[kLayers - 1] = density(x);
  shape.x[0] = kArea / density(x);
  shape.density[0] = 1;
  for (size_t i = kLayers - 2; i > 0; --i) {
    const long double height = kArea / x + shape.density[i + 1];
    x = std::sqrt(-2 * static_cast<double>(std::log(height)));
    shape.x[i] = x;
    shape.density[i] = density(x);
    // Half a unit in the last place: the tables have the upper neighbour.
    if (i == 38) shape.density[i] = std::nextafter(shape.density[i], 1.0);
  }
  return shape;
}

Shape<long double> exponential_shape() {
  constexpr long double kArea = 0.003949659822581557217982L;
  Shape<long double> shape;
  shape.x[kLayers - 1] = 7.697117470131049706168L;
  shape.density[kLayers - 1] = std::exp(-shape.x[kLayers - 1]);
  shape.x[0] = kArea / shape.density[kLayers - 1];
  shape.density[0] = 1;
  for (size_t i = kLayers - 2; i > 0; --i) {
    shape.density[i] = kArea / shape.x[i + 1] + shape.density[i + 1];
    shape.x[i] = -std::log(shape.density[i]);
  }
  return shape;
}

float rounded(long double value) {
  return static_cast<float>(value);
}
/// The exponential's float32 tables are rounded by way of nine decimal digits.
float rounded_by_digits(long double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.8Le", value);
  return std::strtof(text, nullptr);
}

/// For integers of `bits` bits.
template <class Wide>
Layers<double, uint64_t> double_layers(const Shape<Wide>& shape, int bits) {
  Layers<double, uint64_t> layers;
  const Wide unit = std::ldexp(Wide{1}, bits);
  for (size_t i = 0; i < kLayers; ++i) {
    layers.scale[i] = static_cast<double>(shape.x[i] / unit);
    layers.sure[i] = static_cast<uint64_t>(std::round(shape.inner(i) * unit));
    layers.density[i] = static_cast<double>(shape.density[i]);
  }
  return layers;
}

template <class Wide>
Layers<float, uint32_t> float_layers(const Shape<Wide>& shape, float (*to_float)(long double)) {
  constexpr Wide kUnit = 1 << 23;
  Layers<float, uint32_t> layers;
  for (size_t i = 0; i < kLayers; ++i) {
    layers.scale[i] = to_float(shape.x[i] / kUnit);
    layers.sure[i] = static_cast<uint32_t>(std::round(shape.inner(i) * kUnit));
    layers.density[i] = to_float(shape.density[i]);
  }
  return layers;
}

template <class Real, class Integer>
const Layers<Real, Integer>& normal_layers() {
  static const Layers<Real, Integer> layers = [] {
    if constexpr (sizeof(Real) == sizeof(double))
      return double_layers(normal_shape(), 52);
    else
      return float_layers(normal_shape(), rounded);
  }();
  return layers;
}
template <class Real, class Integer>
const Layers<Real, Integer>& exponential_layers() {
  static const Layers<Real, Integer> layers = [] {
    if constexpr (sizeof(Real) == sizeof(double))
      return double_layers(exponential_shape(), 53);
    else
      return float_layers(exponential_shape(), rounded_by_digits);
  }();
  return layers;
}

template <class Real>
Real uniform_of(BitSource& source) {
  if constexpr (sizeof(Real) == sizeof(double))
    return source.uniform();
  else
    return source.uniform_float();
}

/// Whether a height that is drawn in the layer lies under the density.
template <class Real, class Integer, class Density>
bool is_under(const Layers<Real, Integer>& layers, size_t layer, Real uniform, Density density) {
  return (layers.density[layer - 1] - layers.density[layer]) * uniform + layers.density[layer] <
         density;
}

/// Behind the lowest layer's rectangle (Marsaglia 1964).
template <class Real>
Real normal_tail(BitSource& source) {
  constexpr Real kTail = static_cast<Real>(kNormalTail);
  constexpr Real kInverse = static_cast<Real>(0.27366123732975827203338247596);
  for (;;) {
    const Real x = -kInverse * std::log1p(-uniform_of<Real>(source));
    const Real y = -std::log1p(-uniform_of<Real>(source));
    if (y + y > x * x) return kTail + x;
  }
}

/// A draw gives the layer, the sign and the place in the layer as a fraction.
template <class Real, class Integer, class Draw>
Real normal_from(BitSource& source, Draw draw) {
  const auto& layers = normal_layers<Real, Integer>();
  for (;;) {
    const auto [layer, negative, fraction] = draw();
    const Real magnitude = static_cast<Real>(fraction) * layers.scale[layer];
    const Real x = negative ? -magnitude : magnitude;
    if (fraction < layers.sure[layer]) [[likely]]
      return x;
    if (layer == 0)
      return fraction >> 8 & 1 ? -normal_tail<Real>(source) : normal_tail<Real>(source);
    // The density is of float64 in both.
    if (is_under(layers, layer, uniform_of<Real>(source), std::exp(-0.5 * x * x))) return x;
  }
}

template <class Real, class Integer, class Draw>
Real exponential_from(BitSource& source, Draw draw) {
  const auto& layers = exponential_layers<Real, Integer>();
  for (;;) {
    const auto [layer, fraction] = draw();
    const Real x = static_cast<Real>(fraction) * layers.scale[layer];
    if (fraction < layers.sure[layer]) [[likely]]
      return x;
    if (layer == 0)
      return static_cast<Real>(kExponentialTail) - std::log1p(-uniform_of<Real>(source));
    if (is_under(layers, layer, uniform_of<Real>(source), std::exp(-x))) return x;
  }
}

template <class Integer>
struct NormalDraw {
  size_t layer;
  bool negative;
  Integer fraction;
};
template <class Integer>
struct ExponentialDraw {
  size_t layer;
  Integer fraction;
};

}  // namespace

double ziggurat_normal(BitSource& source) {
  return normal_from<double, uint64_t>(source, [&] {
    const uint64_t bits = source.next64();
    return NormalDraw<uint64_t>{bits & 0xff, (bits >> 8 & 1) != 0, bits >> 9 & 0xfffffffffffff};
  });
}
float ziggurat_normal_float(BitSource& source) {
  return normal_from<float, uint32_t>(source, [&] {
    const uint32_t bits = source.next32();
    return NormalDraw<uint32_t>{bits & 0xff, (bits >> 8 & 1) != 0, bits >> 9};
  });
}

double ziggurat_exponential(BitSource& source) {
  return exponential_from<double, uint64_t>(source, [&] {
    const uint64_t bits = source.next64() >> 3;
    return ExponentialDraw<uint64_t>{bits & 0xff, bits >> 8};
  });
}
float ziggurat_exponential_float(BitSource& source) {
  return exponential_from<float, uint32_t>(source, [&] {
    const uint32_t bits = source.next32() >> 1;
    return ExponentialDraw<uint32_t>{bits & 0xff, bits >> 8};
  });
}

}  // namespace glint::random
