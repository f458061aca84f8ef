#include "core/tensor/tensor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <new>
#include <tuple>
#include <vector>

#include "core/support/check.h"
#include "core/tensor/accelerator.h"
#include "core/tensor/allocator.h"
#include "core/tensor/copy.h"
#include "core/tensor/grad_mode.h"
#include "core/tensor/reach.h"

namespace glint {

namespace {

/// Whether sizes and strides are row-major without gaps; empty tensors are.
bool is_row_major(IntSpan sizes, IntSpan strides, int64_t numel) {
  if (numel == 0) return true;
  int64_t step = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    if (sizes[i] == 1) continue;
    if (strides[i] != step) return false;
    step *= sizes[i];
  }
  return true;
}

/// What is wrong with a shape.
enum class ShapeFault : uint8_t { kNone, kNegative, kStride, kBytes };

/// Sets row-major strides and the element count from the sizes, in one go.
[[nodiscard]] ShapeFault set_contiguous_shape(TensorImpl& impl, IntSpan sizes) {
  impl.sizes.assign(sizes);
  impl.strides.assign(sizes);
  int64_t* strides = impl.strides.data();
  int64_t count = 1, step = 1, signs = 0;
  bool overflow = false;
  for (size_t i = sizes.size(); i-- > 0;) {
    strides[i] = step;
    overflow |= __builtin_mul_overflow(step, sizes[i] > 1 ? sizes[i] : 1, &step);
    count *= sizes[i] != 0;
    signs |= sizes[i];
  }
  impl.numel = count == 0 ? 0 : step;
  if (signs < 0) [[unlikely]]
    return ShapeFault::kNegative;
  if (overflow) [[unlikely]]
    return count == 0 ? ShapeFault::kStride : ShapeFault::kBytes;
  int64_t bytes = 0;
  if (__builtin_mul_overflow(impl.numel, int64_t(dtype_size(impl.dtype)), &bytes)) [[unlikely]]
    return ShapeFault::kBytes;
  return ShapeFault::kNone;
}

[[noreturn]] void throw_fault(ShapeFault fault, IntSpan sizes) {
  if (fault == ShapeFault::kStride) throw TensorMemoryError("Stride calculation overflowed");
  std::string text = fmt::format("[{}]", fmt::join(sizes, ", "));
  if (fault == ShapeFault::kBytes)
    throw TensorMemoryError("Storage size calculation overflowed with sizes=" + text);
  throw TensorMemoryError(
      fmt::format("Trying to create tensor with negative dimension {}: {}",
                  *std::ranges::find_if(sizes, [](int64_t size) { return size < 0; }), text));
}

/// How many elements a view shows. Throws where that is no int64, as PyTorch does.
int64_t checked_count(IntSpan sizes) {
  uint64_t count = 1;
  bool overflow = false;
  for (int64_t size : sizes) overflow |= __builtin_mul_overflow(count, uint64_t(size), &count);
  if (overflow || count > uint64_t(INT64_MAX)) [[unlikely]]
    throw TensorMemoryError("numel: integer multiplication overflow");
  return int64_t(count);
}

using MetaKey = std::tuple<DType, DeviceType, int8_t, bool, std::vector<int64_t>>;

}  // namespace

void* TensorImpl::operator new(size_t bytes) {
  return ObjectPool<sizeof(TensorImpl)>::take();
}
void TensorImpl::operator delete(void* memory, size_t bytes) {
  ObjectPool<sizeof(TensorImpl)>::give(memory);
}

Tensor Tensor::empty(IntSpan sizes, DType dtype, Device device) {
  Tensor result(make_ref<TensorImpl>());
  TensorImpl& impl = *result.impl_;
  impl.dtype = dtype;
  impl.device = device;
  impl.inference = grad_state().inference;
  if (ShapeFault fault = set_contiguous_shape(impl, sizes); fault != ShapeFault::kNone)
    throw_fault(fault, sizes);
  impl.storage = Storage::allocate(size_t(impl.numel) * dtype_size(dtype), device);
  impl.data = impl.storage->data();
  return result;
}

Tensor Tensor::empty_strided(IntSpan sizes, IntSpan strides, DType dtype, Device device) {
  Tensor result(make_ref<TensorImpl>());
  TensorImpl& impl = *result.impl_;
  impl.dtype = dtype;
  impl.inference = grad_state().inference;
  impl.device = device;
  impl.sizes.assign(sizes);
  impl.strides.assign(strides);
  impl.numel = checked_count(sizes);
  impl.contiguous = is_row_major(sizes, strides, impl.numel);
  impl.storage = Storage::allocate(size_t(bytes_reached(sizes, strides, 0, dtype)), device);
  impl.data = impl.storage->data();
  return result;
}

Tensor Tensor::full(IntSpan sizes, const Scalar& value, DType dtype, Device device) {
  Tensor result = empty(sizes, dtype, device);
  fill(result, value);
  result.storage()->reset_version();
  return result;
}

