// Operators on tensors of an accelerator: who runs them, and on which device.
//
//     torch.add(x, y)          both on cuda:0: the installed function runs it there
//     torch.add(x, y)          one on the processor: PyTorch's error
//     torch.zeros(3, device="cuda")
//
// The eager kernels of ops/ read memory of the processor only. `call_eager` hands every call that
// concerns an accelerator to what was installed here, before any kernel sees it; a script that
// never names one pays a test of one flag.
#pragma once

#include <optional>
#include <string>

#include "core/tensor/accelerator.h"
#include "ops/op.h"

namespace glint::ops {

struct DeviceCalls {
  Outputs (*call)(const OpEntry& entry, Arguments arguments, Device device) = nullptr;
  /// A library operator into ready outputs; false if it has no such form.
  bool (*run_into)(const OpEntry& entry, Arguments arguments,
                   std::span<const Tensor> outputs) = nullptr;
  /// Computes a functional operator into a tensor of the result's sizes, its first argument or
  /// another, in one launch that converts too; false, and nothing written, if it cannot.
  bool (*write)(const OpEntry& entry, Arguments arguments, const Tensor& target) = nullptr;
};
void install_device_calls(DeviceCalls calls);
/// Runs the call on that device.
Outputs call_on_device(const OpEntry& entry, Arguments arguments, Device device);
bool run_into_on_device(const OpEntry& entry, Arguments arguments, std::span<const Tensor> outputs);
bool write_on_device(const OpEntry& entry, Arguments arguments, const Tensor& target);

/// The device that a call runs on: the one that it names, else that of its tensors, else the
/// default. Throws where its tensors are on several; a tensor without dimensions may be anywhere.
Device device_of(const OpEntry& entry, Arguments arguments);

/// What every failed check of a kernel is told as; what was wrong follows.
inline constexpr std::string_view kDeviceAssert = "CUDA error: device-side assert triggered: ";
[[noreturn]] void throw_device_assert(std::string_view what);
/// What was wrong, if the error is one of those; else nothing.
std::optional<std::string> failed_device_check(const OpError& error);

/// Throws PyTorch's error for tensors on the processor and on an accelerator.
[[noreturn]] void throw_several_devices(Arguments arguments);
/// An index on a device, of a tensor on the processor: PyTorch's error.
[[noreturn]] void throw_far_index();
/// Reads `cuda:0`; throws PyTorch's error for what is no device.
Device device_from_text(const std::string& text);
/// The device that an argument names: a `torch.device`, or its text.
template <class V>
std::optional<Device> named_device(const BasicArgument<V>& argument) {
  if (const Device* given = argument.template get_if<Device>()) return *given;
  const std::string* text = argument.template get_if<std::string>();
  return text ? std::optional(device_from_text(*text)) : std::nullopt;
}

}  // namespace glint::ops
