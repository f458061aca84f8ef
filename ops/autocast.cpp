#include "ops/autocast.h"

#include <fmt/format.h>

namespace glint::ops {

namespace {

using enum AutocastPolicy;

// PyTorch has a list for each kind of device. What it makes of other operators, as of `outer`,
// which multiplies, is in no list there either.
constexpr AutocastRow kRows[] = {
    // Products of matrices, and what is made of them.
    {"mm", kLower, kLower},
    {"bmm", kLower, kLower},
    {"matmul", kLower, kLower},
    {"linear", kLower, kLower},
    {"addmm", kLower, kLower},
    {"baddbmm", kLower, kLower},
    {"addbmm", kLower, kLower},
    {"convolution", kLower, kLower},
    {"transposed_convolution", kLower, kLower},
    {"prelu", kLower, kLower},
    {"attention", kLower, kLower},
    {"mv", kNone, kLower},
    {"addmv", kNone, kLower},
    {"addr", kNone, kLower},
    // Losses.
    {"mse_loss", kFull, kFull},
    {"l1_loss", kFull, kFull},
    {"smooth_l1_loss", kFull, kFull},
    {"huber_loss", kFull, kFull},
    {"nll_loss", kFull, kFull},
    {"cross_entropy", kFull, kFull},
    {"binary_cross_entropy_with_logits", kFull, kFull},
    {"binary_cross_entropy", kFull, kRefused},
    // Functions whose range float16 does not have.
    {"exp", kNone, kFull},
    {"expm1", kNone, kFull},
    {"log", kNone, kFull},
    {"log2", kNone, kFull},
    {"log10", kNone, kFull},
    {"log1p", kNone, kFull},
    {"power", kNone, kFull},
    {"reciprocal", kNone, kFull},
    {"rsqrt", kNone, kFull},
    {"sinh", kNone, kFull},
    {"cosh", kNone, kFull},
    {"tan", kNone, kFull},
    {"asin", kNone, kFull},
    {"acos", kNone, kFull},
    {"erfinv", kNone, kFull},
    {"softplus", kNone, kFull},
    // Sums of many elements.
    {"prod", kFull, kFull},
    {"trace", kFull, kNone},
    {"cdist", kFull, kFull},
    {"dist", kNone, kFull},
    {"sum", kNone, kFull},
    {"cumsum", kNone, kFull},
    {"cumprod", kNone, kFull},
    {"norm", kNone, kFull},
    {"logsumexp", kNone, kFull},
    {"softmax", kNone, kFull},
    {"log_softmax", kNone, kFull},
    {"layer_norm", kNone, kFull},
    {"rms_norm", kNone, kFull},
    {"group_norm", kNone, kFull},
    // Several tensors that need one dtype.
    {"cat", kWidest, kNone},
    {"stack", kWidest, kNone},
    {"index_copy", kWidest, kNone},
    {"addcmul", kNone, kWidest},
    {"addcdiv", kNone, kWidest},
    {"atan2", kNone, kWidest},
    {"cross", kNone, kWidest},
    {"dot", kNone, kWidest},
    {"vdot", kNone, kWidest},
    {"index_put", kNone, kWidest},
    {"scatter_add", kNone, kWidest},
};

/// The rows, by the entry's place in the table.
const std::vector<const AutocastRow*>& rows_by_entry() {
  static const auto* rows = [] {
    auto* made = new std::vector<const AutocastRow*>(op_table().size());
    for (const AutocastRow& row : kRows)
      if (const OpEntry* entry = find_op(row.name))
        (*made)[static_cast<size_t>(entry - op_table().data())] = &row;
    return made;
  }();
  return *rows;
}

const AutocastRow* row_of(const OpEntry& entry) {
  return rows_by_entry()[static_cast<size_t>(&entry - op_table().data())];
}

DType widest(std::span<const Tensor> tensors, DeviceType type, DType lower) {
  DType found = lower;
  for (const Tensor& tensor : tensors) {
    if (!is_converted(tensor, type)) continue;
    if (tensor.dtype() == DType::kFloat32)
      found = DType::kFloat32;
    else if (tensor.dtype() != lower && found != DType::kFloat32)
      throw OpError{"RuntimeError", "Unexpected floating ScalarType in at::autocast::prioritize"};
  }
  return found;
}

}  // namespace

AutocastPolicy autocast_policy(const OpEntry& entry, DeviceType type) {
  const AutocastRow* row = row_of(entry);
  if (!row) return kNone;
  return type == DeviceType::kCpu ? row->cpu : row->cuda;
}

bool has_autocast_policy(const OpEntry& entry) {
  return row_of(entry) != nullptr;
}

std::string autocast_text(const OpEntry& entry) {
  constexpr const char* kWords[] = {"", "lower precision", "float32", "the widest dtype",
                                    "refused"};
  const AutocastRow* row = row_of(entry);
  if (!row) return "";
  auto on = [&](AutocastPolicy policy, const char* device) {
    return policy == kNone ? std::string()
                           : fmt::format("{} on {}", kWords[static_cast<size_t>(policy)], device);
  };
  if (row->cpu == row->cuda) return on(row->cpu, "cpu and cuda");
  const bool both = row->cpu != kNone && row->cuda != kNone;
  return on(row->cpu, "cpu") + (both ? ", " : "") + on(row->cuda, "cuda");
}

std::span<const AutocastRow> autocast_table() {
  return kRows;
}

bool is_converted(const Tensor& tensor, DeviceType type) {
  return is_floating(tensor.dtype()) && tensor.dtype() != DType::kFloat64 &&
         tensor.device().type == type;
}

std::optional<DType> autocast_dtype(const OpEntry& entry, const AutocastState& state,
                                    DeviceType type, std::span<const Tensor> tensors) {
  const DType lower = type == DeviceType::kCpu ? state.cpu_dtype : state.cuda_dtype;
  switch (autocast_policy(entry, type)) {
    case kNone:
      return std::nullopt;
    case kLower:
      return lower;
    case kFull:
      return DType::kFloat32;
    case kWidest:
      return widest(tensors, type, lower);
    case kRefused:
      break;
  }
  throw OpError{
      "RuntimeError",
      "torch.nn.functional.binary_cross_entropy and torch.nn.BCELoss are unsafe to autocast.\n"
      "Many models use a sigmoid layer right before the binary cross entropy layer.\n"
      "In this case, combine the two layers using "
      "torch.nn.functional.binary_cross_entropy_with_logits\n"
      "or torch.nn.BCEWithLogitsLoss.  binary_cross_entropy_with_logits and BCEWithLogits are\n"
      "safe to autocast."};
}

}  // namespace glint::ops
