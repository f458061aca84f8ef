#include "ops/channel_norm_loops.h"

#include <cmath>
#include <vector>

#include "core/support/thread_pool.h"
#include "ops/element.h"
#include "ops/rows/row_kernels.h"

namespace glint::ops {

namespace {

/// Elements below which a thread is not woken.
constexpr int64_t kLeastElements = 16384;

/// [examples, channels, places], or with the channels innermost [elements, channels].
struct Layout {
  int64_t examples, channels, places;
  bool columns;

  explicit Layout(const Tensor& x) : examples(x.size(0)), channels(x.size(1)) {
    places = x.numel() / (examples * channels);
    columns = places == 1 || x.stride(1) == 1;
  }
  int64_t elements() const { return examples * places; }  ///< of a channel

  template <class Real>
  Strip<Real> strip(const Real* data, int64_t channel) const {
    return {data + channel * places, examples, channels * places, places};
  }
  /// Columns [begin, end).
  template <class Real>
  Strip<Real> columns_of(const Real* data, int64_t begin, int64_t end) const {
    return {data + begin, elements(), channels, end - begin};
  }
  /// `f(begin, end)` over the channels, in whole lines of the cache.
  template <class F>
  void for_channels(F&& f) const {
    const int64_t unit = columns ? 64 : 1;
    const int64_t grain = std::max<int64_t>(1, kLeastElements / elements());
    parallel_for(0, channels, (grain + unit - 1) / unit * unit, f);
  }
};

Tensor as_laid(const Tensor& x) {
  return Tensor::empty_strided(x.sizes(), x.strides(), x.dtype());
}
Tensor of_channels(const Tensor& x) {
  return Tensor::empty({x.size(1)}, x.dtype());
}

/// As the operators compute it one by one.
template <class Real>
Real scale_of(Real variance, double epsilon) {
  return Real(1) / std::sqrt(variance + Real(epsilon));
}

/// A parameter's numbers, or `otherwise` for each channel.
template <class Real>
std::vector<Real> numbers_of(const Tensor& parameter, int64_t channels, Real otherwise) {
  if (!parameter.defined()) return std::vector<Real>(size_t(channels), otherwise);
  const Real* first = parameter.data<Real>();
  return {first, first + channels};
}

template <class F>
auto by_real(const Tensor& x, F&& f) {
  return x.dtype() == DType::kFloat64 ? f.template operator()<double>()
                                      : f.template operator()<float>();
}

// ---- batches -----------------------------------------------------------------------------------

template <class Real>
class Batch {
 public:
  explicit Batch(const ChannelNorm& norm)
      : norm_(norm), layout_(norm.x), x_(norm.x.data<Real>()), count_(double(layout_.elements())) {}

  BatchStatistics statistics() const {
    const BatchStatistics made = {of_channels(norm_.x), of_channels(norm_.x)};
    Real *means = made.mean.data<Real>(), *variances = made.variance.data<Real>();
    layout_.for_channels([&](int64_t begin, int64_t end) {
      if (layout_.columns) return column_statistics(begin, end, means, variances);
      for (int64_t c = begin; c < end; ++c) {
        const Strip<Real> strip = layout_.strip(x_, c);
        means[c] = Real(channel_loops<Real>().sum(strip) / count_);
        variances[c] = Real(channel_loops<Real>().squares(strip, means[c]) / count_);
      }
    });
    return made;
  }

  Tensor normalised(const BatchStatistics& by) const {
    const Tensor out = as_laid(norm_.x);
    const Real* means = by.mean.data<Real>();
    const std::vector<Real> scales = scales_of(by);
    const auto weights = numbers_of<Real>(norm_.weight, layout_.channels, Real(1));
    const auto shifts = numbers_of<Real>(norm_.bias, layout_.channels, Real(0));
    layout_.for_channels([&](int64_t begin, int64_t end) {
      const auto c = size_t(begin);
      if (layout_.columns)
        return column_loops<Real>().normalise(layout_.columns_of(x_, begin, end),
                                              {means + begin, &scales[c], &weights[c], &shifts[c]},
                                              out.data<Real>() + begin);
      for (int64_t i = begin; i < end; ++i)
        channel_loops<Real>().normalise(layout_.strip(x_, i), {means[i], scales[size_t(i)]},
                                        &weights[size_t(i)], &shifts[size_t(i)], 0,
                                        out.data<Real>() + i * layout_.places);
    });
    return out;
  }

  NormGradients back(const BatchStatistics& by, const Tensor& grad) const {
    const NormGradients made = {as_laid(norm_.x), of_channels(norm_.x), of_channels(norm_.x)};
    std::vector<Real> scales = scales_of(by);
    const auto weights = numbers_of<Real>(norm_.weight, layout_.channels, Real(1));
    for (size_t c = 0; c < scales.size(); ++c) scales[c] *= weights[c];
    layout_.for_channels([&](int64_t begin, int64_t end) {
      if (layout_.columns) return columns_back(begin, end, by, scales, grad, made);
      for (int64_t c = begin; c < end; ++c) channel_back(c, by, scales, grad, made);
    });
    return made;
  }

