#include "ops/device_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/support/check.h"
#include "ops/builders.h"
#include "ops/layout.h"

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

/// An operator that PyTorch checks argument by argument, and how it calls them.
struct CheckedCall {
  struct Name {
    std::string_view ours, theirs;
  };
  std::string_view entry, method;
  std::vector<Name> names;                       ///< in the order of the check; the first is given
  bool (*is_so)(Arguments arguments) = nullptr;  ///< whether these arguments are called so
};

bool are_matrices(Arguments arguments) {
  return arguments[0].tensor().rank() == 2;
}
/// A loss of classes, not of a probability for each; of images it has a kernel of its own.
bool are_classes(Arguments arguments) {
  return !is_floating(arguments[1].tensor().dtype()) && arguments[0].tensor().rank() <= 2;
}
bool are_classes_of_places(Arguments arguments) {
  return !is_floating(arguments[1].tensor().dtype()) && arguments[0].tensor().rank() > 2;
}
bool source_is_tensor(Arguments arguments) {
  return arguments[3].is_value();
}

const std::vector<CheckedCall>& checked_calls() {
  const std::vector<CheckedCall::Name> loss = {
      {"input", "self"}, {"target", "target"}, {"weight", "weight"}};
  const std::vector<CheckedCall::Name> norm = {
      {"input", "input"}, {"weight", "weight"}, {"bias", "bias"}};
  const std::vector<CheckedCall::Name> put = {
      {"input", "self"}, {"index", "index"}, {"src", "src"}};
  const std::vector<CheckedCall::Name> slices = {
      {"input", "self"}, {"index", "index"}, {"source", "source"}};
  static const std::vector<CheckedCall> table = {
      {"mm", "mm", {{"input", "self"}, {"mat2", "mat2"}}},
      {"bmm", "bmm", {{"input", "self"}, {"mat2", "mat2"}}},
      {"matmul", "mm", {{"input", "self"}, {"other", "mat2"}}, are_matrices},
      {"addmm", "addmm", {{"input", "self"}, {"mat1", "mat1"}, {"mat2", "mat2"}}},
      {"linear", "addmm", {{"bias", "self"}, {"input", "mat1"}, {"weight", "mat2"}}},
      {"linear", "mm", {{"input", "self"}, {"weight", "mat2"}}},  // without a bias
      {"cat", "cat", {{"tensors", "tensors"}}},
      {"stack", "cat", {{"tensors", "tensors"}}},
      {"hstack", "cat", {{"tensors", "tensors"}}},
      {"vstack", "cat", {{"tensors", "tensors"}}},
      {"gather", "gather", {{"input", "self"}, {"index", "index"}}},
      {"index_select", "_index_select", {{"input", "self"}, {"index", "index"}}},
      {"embedding", "_index_select", {{"weight", "self"}, {"input", "index"}}},
      {"dot", "_dot", {{"input", "self"}, {"tensor", "tensor"}}},
      {"vdot", "_vdot", {{"input", "self"}, {"other", "other"}}},
      {"masked_select", "_masked_select", {{"input", "self"}, {"mask", "mask"}}},
      {"layer_norm", "_native_layer_norm", norm},
      {"cross_entropy", "nll_loss_forward", loss, are_classes},
      {"cross_entropy", "_nll_loss2d_forward", loss, are_classes_of_places},
      {"nll_loss", "nll_loss_forward", loss, are_classes},
      {"nll_loss", "_nll_loss2d_forward", loss, are_classes_of_places},
      {"binary_cross_entropy", "_binary_cross_entropy", loss},
      {"scatter", "scatter_src", put, source_is_tensor},
      {"scatter", "scatter_value", {{"input", "self"}, {"index", "index"}}},
      {"scatter_", "scatter__src", put, source_is_tensor},
      {"scatter_", "scatter__value", {{"input", "self"}, {"index", "index"}}},
      {"scatter_add", "scatter_add", put},
      {"scatter_add_", "scatter_add_", put},
      {"index_add", "index_add", slices},
      {"index_add_", "index_add_", slices},
      {"index_copy", "index_copy", slices},
      {"index_copy_", "index_copy_", slices},
  };
  return table;
}

/// The tensors of an argument, one or a list.
void add_tensors(const Argument& argument, std::vector<const Tensor*>& tensors) {
  if (const Tensor* tensor = argument.get_if<Tensor>(); tensor && tensor->defined())
    tensors.push_back(tensor);
  if (argument.is_list())
    for (const Argument& item : argument.list()) add_tensors(item, tensors);
}

