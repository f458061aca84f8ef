#include "runtime/device/overwrites.h"

#include <algorithm>
#include <string_view>

#include "backends/cuda/kernels/element_kernels.h"
#include "ops/infer.h"

namespace glint::device {
namespace {

using ops::Arguments;
using ops::OpEntry;

constexpr std::string_view kNames[] = {"fill", "zero", "copy_from"};

void fill_with(const Tensor& target, const Scalar& number) {
  if (target.numel() > 0) cuda::fill_elements(target, number);
}

/// With what is copied or filled in, a tensor.
bool copy_into(const Tensor& target, const Tensor& source) {
  if (source.device().is_cpu() && source.rank() == 0) {
    fill_with(target, source.item());
    return true;
  }
  if (source.device() != target.device() || may_overlap(target, source)) return false;
  if (target.numel() > 0) cuda::copy_elements(target, source);
  return true;
}

}  // namespace

bool overwrites(const OpEntry& entry) {
  return std::ranges::find(kNames, std::string_view(entry.name)) != std::end(kNames);
}

bool overwrite(const OpEntry& entry, Arguments arguments, const Tensor& target) {
  if (target.device().is_cpu()) return false;
  ops::infer(entry, ops::infer_arguments(arguments));  // its checks
  if (arguments.size() < 2) {                          // `zero`
    fill_with(target, int64_t{0});
    return true;
  }
  if (arguments[1].is_value()) return copy_into(target, arguments[1].tensor());
  fill_with(target, ops::as_scalar(arguments[1]));
  return true;
}

}  // namespace glint::device
