// What normalisation by channel does with elements that lie side by side: sums of a strip of rows,
// and what becomes of each element.
//
//     sum, squares      of one channel's rows in all examples, or of one example's group of
//     channels normalise         (x - mean) * scale + shift, with numbers for each row or for all
//     gradient          ((grad * weight - shift) - (x - mean) * slope) * scale
//
// Sums are kept in lanes of the elements' dtype for some thousand elements, then in float64.
#include "ops/rows/row_kernels.h"
#include "ops/rows/row_vectors.h"

namespace glint::ops::GLINT_INSTRUCTION_SET {
namespace {

struct Tag {};
template <class Real>
using Vector = scalar::Lanes<Real, 64 / sizeof(Real), Tag>;

/// Elements that lanes add up before they are emptied.
constexpr int64_t kPart = 4096;

/// Lanes that add up, emptied into a float64 before they are inexact.
template <class Real>
class LaneSum {
  using Float = typename Vector<Real>::Float;

 public:
  [[gnu::always_inline]] void add(Float x) { lanes_ += x; }
  /// To be called with how many were added since.
  void settle(int64_t elements) {
    since_ += elements;
    if (since_ >= kPart) empty();
  }
  double total() {
    empty();
    return total_;
  }

 private:
  void empty() {
    total_ += double(sum_lanes(lanes_));
    lanes_ = Vector<Real>().real(0.0);
    since_ = 0;
  }

  Float lanes_ = Vector<Real>().real(0.0);
  int64_t since_ = 0;
  double total_ = 0.0;
};

/// The vectors of `n` elements, in parts that lanes may add up; `settle(count)` behind each.
template <class Real, class F, class Settle>
[[gnu::always_inline]] inline void for_parts(int64_t n, F&& visit, Settle&& settle) {
  for (int64_t part = 0; part < n; part += kPart) {
    const int64_t count = n - part < kPart ? n - part : kPart;
    for_row_vectors<Real>(count, [&](int64_t at, int64_t some) { visit(part + at, some); });
    settle(count);
  }
}

template <class Real>
double sum(const Strip<Real>& x) {
  LaneSum<Real> total;
  for (int64_t row = 0; row < x.rows; ++row) {
    const Real* in = x.data + row * x.stride;
    for_parts<Real>(
        x.length,
        [&](int64_t at, int64_t count) {
          total.add(load_up_to<Vector<Real>>(in + at, count, Real(0)));
        },
        [&](int64_t count) { total.settle(count); });
  }
  return total.total();
}

template <class Real>
double squares(const Strip<Real>& x, Real mean) {
  const auto centre = Vector<Real>().real(double(mean));
  LaneSum<Real> total;
  for (int64_t row = 0; row < x.rows; ++row) {
    const Real* in = x.data + row * x.stride;
    for_parts<Real>(
        x.length,
        [&](int64_t at, int64_t count) {
          const auto deviation = load_up_to<Vector<Real>>(in + at, count, mean) - centre;
          total.add(deviation * deviation);
        },
        [&](int64_t count) { total.settle(count); });
  }
  return total.total();
}

template <class Real>
void normalise(const Strip<Real>& x, const ChannelNormal<Real>& by, const Real* weights,
               const Real* shifts, int64_t step, Real* out) {
  const Vector<Real> b;
  const auto centre = b.real(double(by.mean)), scale = b.real(double(by.scale));
  for (int64_t row = 0; row < x.rows; ++row) {
    const auto weight = b.real(double(weights[row * step])),
               shift = b.real(double(shifts[row * step]));
    const Real* in = x.data + row * x.stride;
    Real* to = out + row * x.stride;
    for_row_vectors<Real>(x.length, [&](int64_t at, int64_t count) {
      const auto normal = (load_up_to<Vector<Real>>(in + at, count, Real(0)) - centre) * scale;
      store_up_to<Vector<Real>>(to + at, normal * weight + shift, count);
    });
  }
}

/// With a step, each row's sums; without, those of all.
template <class Real>
void gradient_sums(const Strip<Real>& x, const Real* grad, Real mean, ChannelSums* sums,
                   int64_t step) {
  const auto centre = Vector<Real>().real(double(mean));
  LaneSum<Real> of_grad, along;
  for (int64_t row = 0; row < x.rows; ++row) {
    const Real *in = x.data + row * x.stride, *from = grad + row * x.stride;
    for_parts<Real>(
        x.length,
        [&](int64_t at, int64_t count) {
          const auto g = load_up_to<Vector<Real>>(from + at, count, Real(0));
          of_grad.add(g);
          along.add(g * (load_up_to<Vector<Real>>(in + at, count, mean) - centre));
        },
        [&](int64_t count) {
          of_grad.settle(count);
          along.settle(count);
        });
    if (step == 0) continue;
    sums[row * step] = {of_grad.total(), along.total()};
    of_grad = along = {};
  }
  if (step == 0) *sums = {of_grad.total(), along.total()};
}

template <class Real>
void gradient(const Strip<Real>& x, const Real* grad, const ChannelSlope<Real>& by,
              const Real* weights, int64_t step, Real* out) {
  const Vector<Real> b;
  const auto centre = b.real(double(by.mean)), shift = b.real(double(by.shift)),
             slope = b.real(double(by.slope)), scale = b.real(double(by.scale));
  for (int64_t row = 0; row < x.rows; ++row) {
    const auto weight = b.real(double(weights[row * step]));
    const Real *in = x.data + row * x.stride, *from = grad + row * x.stride;
    Real* to = out + row * x.stride;
    for_row_vectors<Real>(x.length, [&](int64_t at, int64_t count) {
      const auto h = load_up_to<Vector<Real>>(from + at, count, Real(0)) * weight;
      const auto along = (load_up_to<Vector<Real>>(in + at, count, Real(0)) - centre) * slope;
      store_up_to<Vector<Real>>(to + at, (h - shift - along) * scale, count);
    });
  }
}

template <class Real>
constexpr ChannelLoops<Real> kLoops = {sum<Real>, squares<Real>, normalise<Real>,
                                       gradient_sums<Real>, gradient<Real>};

}  // namespace

void fill_channels(RowTables& tables) {
  tables.channels = kLoops<float>;
  tables.wide_channels = kLoops<double>;
}

}  // namespace glint::ops::GLINT_INSTRUCTION_SET
