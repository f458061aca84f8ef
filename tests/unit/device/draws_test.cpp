// Random numbers on the simulated device: Philox against its published vectors, draws against a
// model of it here, and the operator table's draws by what they launch, copy and look like.
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <numeric>

#include <catch2/catch.hpp>

#include "backends/cuda/compile/nvrtc.h"
#include "backends/cuda/device/launch_entry.h"
#include "backends/cuda/kernels/draw_kernels.h"
#include "backends/cuda/launch/text_kernel.h"
#include "core/tensor/accelerator.h"
#include "core/tensor/copy.h"
#include "ops/builders.h"
#include "ops/call.h"
#include "ops/sample_kinds.h"
#include "runtime/device/draws.h"
#include "runtime/device/install.h"

namespace glint {
namespace {

bool has_device() {
  setenv("GLINT_GPU", "sim", 0);
  device::install();
  accelerator_named = true;
  if (cuda::load_nvrtc()) return true;
  std::cerr << "SKIPPED, without NVRTC: random numbers on the simulated device\n";
  return false;
}

using Words = std::array<uint32_t, 4>;

/// Philox-4x32-10, as its paper has it.
Words philox(Words at, uint64_t seed) {
  uint32_t low = uint32_t(seed), high = uint32_t(seed >> 32);
  for (int round = 0; round < 10; ++round) {
    const uint64_t first = uint64_t{0xd2511f53} * at[0], second = uint64_t{0xcd9e8d57} * at[2];
    at = {uint32_t(second >> 32) ^ at[1] ^ low, uint32_t(second),
          uint32_t(first >> 32) ^ at[3] ^ high, uint32_t(first)};
    low += 0x9e3779b9;
    high += 0xbb67ae85;
  }
  return at;
}

Words philox_on_device(uint64_t seed, uint64_t step, uint64_t sequence) {
  const std::string text = std::string(cuda::philox_text()) + R"(
extern "C" __global__ void four(unsigned int* out, unsigned long long seed,
                                unsigned long long step, unsigned long long sequence) {
  const Four made = philox(seed, step, sequence);
  out[0] = made.x;
  out[1] = made.y;
  out[2] = made.z;
  out[3] = made.w;
})";
  const Tensor out = Tensor::empty(Dims{4}, DType::kInt32, Device::cuda());
  cuda::text_kernel(text, "four")
      .launch(1, 1,
              {cuda::address(out, "out"), cuda::gpu_argument(seed), cuda::gpu_argument(step),
               cuda::gpu_argument(sequence)});
  const Tensor near = on_processor(out);
  Words words;
  for (int i = 0; i < 4; ++i) words[size_t(i)] = uint32_t(near.data<int32_t>()[i]);
  return words;
}

TEST_CASE("philox gives the published vectors") {
  if (!has_device()) return;
  constexpr uint64_t kOnes = ~uint64_t{0};
  CHECK(philox_on_device(0, 0, 0) == Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(philox_on_device(kOnes, kOnes, kOnes) ==
        Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(philox_on_device(0x299f31d0a4093822, 0x85a308d3243f6a88, 0x0370734413198a2e) ==
        Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

/// Element `i` of `torch.rand` in float32, where `threads` draw.
float uniform_at(const DeviceGenerator& from, int64_t i, int64_t threads) {
  const uint64_t thread = uint64_t(i % threads), turn = uint64_t(i / threads);
  const uint64_t step = from.offset / 4 + turn / 4;
  const Words words =
      philox({uint32_t(step), uint32_t(step >> 32), uint32_t(thread), 0}, from.seed);
  const float unit = float(words[turn % 4]) * 0x1p-32f + 0x1p-33f;
  return unit == 1 ? 0 : unit;
}

TEST_CASE("an element is a function of seed, offset, place and threads") {
  if (!has_device()) return;
  constexpr int64_t kMost = 108 * 8 * 256;  // threads that the simulated device holds at once
  for (const int64_t count : {int64_t{1}, int64_t{255}, int64_t{1000}, kMost * 4 + 77}) {
    DeviceGenerator generator = {0x123456789abcdef0, 8};
    const DeviceGenerator from = generator;
    const Tensor out = Tensor::empty(Dims{count}, DType::kFloat32, Device::cuda());
    cuda::draw_uniform(out, 0.0, 1.0, generator);
    CHECK(generator.offset == from.offset + (count > kMost * 4 ? 8 : 4));
    const Tensor near = on_processor(out);
    const int64_t threads = std::min(kMost, (count + 255) / 256 * 256);
    int64_t wrong = 0;
    for (int64_t i = 0; i < count; ++i)
      wrong += near.data<float>()[i] != uniform_at(from, i, threads);
    CHECK(wrong == 0);
  }
}

TEST_CASE("dropout deals its numbers out to the elements of 16 bytes") {
  if (!has_device()) return;
  for (const DType dtype : {DType::kFloat32, DType::kFloat16, DType::kFloat64}) {
    for (const int64_t count : {int64_t{240000}, int64_t{602}, int64_t{77}}) {
      DeviceGenerator generator = {99, 4};
      const Tensor x = Tensor::full(Dims{count}, 3.0, dtype, Device::cuda());
      const Tensor out = Tensor::empty(Dims{count}, dtype, Device::cuda());
      const Tensor mask = Tensor::empty(Dims{count}, DType::kBool, Device::cuda());
      cuda::draw_dropout(x, out, mask, 0.75, generator);
      const Tensor values = convert(on_processor(out), DType::kFloat32), kept = on_processor(mask);
      const int64_t threads = std::min<int64_t>(108 * 8 * 256, (count + 255) / 256 * 256);
      const int64_t each = std::gcd(count, int64_t(16 / dtype_size(dtype)));
      int64_t wrong = 0;
      for (int64_t i = 0; i < count; ++i) {
        // The thread's number of that, as if drawn for elements one behind another.
        const int64_t drawn = i / (each * threads) * each + i % each;
        const int64_t thread = i / each % threads;
        const bool stays = uniform_at({99, 4}, drawn * threads + thread, threads) < 0.75f;
        wrong += kept.data<bool>()[i] != stays;
        wrong += values.data<float>()[i] != (stays ? 4.0f : 0.0f);
      }
      CHECK(wrong == 0);
    }
  }
}

std::vector<ops::Argument> moved(const std::vector<ops::Argument>& arguments) {
  std::vector<ops::Argument> result;
  for (const ops::Argument& argument : arguments)
    result.push_back(ops::map_argument<Tensor>(argument, [](const Tensor& tensor) {
      return tensor.defined() ? to_device(tensor, Device::cuda()) : tensor;
    }));
  return result;
}

TEST_CASE("the operator table's draws are made on the device, most in one launch") {
  if (!has_device()) return;
  size_t count = 0;
  for (const ops::OpEntry& entry : ops::op_table()) {
    if (!entry.effects.random || entry.functional_form || !entry.samples) continue;
    INFO(entry.name);
    CHECK((entry.decomposition || device::is_draw(entry)));
    // Whether probabilities are some has to be known; an order is sorted.
    const std::string_view name = entry.name;
    const bool is_plain = name != "randperm" && name != "bernoulli" && name != "cauchy" &&
                          name != "log_normal" && name != "geometric";
    // Of as many draws as it happens to take: the processor's.
    const bool is_moved = name == "poisson" || name == "binomial" || name == "standard_gamma";
    for (const ops::Sample& sample : ops::every_sample(entry)) {
      if (sample.error) continue;
      ops::Outputs expected, found;
      try {
        expected = ops::call_eager(entry, sample.arguments);
      } catch (const ops::OpError&) {
        continue;
      }
      const std::vector<ops::Argument> arguments = moved(sample.arguments);
      const DefaultDeviceScope scope(Device::cuda());
      const DeviceTraffic before = device_traffic();
      const uint64_t launches = cuda::launch_count();
      found = ops::call_eager(entry, arguments);
      CHECK((is_moved || device_traffic().uploads == before.uploads));
      CHECK((is_moved || device_traffic().downloads == before.downloads));
      const bool launches_one = is_plain && !is_moved && expected[0].numel() > 0;
      CHECK((!launches_one || cuda::launch_count() - launches <= 1));
      REQUIRE(found.size() >= expected.size());
      CHECK(found[0].device() == Device::cuda());
      CHECK(found[0].dtype() == expected[0].dtype());
      CHECK(same_dims(found[0].sizes(), expected[0].sizes()));
      CHECK(same_dims(found[0].strides(), expected[0].strides()));
      ++count;
    }
  }
  CHECK(count > 50);
}

/// Mean and variance of 40,000 draws.
std::pair<double, double> moments(std::string_view name, std::initializer_list<ops::Argument> more,
                                  DType dtype, Device device) {
  std::vector<ops::Argument> arguments = {Tensor::full(Dims{40000}, 0.5, dtype, device)};
  arguments.insert(arguments.end(), more);
  const ops::OpEntry& entry = *ops::find_op(name);
  const Tensor drawn =
      convert(on_processor(ops::call_eager(
                  entry, ops::complete_arguments<Tensor>(entry, std::move(arguments), {}))[0]),
              DType::kFloat64);
  double sum = 0, squares = 0;
  for (int64_t i = 0; i < drawn.numel(); ++i) {
    sum += drawn.data<double>()[i];
    squares += drawn.data<double>()[i] * drawn.data<double>()[i];
  }
  const double mean = sum / 40000;
  return {mean, squares / 40000 - mean * mean};
}

TEST_CASE("draws of the device and of the processor have the same distributions") {
  if (!has_device()) return;
  for (const DType dtype : {DType::kFloat32, DType::kFloat64, DType::kFloat16}) {
    const auto check_both = [&](std::string_view name, std::initializer_list<ops::Argument> more) {
      INFO(name);
      const auto near = moments(name, more, dtype, Device::cpu());
      const auto far = moments(name, more, dtype, Device::cuda());
      CHECK(std::abs(near.first - far.first) < 0.06 * std::sqrt(near.second));
      CHECK(std::abs(near.second / far.second - 1) < 0.12);
    };
    check_both("uniform", {-1.0, 3.0});
    check_both("normal", {1.0, 2.0});
    check_both("exponential", {0.5});
    check_both("bernoulli_fill", {0.3});
    check_both("bernoulli", {});
    check_both("random_fill", {10, 90});
    check_both("native_dropout", {0.2});
    check_both("log_normal", {0.5, 0.25});
    check_both("geometric", {0.3});
  }
}

}  // namespace
}  // namespace glint