 private:
  static double deviation(Real variance, double epsilon) {
    return std::sqrt(double(variance) + epsilon);
  }
  /// 1 / deviation.
  std::vector<Real> scales_of(const BatchStatistics& by) const {
    std::vector<Real> scales(static_cast<size_t>(layout_.channels));
    const Real* variances = by.variance.data<Real>();
    for (size_t c = 0; c < scales.size(); ++c) scales[c] = scale_of(variances[c], norm_.epsilon);
    return scales;
  }

  void column_statistics(int64_t begin, int64_t end, Real* means, Real* variances) const {
    const Strip<Real> strip = layout_.columns_of(x_, begin, end);
    std::vector<double> sums(size_t(end - begin));
    column_loops<Real>().sum(strip, sums.data());
    for (int64_t c = begin; c < end; ++c) means[c] = Real(sums[size_t(c - begin)] / count_);
    column_loops<Real>().squares(strip, means + begin, sums.data());
    for (int64_t c = begin; c < end; ++c) variances[c] = Real(sums[size_t(c - begin)] / count_);
  }

  /// What a channel's sums say: the gradients of weight and bias, and the slope along x.
  Real settle(int64_t c, const ChannelSums& sums, const BatchStatistics& by,
              const NormGradients& made) const {
    const double width = deviation(by.variance.data<Real>()[c], norm_.epsilon);
    made.weight.data<Real>()[c] = Real(sums.along / width);
    made.bias.data<Real>()[c] = Real(sums.of_grad);
    return Real(sums.along / (width * width * count_));
  }

  void channel_back(int64_t c, const BatchStatistics& by, const std::vector<Real>& scales,
                    const Tensor& grad, const NormGradients& made) const {
    const ChannelLoops<Real>& loops = channel_loops<Real>();
    const Strip<Real> strip = layout_.strip(x_, c);
    const Real* arrived = grad.data<Real>() + c * layout_.places;
    const Real mean = by.mean.data<Real>()[c], one = 1;
    ChannelSums sums;
    loops.gradient_sums(strip, arrived, mean, &sums, 0);
    const Real slope = settle(c, sums, by, made);
    loops.gradient(strip, arrived, {mean, Real(sums.of_grad / count_), slope, scales[size_t(c)]},
                   &one, 0, made.input.data<Real>() + c * layout_.places);
  }

  void columns_back(int64_t begin, int64_t end, const BatchStatistics& by,
                    const std::vector<Real>& scales, const Tensor& grad,
                    const NormGradients& made) const {
    const ColumnLoops<Real>& loops = column_loops<Real>();
    const Strip<Real> strip = layout_.columns_of(x_, begin, end);
    const Real *arrived = grad.data<Real>() + begin, *means = by.mean.data<Real>() + begin;
    const auto count = size_t(end - begin);
    std::vector<double> of_grad(count), along(count);
    std::vector<Real> shifts(count), slopes(count);
    loops.gradient_sums(strip, arrived, means, of_grad.data(), along.data());
    for (size_t i = 0; i < count; ++i) {
      slopes[i] = settle(begin + int64_t(i), {of_grad[i], along[i]}, by, made);
      shifts[i] = Real(of_grad[i] / count_);
    }
    loops.gradient(strip, arrived, {means, shifts.data(), slopes.data(), &scales[size_t(begin)]},
                   made.input.data<Real>() + begin);
  }

  const ChannelNorm& norm_;
  Layout layout_;
  const Real* x_;
  double count_;  ///< elements of a channel
};

// ---- groups ------------------------------------------------------------------------------------

/// Each example's groups: strips whose rows are channels.
template <class Real>
class Groups {
 public:
  Groups(const ChannelNorm& norm, int64_t groups)
      : norm_(norm),
        layout_(norm.x),
        groups_(groups),
        channels_(layout_.channels / groups),
        count_(double(channels_ * layout_.places)),
        weights_(numbers_of<Real>(norm.weight, layout_.channels, Real(1))) {}

  Tensor normalised() const {
    const Tensor out = as_laid(norm_.x);
    const auto shifts = numbers_of<Real>(norm_.bias, layout_.channels, Real(0));
    for_groups([&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const auto c = size_t(first_channel(i));
        channel_loops<Real>().normalise(strip(norm_.x, i), normal_of(i), &weights_[c], &shifts[c],
                                        1, out.data<Real>() + offset(i));
      }
    });
    return out;
  }

  NormGradients back(const Tensor& grad) const {
    const NormGradients made = {as_laid(norm_.x), of_channels(norm_.x), of_channels(norm_.x)};
    // What each channel of each example adds to the gradients of weight and bias.
    std::vector<ChannelSums> sums(size_t(layout_.examples * layout_.channels));
    for_groups([&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        group_back(i, grad, &sums[size_t(i * channels_)], made.input);
    });
    add_up(sums, made);
    return made;
  }

