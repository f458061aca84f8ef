#include "ops/device_calls.h"

#include <fmt/format.h>

#include "core/support/check.h"
#include "ops/builders.h"

namespace glint::ops {
namespace {

DeviceCalls device_calls;

/// Tensors of one call: which devices they are on.
struct Places {
  const Tensor* near = nullptr;  ///< on the processor, with dimensions
  const Tensor* far = nullptr;   ///< on an accelerator
  bool any = false;

  void add(const Argument& argument) {
    if (const Tensor* tensor = argument.get_if<Tensor>()) {
      if (!tensor->defined()) return;
      any = true;
      if (!tensor->device().is_cpu())
        far = tensor;
      else if (tensor->rank() > 0)
        near = tensor;
    }
    if (argument.is_list())
      for (const Argument& item : argument.list()) add(item);
  }
};

bool takes_any_device(const OpEntry& entry) {
  return entry.functional_form ? entry.functional_form->any_device : entry.any_device;
}

}  // namespace

void install_device_calls(DeviceCalls calls) {
  device_calls = calls;
}

Outputs call_on_device(const OpEntry& entry, Arguments arguments, Device device) {
  check(device_calls.call != nullptr, "who runs operators on a device is installed");
  return device_calls.call(entry, arguments, device);
}

bool run_into_on_device(const OpEntry& entry, Arguments arguments,
                        std::span<const Tensor> outputs) {
  return device_calls.run_into(entry, arguments, outputs);
}

bool update_on_device(const OpEntry& entry, Arguments arguments) {
  return device_calls.update(entry, arguments);
}

Device device_from_text(const std::string& text) {
  std::optional<Device> device = parse_device(text);
  if (!device)
    throw OpError{
        "RuntimeError",
        fmt::format("Expected one of cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, "
                    "ve, fpga, maia, xla, lazy, vulkan, mps, meta, hpu, mtia, privateuseone "
                    "device type at start of device string: {}",
                    text)};
  return *device;
}

void throw_several_devices(Arguments arguments) {
  Places places;
  for (const Argument& argument : arguments) places.add(argument);
  throw OpError{"RuntimeError",
                fmt::format("Expected all tensors to be on the same device, but found at least two "
                            "devices, {} and cpu!",
                            to_string(places.far->device()))};
}

Device device_of(const OpEntry& entry, Arguments arguments) {
  Places places;
  for (const Argument& argument : arguments) places.add(argument);
  if (places.far && places.near && !takes_any_device(entry)) throw_several_devices(arguments);
  const Signature& parsed = signature(entry);
  for (size_t i = 0; i < arguments.size(); ++i) {
    const bool names_one = parsed.parameters[i].types & kTakesDevice;
    if (!names_one || arguments[i].is_value()) continue;
    if (const std::optional<Device> named = named_device(arguments[i])) return *named;
  }
  if (places.far) return places.far->device();
  return places.any ? Device::cpu() : default_device();
}

}  // namespace glint::ops
