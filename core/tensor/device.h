// Where a tensor lives: the processor, or a numbered accelerator.
//
//     to_string(Device::cpu()) == "cpu"      to_string(Device::cuda(1)) == "cuda:1"
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace glint {

enum class DeviceType : uint8_t { kCpu, kCuda };

struct Device {
  DeviceType type = DeviceType::kCpu;
  int8_t index = -1;  ///< -1: the type's current device

  static constexpr Device cpu() { return {}; }
  static constexpr Device cuda(int8_t index = 0) { return {DeviceType::kCuda, index}; }
  bool is_cpu() const { return type == DeviceType::kCpu; }
  bool operator==(const Device&) const = default;
};

std::string to_string(Device device);
/// Reads `cpu`, `cpu:0`, `cuda`, `cuda:1`; nothing for other texts.
std::optional<Device> parse_device(std::string_view text);

}  // namespace glint
