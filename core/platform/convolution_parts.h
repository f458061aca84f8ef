// A convolution cut into parts that threads run on their own.
//
// Where there are as many images as threads, a part is some images: as many as stay in a core's
// cache on their way into the library's layout and back, unless reading the weight so often would
// cost more. A gradient of the weight sums over images, so that each thread's share is one part,
// whose sum is added to the others'. Where images are few, a part is some channels of what is
// computed.
//
//     ConvolutionParts parts(shape);            // 8 images on 2 threads: 4 parts of 2, 2 lanes
//     parts.shape(3); parts.offsets(3);         // the last two images
#pragma once

#include "core/platform/convolution_shape.h"

namespace glint {

class ConvolutionParts {
 public:
  explicit ConvolutionParts(const ConvolutionShape& whole);

  /// Equal ones, and a last one that may be smaller.
  int64_t count() const { return count_; }
  /// How many run at the same time; each thread runs one after the other.
  int64_t lanes() const { return lanes_; }
  bool are_images() const { return extent_ == &ConvolutionShape::images; }
  /// Whether each gives a sum that is to be added to the others'. There is a lane for each then.
  bool are_summed() const;

  ConvolutionShape shape(int64_t index) const;
  /// Where a part begins in the input, the weight, the result and the bias, in elements.
  std::array<int64_t, 4> offsets(int64_t index) const;

 private:
  int64_t images_of_a_part(int64_t threads) const;

  ConvolutionShape whole_;
  int64_t ConvolutionShape::* extent_ = &ConvolutionShape::images;
  int64_t size_ = 1;
  int64_t count_ = 1;
  int64_t lanes_ = 1;
};

}  // namespace glint
