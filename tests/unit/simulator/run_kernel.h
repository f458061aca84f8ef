// How the simulator's tests run a kernel: buffers of host vectors, a recorded PTX file or a text in
// the test, and the launch.
//
//     Device device = Device::recorded("movement");
//     device.run("reverse_block", {.grid = {2}, .block = {64}, .dynamic_shared = 256}, x, out);
#pragma once

#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "backends/cuda/simulator/launch.h"

namespace glint::simulator {

inline std::string recorded_ptx(const std::string& name) {
  std::ifstream file(std::string(GLINT_SOURCE_DIR) + "/tests/ptx/" + name + ".ptx");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// A module on a device of its own; vectors among the arguments are buffers.
class Device {
 public:
  explicit Device(const std::string& ptx) : memory_(std::make_unique<Memory>()) {
    Result<LoadedModule> loaded = LoadedModule::load(ptx, *memory_);
    if (!loaded) FAIL(loaded.error().message);
    module_ = std::make_unique<LoadedModule>(std::move(*loaded));
  }
  /// With the module of tests/ptx/NAME.ptx.
  static Device recorded(const std::string& name) { return Device(recorded_ptx(name)); }

  template <class... Arguments>
  LaunchResult run(const std::string& entry, Launch launch, Arguments&... arguments) {
    launch.arguments = {to_argument(arguments)...};
    Result<Program> program = module_->program(entry);
    if (!program) FAIL(program.error().message);
    last_ = std::make_unique<Program>(std::move(*program));
    Result<LaunchResult> result = simulator::run(*last_, *memory_, launch, options);
    if (!result) FAIL(result.error().message);
    return std::move(*result);
  }
  /// As run, and the launch must end without a fault.
  template <class... Arguments>
  LaunchReport check(const std::string& entry, Launch launch, Arguments&... arguments) {
    LaunchResult result = run(entry, std::move(launch), arguments...);
    if (result.fault) FAIL(result.fault->text());
    return result.report;
  }

  const Program& program() const { return *last_; }
  const LoadedModule& module() const { return *module_; }

  LaunchOptions options;

 private:
  template <class T>
  Argument to_argument(std::vector<T>& values) {
    for (const auto& [bytes, address] : buffers_) {
      if (bytes == values.data()) return argument(address);
    }
    const std::string name = std::string("buffer ") + std::to_string(buffers_.size());
    const uint64_t address = memory_->add(name, values.data(), values.size() * sizeof(T));
    buffers_.emplace_back(values.data(), address);
    return argument(address);
  }
  template <class T>
  Argument to_argument(const T& value) {
    return argument(value);
  }

  std::unique_ptr<Memory> memory_;
  std::unique_ptr<LoadedModule> module_;
  std::unique_ptr<Program> last_;
  std::vector<std::pair<const void*, uint64_t>> buffers_;
};

}  // namespace glint::simulator