 private:
  template <class F>
  void for_groups(F&& f) const {
    const int64_t grain = std::max<int64_t>(1, kLeastElements / int64_t(count_));
    parallel_for(0, layout_.examples * groups_, grain, f);
  }
  int64_t offset(int64_t group) const { return group * channels_ * layout_.places; }
  int64_t first_channel(int64_t group) const { return group % groups_ * channels_; }
  Strip<Real> strip(const Tensor& x, int64_t group) const {
    return {x.data<Real>() + offset(group), channels_, layout_.places, layout_.places};
  }
  /// Statistics take a group as one row.
  ChannelNormal<Real> normal_of(int64_t group) const {
    const int64_t length = channels_ * layout_.places;
    const Strip<Real> whole = {norm_.x.data<Real>() + offset(group), 1, length, length};
    const Real mean = Real(channel_loops<Real>().sum(whole) / count_);
    const Real variance = Real(channel_loops<Real>().squares(whole, mean) / count_);
    return {mean, scale_of(variance, norm_.epsilon)};
  }

  void group_back(int64_t group, const Tensor& grad, ChannelSums* sums, const Tensor& out) const {
    const ChannelLoops<Real>& loops = channel_loops<Real>();
    const Real* arrived = grad.data<Real>() + offset(group);
    const Real* weights = &weights_[size_t(first_channel(group))];
    const auto by = normal_of(group);
    loops.gradient_sums(strip(norm_.x, group), arrived, by.mean, sums, 1);
    double of_grad = 0.0, along = 0.0;
    for (int64_t c = 0; c < channels_; ++c) {
      of_grad += sums[c].of_grad * double(weights[c]);
      along += sums[c].along * double(weights[c]);
      sums[c].along *= double(by.scale);
    }
    const Real slope = Real(along * double(by.scale) * double(by.scale) / count_);
    loops.gradient(strip(norm_.x, group), arrived,
                   {by.mean, Real(of_grad / count_), slope, by.scale}, weights, 1,
                   out.data<Real>() + offset(group));
  }

  void add_up(const std::vector<ChannelSums>& sums, const NormGradients& made) const {
    for (int64_t c = 0; c < layout_.channels; ++c) {
      ChannelSums total = {0.0, 0.0};
      for (int64_t n = 0; n < layout_.examples; ++n) {
        const ChannelSums& one = sums[size_t(n * layout_.channels + c)];
        total = {total.of_grad + one.of_grad, total.along + one.along};
      }
      made.weight.data<Real>()[c] = Real(total.along);
      made.bias.data<Real>()[c] = Real(total.of_grad);
    }
  }

  const ChannelNorm& norm_;
  Layout layout_;
  int64_t groups_, channels_;  ///< channels of a group
  double count_;               ///< elements of a group
  std::vector<Real> weights_;
};

bool is_computed(const Tensor& x) {
  const bool real = x.dtype() == DType::kFloat32 || x.dtype() == DType::kFloat64;
  return real && x.device().is_cpu() && x.rank() >= 2 && x.numel() > 0;
}

/// Row-major strides of [examples, ..., channels].
bool has_channels_innermost(const Tensor& x) {
  int64_t expected = x.size(1);
  if (x.stride(1) != 1) return false;
  for (int64_t dim = x.rank() - 1; dim > 1; --dim) {
    if (x.size(dim) != 1 && x.stride(dim) != expected) return false;
    expected *= x.size(dim);
  }
  return x.size(0) == 1 || x.stride(0) == expected;
}

}  // namespace

bool suits_channel_loops(const Tensor& x) {
  return is_computed(x) && (has_row_major_strides(x) || has_channels_innermost(x));
}
bool suits_group_loops(const Tensor& x) {
  return is_computed(x) && has_row_major_strides(x);
}

BatchStatistics batch_statistics(const ChannelNorm& norm) {
  return by_real(norm.x, [&]<class Real>() { return Batch<Real>(norm).statistics(); });
}
Tensor batch_normalised(const ChannelNorm& norm, const BatchStatistics& by) {
  return by_real(norm.x, [&]<class Real>() { return Batch<Real>(norm).normalised(by); });
}
NormGradients batch_norm_back(const ChannelNorm& norm, const BatchStatistics& by,
                              const Tensor& grad) {
  return by_real(norm.x, [&]<class Real>() { return Batch<Real>(norm).back(by, grad); });
}

Tensor group_normalised(const ChannelNorm& norm, int64_t groups) {
  return by_real(norm.x, [&]<class Real>() { return Groups<Real>(norm, groups).normalised(); });
}
NormGradients group_norm_back(const ChannelNorm& norm, int64_t groups, const Tensor& grad) {
  return by_real(norm.x, [&]<class Real>() { return Groups<Real>(norm, groups).back(grad); });
}

}  // namespace glint::ops
