// Random numbers that a GPU draws: those of PyTorch's CUDA generator, by kernels written by hand.
//
//     DeviceGenerator& generator = default_generator().on_device;
//     draw_uniform(x, 0.0, 1.0, generator);            one launch; the next call goes on behind it
//
// A number is a function of four things: the seed, the offset that its call begins at, the thread
// that draws it and how often that has drawn. Philox-4x32-10 makes 128 bits of them:
//
//   1. a call has threads = 256 * min(blocks that the device holds at once, ceil(count / 256));
//   2. thread t draws 128 bits at a time: four float32 (or 32-bit integers), or two of 64 bits;
//   3. draw k of thread t is for the elements t + threads * (4 k + 0, 1, 2, 3) (of two: 2 k + 0,
//   1);
//   4. the generator goes on by four for each draw of a thread.
//
// Up to the size where a device holds all blocks at once, numbers are the same on each; beyond it
// they depend on the device, as PyTorch's do. Elements are counted as they lie in memory: what is
// drawn into fills its memory without gaps.
#pragma once

#include <string_view>

#include "core/tensor/generator.h"
#include "core/tensor/tensor.h"

namespace glint::cuda {

/// Whether elements lie without gaps and overlaps, in whatever order of dimensions.
bool fills_its_memory(const Tensor& tensor);

void draw_uniform(const Tensor& out, double from, double to, DeviceGenerator& generator);
void draw_normal(const Tensor& out, double mean, double deviation, DeviceGenerator& generator);
void draw_exponential(const Tensor& out, double rate, DeviceGenerator& generator);
/// `low` and `range - 1` numbers above it, of 32 random bits each or of 64.
void draw_integers(const Tensor& out, int64_t low, uint64_t range, bool of_64_bits,
                   DeviceGenerator& generator);
/// Ones with that probability, else zeros.
void draw_bernoulli(const Tensor& out, double probability, DeviceGenerator& generator);
/// The same with a probability for each element, in a tensor of the same dtype; both are
/// contiguous. One that is none is told as launch_checks.h says.
void draw_bernoulli(const Tensor& out, const Tensor& probabilities, DeviceGenerator& generator);
/// Each element of `x` with probability `kept`, scaled by 1 / `kept`, else 0; and in `mask`, which
/// were kept. All three lie alike.
void draw_dropout(const Tensor& x, const Tensor& out, const Tensor& mask, double kept,
                  DeviceGenerator& generator);
/// What a random order sorts by: int64, of which the lowest `bits` count (of 32 the sign too).
void draw_keys(const Tensor& keys, int bits, DeviceGenerator& generator);
/// Shuffles what stands behind equal keys: a sort leaves those in order. Both are int64.
void shuffle_equals(const Tensor& sorted_keys, const Tensor& values, DeviceGenerator& generator);

/// The generator itself, as CUDA C++: `Four philox(uint64 seed, uint64 step, uint64 sequence)`.
std::string_view philox_text();

}  // namespace glint::cuda
