// What `torch.autocast` does to the tensors of each operator: one table, PyTorch's.
//
//     with torch.autocast("cpu"):
//         y = x @ w          kLower: both become bfloat16, and so does y
//         z = y + 1          nothing is said of `add`: bfloat16
//         loss = mse_loss(z, target)     kFull: both become float32
//
// Only tensors of the device that autocast is on for are converted, and no float64 ones, integers
// or bools. Forms with `out=` and in-place ones take their tensors as they are.
#pragma once

#include "core/tensor/grad_mode.h"
#include "ops/op.h"

namespace glint::ops {

enum class AutocastPolicy : uint8_t {
  kNone,     ///< the tensors as they are
  kLower,    ///< in autocast's dtype
  kFull,     ///< in float32, unless the call names a dtype
  kWidest,   ///< in float32 if one of them is, else in autocast's dtype
  kRefused,  ///< PyTorch raises: results in float16 would be of no use
};

AutocastPolicy autocast_policy(const OpEntry& entry, DeviceType type);
/// Whether autocast may do anything to the operator's tensors, on whatever device.
bool has_autocast_policy(const OpEntry& entry);

/// One row a named operator.
struct AutocastRow {
  std::string_view name;
  AutocastPolicy cpu, cuda;
};
std::span<const AutocastRow> autocast_table();

/// In words: `lower precision on cpu and cuda`; empty: the tensors stay as they are.
std::string autocast_text(const OpEntry& entry);

/// The dtype in which the call gets those of its tensors that `is_converted`; nothing: they stay.
/// Throws OpError where PyTorch raises.
std::optional<DType> autocast_dtype(const OpEntry& entry, const AutocastState& state,
                                    DeviceType type, std::span<const Tensor> tensors);
bool is_converted(const Tensor& tensor, DeviceType type);

}  // namespace glint::ops
