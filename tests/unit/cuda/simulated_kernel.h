// Runs one compiled kernel on the simulated device and on the interpreter of Kernel IR, with the
// same random inputs, and compares every output.
//
//     SimulatedDevice device;
//     compare_simulated(device, kernel, compiled, {.symbols = {100}, .tolerance = 1e-6});
//
// The simulator finds accesses out of bounds, races and barriers that not all reach by itself: a
// fault fails the test.
#pragma once

#include <cmath>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "backends/cuda/codegen/compiled_kernel.h"
#include "backends/cuda/simulator/launch.h"
#include "backends/interp/kernel_interpreter.h"
#include "ops/scalar/elementwise_kernels.h"
#include "uniform.h"

namespace glint {

struct SimulationOptions {
  std::vector<int64_t> symbols = {};
  double tolerance = 0.0;  ///< relative to the greater of the value and 1; 0 is to the bit
  double low = -3.0;
  double high = 3.0;
  bool specials = false;                 ///< mixes nan, infinities and zeros into the inputs
  uint32_t block_shared_bytes = 166912;  ///< what the device gives a block, at most
  size_t shift = 0;  ///< elements by which the device's buffers begin behind where vectors may
};

/// Keeps the module that was loaded last: kernels that were compiled together are read once.
class SimulatedDevice {
 public:
  simulator::Memory memory;

  const simulator::LoadedModule& load(const std::shared_ptr<const cuda::CompiledModule>& module) {
    if (loaded_ && module == module_) return *loaded_;
    auto loaded = simulator::LoadedModule::load(module->ptx, memory);
    if (!loaded) FAIL(loaded.error().message);
    module_ = module;
    return loaded_.emplace(std::move(*loaded));
  }

 private:
  std::shared_ptr<const cuda::CompiledModule> module_;
  std::optional<simulator::LoadedModule> loaded_;
};

/// What a kernel makes of random inputs on the interpreter: what each way to write it has to make.
class InterpretedKernel {
 public:
  using Bytes = std::vector<std::byte>;

  InterpretedKernel(const Kernel& kernel, SimulationOptions options)
      : kernel_(kernel), options_(std::move(options)) {
    make_inputs();
    made_ = given_;
    std::vector<std::byte*> parameters;
    for (const size_t home : home_) parameters.push_back(made_[home].data());
    KernelInterpreter interpreter(kernel_, options_.symbols, parameters);
    interpreter.run();
    failed_ = interpreter.failed().has_value();
  }

  const Kernel& kernel() const { return kernel_; }
  const SimulationOptions& options() const { return options_; }
  /// By parameter: whose memory it has. An output that may lie over an input does.
  const std::vector<size_t>& home() const { return home_; }
  const std::vector<Bytes>& given() const { return given_; }
  const std::vector<Bytes>& made() const { return made_; }
  bool failed() const { return failed_; }

  int64_t value(SymInt size) const { return size.evaluate(options_.symbols); }

 private:
  void make_inputs() {
    std::mt19937 random(7);
    for (uint32_t i = 0; i < kernel_.parameter_count; ++i) {
      const TensorType& type = kernel_.buffers[i].type;
      int64_t reach = 1;
      const auto strides = type.full_strides();
      for (size_t d = 0; d < type.sizes.size(); ++d) {
        const int64_t size = value(type.sizes[d]);
        if (size == 0) reach = 0;
        if (reach != 0) reach += (size - 1) * value(strides[d]);
      }
      // Uninitialised bytes are alike on both sides.
      Bytes bytes(static_cast<size_t>(reach) * dtype_size(type.dtype), std::byte{0});
      if (!kernel_.written()[i]) fill(bytes, type.dtype, reach, random);
      home_.push_back(kernel_.buffers[i].over ? index(*kernel_.buffers[i].over) : i);
      given_.push_back(std::move(bytes));
    }
  }

  void fill(Bytes& bytes, DType dtype, int64_t count, std::mt19937& random) const {
    std::vector<double> values(static_cast<size_t>(count));
    const double specials[] = {0.0, -0.0, std::nan(""), INFINITY, -INFINITY, 1e30, -1e30, 1e6};
    for (double& each : values) {
      each = tests::uniform(random, options_.low, options_.high);
      if (!is_floating(dtype)) each = std::floor(each);
      if (dtype == DType::kUInt8) each = std::abs(each);
      if (options_.specials && is_floating(dtype) && random() % 4 == 0)
        each = specials[random() % 8];
    }
    scalar::cast_loop(DType::kFloat64, dtype)(values.data(), bytes.data(), count);
  }

  const Kernel& kernel_;
  SimulationOptions options_;
  std::vector<size_t> home_;
  std::vector<Bytes> given_, made_;
  bool failed_ = false;
};

class SimulatedKernel {
 public:
  SimulatedKernel(SimulatedDevice& device, const InterpretedKernel& interpreted,
                  const cuda::CompiledKernel& compiled)
      : device_(device),
        interpreted_(interpreted),
        kernel_(interpreted.kernel()),
        compiled_(compiled),
        options_(interpreted.options()) {
    for (size_t i = 0; i < interpreted_.given().size(); ++i) {
      memory_.push_back(interpreted_.given()[i]);
      memory_.back().insert(memory_.back().begin(), begin_of(i), std::byte{0});
    }
    simulate();
    INFO(print(kernel_));
    CHECK(interpreted_.failed() == failed_);
    for (uint32_t i = 0; i < kernel_.parameter_count && !failed_; ++i)
      if (kernel_.written()[i]) compare(i);
  }
  SimulatedKernel(const SimulatedKernel&) = delete;
  SimulatedKernel& operator=(const SimulatedKernel&) = delete;
  ~SimulatedKernel() {
    for (const uint64_t address : added_) device_.memory.remove(address);
  }

