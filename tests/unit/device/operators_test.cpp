// The operator table on the simulated device: every entry's samples, run by eager execution there
// and on the processor. Results, sizes, strides and dtypes agree, and no element passes through the
// processor's memory on the way. Each entry's first sample by default; with
// GLINT_RECORD=1 all (scripts/test-device).
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "backends/cuda/compile/nvrtc.h"
#include "backends/cuda/device/launch_entry.h"
#include "core/tensor/accelerator.h"
#include "core/tensor/copy.h"
#include "ops/builders.h"
#include "ops/call.h"
#include "ops/infer.h"
#include "ops/layout.h"
#include "ops/sample_kinds.h"
#include "runtime/device/install.h"
#include "sanitized.h"

namespace glint {
namespace {

/// The simulated device, whatever the machine has, where GLINT_GPU is not set; false without NVRTC,
/// which is said.
bool has_device() {
  setenv("GLINT_GPU", "sim", 0);
  device::install();
  accelerator_named = true;
  if (cuda::load_nvrtc()) return true;
  std::cerr << "SKIPPED, without NVRTC: operators on the simulated device\n";
  return false;
}

bool is_tested(const ops::OpEntry& entry) {
  const bool values_are_any = std::string_view(entry.name).find("empty") != std::string_view::npos;
  return entry.samples && entry.functional_form == nullptr && !entry.effects.random &&
         !entry.effects.mutates && !entry.any_device && !values_are_any;
}

std::vector<ops::Argument> moved(const std::vector<ops::Argument>& arguments) {
  std::vector<ops::Argument> result;
  for (const ops::Argument& argument : arguments)
    result.push_back(ops::map_argument<Tensor>(argument, [](const Tensor& tensor) {
      // Of a view, its whole memory goes along, so that strides stay.
      return tensor.defined() ? to_device(tensor, Device::cuda()) : tensor;
    }));
  return result;
}

/// Whether all elements agree; NaN agrees with NaN.
bool agree(const Tensor& expected, const Tensor& found, const ops::Tolerance& tolerance) {
  const Tensor a = contiguous(convert(expected, DType::kFloat64));
  const Tensor b = contiguous(convert(on_processor(found), DType::kFloat64));
  for (int64_t i = 0; i < a.numel(); ++i) {
    const double x = a.data<double>()[i], y = b.data<double>()[i];
    const bool same = x == y || (std::isnan(x) && std::isnan(y));
    if (!same && !(std::abs(x - y) <= tolerance.absolute + tolerance.relative * std::abs(x)))
      return false;
  }
  return true;
}

/// What no integer is near becomes whatever the hardware says.
bool makes_integers_of_specials(const ops::Sample& sample, const ops::Outputs& expected) {
  const Tensor* x = sample.arguments[0].get_if<Tensor>();
  if (x == nullptr || !is_floating(x->dtype()) || !is_integer(expected[0].dtype())) return false;
  const Tensor values = contiguous(convert(*x, DType::kFloat64));
  for (int64_t i = 0; i < values.numel(); ++i)
    if (!(std::abs(values.data<double>()[i]) < 100)) return true;
  return false;
}

class Comparison {
 public:
  void run(const ops::OpEntry& entry, const ops::Sample& sample) {
    ops::Outputs expected, found;
    try {
      expected = ops::call_eager(entry, sample.arguments);
    } catch (const ops::OpError&) {
      return;
    }
    if (makes_integers_of_specials(sample, expected)) return;
    INFO(entry.name);
    const std::vector<ops::Argument> arguments = moved(sample.arguments);
    const DeviceTraffic before = device_traffic();
    try {
      const DefaultDeviceScope scope(Device::cuda());
      found = ops::call_eager(entry, arguments);
    } catch (const ops::OpError& error) {
      if (std::string_view(error.exception) != "NotImplementedError")
        FAIL_CHECK(error.exception << ": " << error.message);
      missing.insert(entry.name);
      return;
    }
    const bool looks = entry.effects.data_dependent || entry.sizes_from_values;
    CHECK((looks || device_traffic().downloads == before.downloads));
    compare(entry, expected, found);
    ++count;
  }

  std::set<std::string> missing;
  size_t count = 0;