Tensor Tensor::view_of(const Tensor& base, IntSpan sizes, IntSpan strides, int64_t offset) {
  Tensor result(make_ref<TensorImpl>());
  TensorImpl& impl = *result.impl_;
  const TensorImpl& from = *base.impl_;
  impl.dtype = from.dtype;
  impl.device = from.device;
  impl.inference = from.inference;
  impl.sizes.assign(sizes);
  impl.strides.assign(strides);
  impl.numel = checked_count(sizes);
  impl.contiguous = is_row_major(sizes, strides, impl.numel);
  impl.offset = offset;
  impl.storage = from.storage;
  impl.writes = from.writes;
  if (impl.storage) impl.data = impl.storage->data() + offset * int64_t(dtype_size(from.dtype));
  return result;
}

Tensor Tensor::pending(IntSpan sizes, DType dtype, Device device) {
  Tensor result(make_ref<TensorImpl>());
  TensorImpl& impl = *result.impl_;
  impl.dtype = dtype;
  impl.device = device;
  impl.inference = grad_state().inference;
  check(set_contiguous_shape(impl, sizes) == ShapeFault::kNone, "a shape that fits into memory");
  return result;
}

Scalar Tensor::item() const {
  check(numel() == 1, "item() needs a tensor with one element");
  if (!device().is_cpu()) return on_processor(*this).item();
  return visit_dtype(dtype(), [&]<class T>() -> Scalar {
    T value = *data<T>();
    if constexpr (std::same_as<T, bool>)
      return Scalar(value);
    else if constexpr (std::integral<T>)
      return Scalar(int64_t(value));
    else
      return Scalar(double(value));
  });
}

TensorMetaId meta_id(const Tensor& tensor) {
  TensorImpl& impl = tensor.impl();
  if (impl.meta != TensorMetaId::kUnknown) [[likely]]
    return impl.meta;
  static auto* const known = new std::map<MetaKey, TensorMetaId>;
  std::vector<int64_t> shape(impl.sizes.begin(), impl.sizes.end());
  shape.insert(shape.end(), impl.strides.begin(), impl.strides.end());
  MetaKey key(impl.dtype, impl.device.type, impl.device.index, impl.requires_grad,
              std::move(shape));
  auto next = TensorMetaId(known->size() + 1);
  impl.meta = known->try_emplace(std::move(key), next).first->second;
  return impl.meta;
}

bool has_row_major_strides(const Tensor& tensor) {
  int64_t step = 1;
  for (int64_t dim = tensor.rank(); dim-- > 0;) {
    if (tensor->strides[size_t(dim)] != step) return false;
    step *= std::max<int64_t>(tensor->sizes[size_t(dim)], 1);
  }
  return true;
}

bool is_dense(const Tensor& tensor) {
  if (tensor.is_contiguous()) return true;
  std::vector<std::pair<int64_t, int64_t>> steps;  // (stride, size)
  for (int64_t dim = 0; dim < tensor.rank(); ++dim)
    if (tensor.size(dim) > 1) steps.emplace_back(tensor.stride(dim), tensor.size(dim));
  std::sort(steps.begin(), steps.end());
  int64_t expected = 1;
  for (auto [stride, size] : steps) {
    if (stride != expected) return false;
    expected *= size;
  }
  return true;
}

bool repeats_elements(const Tensor& tensor) {
  if (tensor.is_contiguous()) return false;
  for (int64_t dim = 0; dim < tensor.rank(); ++dim)
    if (tensor.stride(dim) == 0 && tensor.size(dim) > 1) return true;
  return false;
}

bool may_overlap(const Tensor& a, const Tensor& b) {
  if (a.storage() != b.storage() || a.numel() == 0 || b.numel() == 0) return false;
  auto range = [](const Tensor& tensor) {
    int64_t low = 0, high = 0;
    for (int64_t dim = 0; dim < tensor.rank(); ++dim) {
      int64_t reach = (tensor.size(dim) - 1) * tensor.stride(dim);
      (reach < 0 ? low : high) += reach;
    }
    auto size = int64_t(tensor.element_size());
    const std::byte* start = tensor.raw_data();
    return std::pair(start + low * size, start + (high + 1) * size);
  };
  auto [a_low, a_high] = range(a);
  auto [b_low, b_high] = range(b);
  return a_low < b_high && b_low < a_high;
}

bool show_same_elements(const Tensor& a, const Tensor& b) {
  return a.storage() == b.storage() && a.raw_data() == b.raw_data() && a.dtype() == b.dtype() &&
         same_dims(a.sizes(), b.sizes()) && same_dims(a.strides(), b.strides());
}

Overlap overlap_of(const Tensor& a, const Tensor& b) {
  if (a.is_same(b)) return Overlap::kSame;
  if (a.storage() != b.storage() || a.numel() == 0 || b.numel() == 0) return Overlap::kNone;
  if (!is_dense(a) || !is_dense(b)) return Overlap::kUnknown;
  const std::byte *a_begin = a.raw_data(), *b_begin = b.raw_data();
  const std::byte *a_end = a_begin + a.bytes(), *b_end = b_begin + b.bytes();
  if (a_begin == b_begin && a_end == b_end)
    return same_dims(a.strides(), b.strides()) ? Overlap::kSame : Overlap::kPartial;
  return a_begin < b_end && b_begin < a_end ? Overlap::kPartial : Overlap::kNone;
}

}  // namespace glint
