#include "core/platform/convolution_parts.h"

#include <algorithm>

#include "core/support/thread_pool.h"

namespace glint {

namespace {

/// Channels that the library keeps beside each other.
constexpr int64_t kBlock = 16;

int64_t product(const std::array<int64_t, 3>& numbers) {
  return numbers[0] * numbers[1] * numbers[2];
}

int64_t divide_up(int64_t number, int64_t by) {
  return (number + by - 1) / by;
}

int64_t weight_elements(const ConvolutionShape& s) {
  return s.outputs * s.channels / s.groups * product(s.kernel);
}

bool is_worth_splitting(const ConvolutionShape& s) {
  constexpr double kLeast = 100.0 * 100.0 * 100.0;
  return double(s.images) * double(product(s.places)) * double(weight_elements(s)) >= kLeast;
}

bool is_of_weight(const ConvolutionShape& s) {
  return ConvolutionPass(s.pass) == ConvolutionPass::kOfWeight;
}

/// The channels of what is computed.
int64_t ConvolutionShape::* computed_channels(const ConvolutionShape& s) {
  return ConvolutionPass(s.pass) == ConvolutionPass::kOfInput ? &ConvolutionShape::channels
                                                              : &ConvolutionShape::outputs;
}

}  // namespace

ConvolutionParts::ConvolutionParts(const ConvolutionShape& whole) : whole_(whole) {
  const int64_t threads = is_worth_splitting(whole) ? num_threads() : 1;
  const auto channels = computed_channels(whole);
  const int64_t blocks = whole.groups > 1 ? 1 : divide_up(whole.*channels, kBlock);
  if (std::min(threads, blocks) > std::min(threads, whole.images)) {
    extent_ = channels;
    size_ = divide_up(blocks, threads) * kBlock;
  } else {
    size_ = images_of_a_part(threads);
  }
  size_ = std::min(size_, whole.*extent_);
  count_ = divide_up(whole.*extent_, size_);
  lanes_ = std::min(count_, threads);
}

int64_t ConvolutionParts::images_of_a_part(int64_t threads) const {
  constexpr int64_t kCachedElements = 256 * 1024;
  const int64_t share = divide_up(whole_.images, threads);
  if (is_of_weight(whole_)) return share;
  const int64_t image =
      whole_.channels * product(whole_.sizes) + whole_.outputs * product(whole_.places);
  const int64_t wanted = std::max(kCachedElements, 2 * weight_elements(whole_)) / image;
  return std::clamp<int64_t>(wanted, 1, share);
}

bool ConvolutionParts::are_summed() const {
  return are_images() && is_of_weight(whole_) && count_ > 1;
}

ConvolutionShape ConvolutionParts::shape(int64_t index) const {
  ConvolutionShape part = whole_;
  part.*extent_ = std::min(size_, whole_.*extent_ - index * size_);
  return part;
}

std::array<int64_t, 4> ConvolutionParts::offsets(int64_t index) const {
  const int64_t first = index * size_;
  const int64_t input = product(whole_.sizes), kernel = product(whole_.kernel),
                result = product(whole_.places);
  if (are_images()) return {first * whole_.channels * input, 0, first * whole_.outputs * result, 0};
  if (extent_ == &ConvolutionShape::channels) return {first * input, first * kernel, 0, 0};
  return {0, first * whole_.channels * kernel, first * result, first};
}

}  // namespace glint