 private:
  static void compare(const ops::OpEntry& entry, const ops::Outputs& expected,
                      const ops::Outputs& found) {
    REQUIRE(expected.size() == found.size());
    for (size_t i = 0; i < expected.size(); ++i) {
      CHECK(found[i].device() == Device::cuda());
      CHECK(found[i].dtype() == expected[i].dtype());
      REQUIRE(same_dims(found[i].sizes(), expected[i].sizes()));
      CHECK(agree(expected[i], found[i], entry.tolerance));
    }
  }
};

constexpr size_t kStep = tests::kSanitized ? 6 : 1;

TEST_CASE("the operator table on the device gives what the processor gives") {
  if (!has_device()) return;
  const bool all = std::getenv("GLINT_RECORD") != nullptr;
  Comparison comparison;
  size_t number = 0;
  for (const ops::OpEntry& entry : ops::op_table()) {
    if (!is_tested(entry) || (!all && ++number % kStep != 0)) continue;
    for (const ops::Sample& sample : ops::every_sample(entry)) {
      if (sample.error) continue;
      comparison.run(entry, sample);
      if (!all) break;
    }
  }
  CHECK(comparison.count > 200 / kStep);
  CHECK(comparison.missing == std::set<std::string>());
}

/// Whether it is a form that writes a tensor, of an operator whose sizes do not depend on values.
bool is_writing_form(const ops::OpEntry& entry) {
  return entry.functional_form != nullptr && is_tested(*entry.functional_form) &&
         !entry.effects.data_dependent;
}

/// A sample's arguments on the device; a form with `out=` gets a tensor of the result's type.
std::vector<ops::Argument> given(const ops::OpEntry& entry, const ops::Sample& sample) {
  std::vector<ops::Argument> arguments = moved(sample.arguments);
  if (!std::string_view(entry.name).ends_with(".out")) return arguments;
  const TensorType type = ops::infer(*entry.functional_form, ops::infer_arguments(arguments))[0];
  arguments.emplace_back(Tensor::empty(ops::constant_dims(type.sizes), type.dtype, Device::cuda()));
  return arguments;
}

/// Launches of one call; none where the device refuses it.
uint64_t launches_of(const ops::OpEntry& entry, const ops::Sample& sample) {
  const DefaultDeviceScope scope(Device::cuda());
  try {
    const std::vector<ops::Argument> arguments = given(entry, sample);
    const uint64_t before = cuda::launch_count();
    ops::call_eager(entry, arguments);
    return cuda::launch_count() - before;
  } catch (const ops::OpError&) {
    return 0;
  }
}

/// A line for each operator of which a call takes several launches: the most, of a few samples.
std::string several_launches() {
  std::string text;
  for (const ops::OpEntry& entry : ops::op_table()) {
    if (!is_tested(entry) && !is_writing_form(entry)) continue;
    const bool writes = entry.functional_form != nullptr;
    const int samples = writes ? 2 : 6;
    uint64_t most = 0;
    int tried = 0;
    for (const ops::Sample& sample : ops::every_sample(writes ? *entry.functional_form : entry))
      if (!sample.error && ++tried <= samples) most = std::max(most, launches_of(entry, sample));
    if (most > 1) text += fmt::format("{} {}\n", entry.name, most);
  }
  return text;
}

TEST_CASE("an operator is one launch, but for those that a list names") {
  if (!has_device() || tests::kSanitized) return;
  const std::string path = std::string(GLINT_SOURCE_DIR) + "/tests/golden/device/launches.txt";
  const std::string found = several_launches();
  if (std::getenv("GLINT_RECORD") != nullptr) std::ofstream(path) << found;
  std::ifstream file(path);
  const std::string recorded((std::istreambuf_iterator<char>(file)), {});
  INFO("record again: GLINT_RECORD=1 test_device \"an operator is one launch*\"");
  CHECK(found == recorded);
}

TEST_CASE("a second size, number or call compiles nothing and moves nothing") {
  if (!has_device()) return;
  const auto on_device = [](std::initializer_list<int64_t> sizes) {
    return Tensor::full(IntSpan(sizes.begin(), sizes.size()), 1.5, DType::kFloat32, Device::cuda());
  };
  Tensor x = on_device({3, 5}), y = on_device({4, 7});
  ops::call_eager("multiply", {x, 2.5});
  const DeviceTraffic before = device_traffic();
  const Tensor product = ops::call_eager("multiply", {y, 3.0});
  CHECK(device_traffic().uploads == before.uploads);
  CHECK(device_traffic().downloads == before.downloads);
  CHECK(Tensor::view_of(product, {}, {}, 27).item().as_double() == 4.5);
}

TEST_CASE("tensors of two devices do not mix") {
  if (!has_device()) return;
  const Tensor near = Tensor::full({2}, 1.0, DType::kFloat32);
  const Tensor far = to_device(near, Device::cuda());
  try {
    ops::call_eager("add", {near, far});
    FAIL("an error was expected");
  } catch (const ops::OpError& error) {
    CHECK(error.message ==
          "Expected all tensors to be on the same device, but found at least two devices, cuda:0 "
          "and cpu!");
  }
  // A number in a tensor may be anywhere.
  const Tensor number = Tensor::scalar(2.0, DType::kFloat32);
  const Tensor sum = ops::call_eager("add", {far, number});
  CHECK(sum.device() == Device::cuda());
  CHECK(Tensor::view_of(sum, {}, {}, 1).item().as_double() == 3.0);
}

}  // namespace
}  // namespace glint
