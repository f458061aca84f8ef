#include "core/tensor/device.h"

#include <charconv>

namespace glint {

std::string to_string(Device device) {
  std::string text = device.is_cpu() ? "cpu" : "cuda";
  if (device.index >= 0) text += ":" + std::to_string(device.index);
  return text;
}

std::optional<Device> parse_device(std::string_view text) {
  Device device;
  size_t colon = text.find(':');
  std::string_view type = text.substr(0, colon);
  if (type == "cuda") {
    device.type = DeviceType::kCuda;
  } else if (type != "cpu") {
    return std::nullopt;
  }
  if (colon == std::string_view::npos) return device;
  std::string_view digits = text.substr(colon + 1);
  if (digits.size() > 1 && digits[0] == '0') return std::nullopt;
  auto [end, error] = std::from_chars(digits.begin(), digits.end(), device.index);
  if (error != std::errc() || end != digits.end() || device.index < 0) return std::nullopt;
  return device;
}

}  // namespace glint