/// `got mat2 is on cpu, ...`; returns where the call is none of the row's, whose first tensor it
/// lacks, or which is called otherwise.
void check_by_row(const CheckedCall& row, const OpEntry& entry, Arguments arguments) {
  if (row.is_so != nullptr && !row.is_so(arguments)) return;
  const Tensor* first = nullptr;
  for (const auto& [ours, theirs] : row.names) {
    std::vector<const Tensor*> tensors;
    add_tensors(arguments[*signature(entry).find(ours)], tensors);
    for (const Tensor* each : tensors) {
      if (first != nullptr && each->device() != first->device())
        throw OpError{
            "RuntimeError",
            fmt::format("Expected all tensors to be on the same device, but got {} is on "
                        "{}, different from other tensors on {} (when checking argument "
                        "in method wrapper_CUDA_{})",
                        theirs, to_string(each->device()), to_string(first->device()), row.method)};
      if (first == nullptr) first = each;
    }
    if (first == nullptr) return;
  }
}

/// `torch.cuda.FloatTensor`, as convolutions speak of tensors.
std::string legacy_type(const Tensor& tensor) {
  return fmt::format("torch.{}{}Tensor", tensor.device().is_cpu() ? "" : "cuda.",
                     scalar_type_name(tensor.dtype()));
}

void check_convolution(Arguments arguments) {
  const Tensor& input = arguments[0].tensor();
  for (const auto& [place, name] : {std::pair{1, "weight"}, std::pair{2, "bias"}}) {
    const Tensor* other = arguments[static_cast<size_t>(place)].get_if<Tensor>();
    if (other == nullptr || !other->defined() || other->device() == input.device()) continue;
    throw OpError{
        "RuntimeError",
        fmt::format("Input type ({}) and {} type ({}) should be the same{}", legacy_type(input),
                    name, legacy_type(*other),
                    input.device().is_cpu()
                        ? " or input should be a MKLDNN tensor and weight is a dense tensor"
                        : "")};
  }
}

void check_mask(Arguments arguments) {
  const Tensor &input = arguments[0].tensor(), &mask = arguments[1].tensor();
  if (input.device() == mask.device()) return;
  throw OpError{"RuntimeError",
                fmt::format("expected self and mask to be on the same device, but got mask on {} "
                            "and self on {}",
                            to_string(mask.device()), to_string(input.device()))};
}

/// In the words of the operator's own check, where it has one; else returns.
void check_by_argument(const OpEntry& entry, Arguments arguments) {
  const std::string_view name = entry.name;
  if (name == "convolution" || name == "transposed_convolution") check_convolution(arguments);
  if (name == "masked_fill" || name == "masked_fill_") check_mask(arguments);
  for (const CheckedCall& row : checked_calls())
    if (row.entry == name) check_by_row(row, entry, arguments);
}

constexpr std::string_view kDeviceTypes =
    "cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, fpga, maia, xla, lazy, vulkan, "
    "mps, meta, hpu, mtia, privateuseone";

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

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

bool write_on_device(const OpEntry& entry, Arguments arguments, const Tensor& target) {
  return device_calls.write(entry, arguments, target);
}

Device device_from_text(const std::string& text) {
  if (std::optional<Device> device = parse_device(text)) return *device;
  if (text.empty()) throw OpError{"RuntimeError", "Device string must not be empty"};
  const std::string type = text.substr(0, text.find(':'));
  const std::string index = text.substr(std::min(type.size() + 1, text.size()));
  const bool is_word = !type.empty() && std::ranges::all_of(type, is_letter);
  const bool is_number =
      !index.empty() && std::ranges::all_of(index, is_digit) && (index[0] != '0' || index == "0");
  if (!is_word || (type.size() < text.size() && !is_number))
    throw OpError{"RuntimeError", fmt::format("Invalid device string: '{}'", text)};
  if (type == "cpu" || type == "cuda")
    throw OpError{
        "RuntimeError",
        fmt::format("Could not parse device index '{}' in device string '{}'", index, text)};
  if (fmt::format(" {},", kDeviceTypes).find(fmt::format(" {},", type)) != std::string::npos)
    throw OpError{
        "RuntimeError",
        fmt::format("there is no '{}' device here, tensors are on 'cpu' or 'cuda'", type)};
  throw OpError{"RuntimeError",
                fmt::format("Expected one of {} device type at start of device string: {}",
                            kDeviceTypes, type)};
}

void throw_device_assert(std::string_view what) {
  throw OpError{"AcceleratorError", fmt::format("{}{}", kDeviceAssert, what)};
}

std::optional<std::string> failed_device_check(const OpError& error) {
  if (!error.message.starts_with(kDeviceAssert)) return std::nullopt;
  return error.message.substr(kDeviceAssert.size());
}

void throw_several_devices(Arguments arguments) {
  Places places;
  for (const Argument& argument : arguments) places.add(argument);
  throw OpError{"RuntimeError",
                fmt::format("Expected all tensors to be on the same device, but found at least two "
                            "devices, {} and cpu!",
                            to_string(places.far->device()))};
}

void throw_far_index() {
  throw OpError{
      "RuntimeError",
      "indices should be either on cpu or on the same device as the indexed tensor (cpu)"};
}

Device device_of(const OpEntry& entry, Arguments arguments) {
  Places places;
  for (const Argument& argument : arguments) places.add(argument);
  if (places.far && places.near && !takes_any_device(entry)) {
    check_by_argument(entry, arguments);
    throw_several_devices(arguments);
  }
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