 private:
  using Bytes = InterpretedKernel::Bytes;

  int64_t value(SymInt size) const { return interpreted_.value(size); }

  /// Where a buffer's first element lies in the device's memory of it.
  size_t begin_of(size_t buffer) const {
    const TensorType& type = kernel_.buffers[buffer].type;
    return type.scalar ? 0 : options_.shift * dtype_size(type.dtype);
  }

  uint64_t add(const std::string& name, Bytes& bytes) {
    return added_.emplace_back(device_.memory.add(name, bytes.data(), bytes.size()));
  }

  simulator::Argument argument_for(const cuda::KernelParameter& parameter) {
    using Kind = cuda::KernelParameter::Kind;
    switch (parameter.kind) {
      case Kind::kSize:
      case Kind::kLength:
        return simulator::argument(value(parameter.size));
      case Kind::kKept:
        return simulator::argument(
            std::min(value(parameter.size),
                     cuda::most_kept_elements(compiled_, parameter, options_.block_shared_bytes)));
      case Kind::kNumber:
        return memory_[parameter.buffer];
      case Kind::kBuffer: {
        const size_t home = interpreted_.home()[parameter.buffer];
        const auto [address, added] = addresses_.try_emplace(home, 0);
        if (added) address->second = add(parameter.name, memory_[home]);
        return simulator::argument(address->second + begin_of(home));
      }
      default:
        extra_.emplace_back(static_cast<size_t>(value(parameter.size)), std::byte{0});
        if (parameter.kind == Kind::kStatus) status_ = extra_.size() - 1;
        return simulator::argument(add(parameter.name, extra_.back()));
    }
  }

  void simulate() {
    auto program = device_.load(compiled_.module).program(compiled_.entry);
    if (!program) FAIL(program.error().message);
    simulator::Launch launch;
    launch.grid = {static_cast<uint32_t>(value(compiled_.grid))};
    launch.block = {compiled_.threads};
    launch.dynamic_shared = static_cast<uint32_t>(
        value(cuda::dynamic_shared_bytes(compiled_, options_.block_shared_bytes)));
    for (const cuda::KernelParameter& each : compiled_.parameters)
      launch.arguments.push_back(argument_for(each));
    const auto result = simulator::run(*program, device_.memory, launch);
    INFO(print(kernel_));
    if (!result) FAIL(result.error().message);
    if (status_)
      failed_ = extra_[*status_][0] != std::byte{0} || extra_[*status_][1] != std::byte{0};
    // A thread whose check failed has ended, and others may wait for it.
    if (result->fault && !failed_) FAIL_CHECK(result->fault->text());
  }

  void compare(uint32_t parameter) {
    const DType dtype = kernel_.buffers[parameter].type.dtype;
    const size_t home = interpreted_.home()[parameter];
    const Bytes& made = interpreted_.made()[home];
    const std::byte* const simulated = memory_[home].data() + begin_of(home);
    const size_t count = made.size() / dtype_size(dtype);
    std::vector<double> values[2] = {std::vector<double>(count), std::vector<double>(count)};
    const auto to_double = scalar::cast_loop(dtype, DType::kFloat64);
    to_double(made.data(), values[0].data(), static_cast<int64_t>(count));
    to_double(simulated, values[1].data(), static_cast<int64_t>(count));
    size_t different = 0;
    size_t first = 0;
    for (size_t i = 0; i < count; ++i) {
      const double x = values[0][i];
      const double y = values[1][i];
      bool same = std::memcmp(&x, &y, sizeof x) == 0 || (std::isnan(x) && std::isnan(y));
      if (!same && options_.tolerance > 0)
        same = x == y || std::abs(x - y) <= options_.tolerance * std::max(1.0, std::abs(x));
      if (!same && different++ == 0) first = i;
    }
    INFO("%" << kernel_.buffers[parameter].name << "[" << first << "] of " << count << ": interp "
             << (count ? values[0][first] : 0) << ", simulated " << (count ? values[1][first] : 0));
    CHECK(different == 0);
  }

  SimulatedDevice& device_;
  const InterpretedKernel& interpreted_;
  const Kernel& kernel_;
  const cuda::CompiledKernel& compiled_;
  const SimulationOptions& options_;
  std::vector<Bytes> memory_;
  std::map<size_t, uint64_t> addresses_;
  std::vector<uint64_t> added_;  ///< buffers in the device's memory
  std::vector<Bytes> extra_;
  std::optional<size_t> status_;
  bool failed_ = false;
};

inline void compare_simulated(SimulatedDevice& device, const Kernel& kernel,
                              const cuda::CompiledKernel& compiled,
                              const SimulationOptions& options) {
  SimulatedKernel(device, InterpretedKernel(kernel, options), compiled);
}

}  // namespace glint
