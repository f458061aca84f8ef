// A tensor: a strided view of a storage.
//
// `TensorImpl` is the object, which the interpreter's values may also point at; `Tensor` is the
// handle that C++ code passes around, one pointer wide. Copying a handle shares the tensor; views
// (views.h) are new tensors on the same storage.
//
//     Tensor x = Tensor::empty({8, 16}, DType::kFloat32);
//     Tensor row = Tensor::view_of(x, {16}, {1}, /*offset=*/16);      // x[1]
//     row.data<float>()[0] = 1.0f;
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/support/check.h"
#include "core/support/ref_counted.h"
#include "core/tensor/device.h"
#include "core/tensor/dims.h"
#include "core/tensor/dtype.h"
#include "core/tensor/scalar.h"
#include "core/tensor/storage.h"

namespace glint {

/// Names one (dtype, device, sizes, strides, requires_grad): equal ids mean that all five agree.
enum class TensorMetaId : uint32_t { kUnknown = 0 };

/// Where a view was made, as far as a later write through it asks for that: in which grad mode, or
/// by a user's function that has a backward of its own.
enum class ViewOrigin : uint8_t { kRecorded, kNoGrad, kInference, kFunction };

/// Counts writes that are not counted where the memory is: through `x.data` and its views, and of
/// a tensor that was given other memory.
struct WriteCounter final : RefCounted {
  uint32_t version = 0;
};

struct TensorImpl final : RefCounted {
  TensorImpl() : RefCounted(kTensorKind) {}

  Ref<Storage> storage;       ///< null only while the tensor is pending in a trace
  std::byte* data = nullptr;  ///< the first element: storage's data plus `offset` elements
  int64_t offset = 0;         ///< in elements
  int64_t numel = 0;
  DType dtype = DType::kFloat32;
  Device device;
  bool contiguous = true;      ///< row-major without gaps
  bool requires_grad = false;  ///< its own; see requires_grad()
  bool is_parameter = false;
  bool inference = false;  ///< its memory was made in inference mode
  ViewOrigin view_origin = ViewOrigin::kRecorded;
  TensorMetaId meta =
      TensorMetaId::kUnknown;  ///< see meta_id(); who changes one of the five resets it
  /// Of a view: the version of its memory when it was made, or got its history.
  uint32_t view_version = 0;
  Dims sizes;
  Dims strides;                ///< in elements
  Ref<TensorImpl> base;        ///< of a view that gradients flow through: whose memory it shows
  Ref<WriteCounter> writes;    ///< null: the storage counts them
  Ref<RefCounted> traced;      ///< capture's record while the tensor is pending in a trace
  Ref<RefCounted> autograd;    ///< gradient, tape node, hooks: the interpreter's
  Ref<RefCounted> attributes;  ///< Python attributes set on the object, and subclass instances

  /// Recycled through a free list: making a small tensor costs tens of nanoseconds.
  static void* operator new(size_t bytes);
  static void operator delete(void* memory, size_t bytes);
};

/// Whether a tensor requires a gradient: a view does where what it shows does, also if it was made
/// without grad mode (none flows then) or before that was asked for. What is made in inference mode
/// has no views in this sense.
inline bool requires_grad(const TensorImpl& tensor) {
  const TensorImpl* base = tensor.base.get();
  return tensor.requires_grad || (base && base->requires_grad && !base->inference);
}

class Tensor {
 public:
  Tensor() = default;
  explicit Tensor(Ref<TensorImpl> impl) : impl_(std::move(impl)) {}

  /// New memory, values undefined.
  static Tensor empty(IntSpan sizes, DType dtype, Device device = Device::cpu());
  static Tensor empty(std::initializer_list<int64_t> sizes, DType dtype) {
    return empty(IntSpan(sizes.begin(), sizes.size()), dtype);
  }
  /// New memory of a size and layout; `strides` must not overlap or leave the range.
  static Tensor empty_strided(IntSpan sizes, IntSpan strides, DType dtype,
                              Device device = Device::cpu());
  static Tensor full(IntSpan sizes, const Scalar& value, DType dtype,
                     Device device = Device::cpu());
  static Tensor full(std::initializer_list<int64_t> sizes, const Scalar& value, DType dtype) {
    return full(IntSpan(sizes.begin(), sizes.size()), value, dtype);
  }
  static Tensor zeros(IntSpan sizes, DType dtype, Device device = Device::cpu()) {
    return full(sizes, Scalar(int64_t(0)), dtype, device);
  }
  /// A 0-dim tensor.
  static Tensor scalar(const Scalar& value, DType dtype) { return full(IntSpan(), value, dtype); }
  /// A contiguous tensor with the given elements.
  template <class T>
  static Tensor of(std::span<const T> values, IntSpan sizes);
  template <class T>
  static Tensor of(std::initializer_list<T> values, const Dims& sizes) {
    return of<T>(std::span<const T>(values.begin(), values.size()), IntSpan(sizes));
  }
  /// Another tensor on the storage of `base`; `offset` counts elements from the storage's start.
  static Tensor view_of(const Tensor& base, IntSpan sizes, IntSpan strides, int64_t offset);
  static Tensor view_of(const Tensor& base, std::initializer_list<int64_t> sizes,
                        std::initializer_list<int64_t> strides, int64_t offset) {
    return view_of(base, IntSpan(sizes.begin(), sizes.size()),
                   IntSpan(strides.begin(), strides.size()), offset);
  }
  /// A tensor that has no memory yet (traced tensors, shape inference).
  static Tensor pending(IntSpan sizes, DType dtype, Device device = Device::cpu());

  bool defined() const { return bool(impl_); }
  explicit operator bool() const = delete;
  TensorImpl* operator->() const { return impl_.get(); }
  TensorImpl& impl() const { return *impl_; }
  const Ref<TensorImpl>& ref() const { return impl_; }
  Ref<TensorImpl> take() && { return std::move(impl_); }
  bool is_same(const Tensor& other) const { return impl_ == other.impl_; }

  DType dtype() const { return impl_->dtype; }
  Device device() const { return impl_->device; }
  int64_t rank() const { return int64_t(impl_->sizes.size()); }
  IntSpan sizes() const { return impl_->sizes; }
  IntSpan strides() const { return impl_->strides; }
  /// A size or stride; negative dimensions count from the end.
  int64_t size(int64_t dim) const { return impl_->sizes[size_t(dim < 0 ? dim + rank() : dim)]; }
  int64_t stride(int64_t dim) const { return impl_->strides[size_t(dim < 0 ? dim + rank() : dim)]; }
  int64_t numel() const { return impl_->numel; }
  size_t element_size() const { return dtype_size(impl_->dtype); }
  size_t bytes() const { return size_t(impl_->numel) * element_size(); }
  int64_t offset() const { return impl_->offset; }
  bool is_contiguous() const { return impl_->contiguous; }
  bool requires_grad() const { return glint::requires_grad(*impl_); }
  bool is_pending() const { return !impl_->storage; }

  const Ref<Storage>& storage() const { return impl_->storage; }
  uint32_t version() const {
    return impl_->writes ? impl_->writes->version : impl_->storage->version();
  }
  void bump_version() const {
    if (impl_->writes) [[unlikely]]
      ++impl_->writes->version;
    else
      impl_->storage->bump_version();
  }
  void reset_version(uint32_t version = 0) const {
    if (impl_->writes) [[unlikely]]
      impl_->writes->version = version;
    else
      impl_->storage->reset_version(version);
  }

  std::byte* raw_data() const { return impl_->data; }
  template <class T>
  T* data() const {
    return reinterpret_cast<T*>(impl_->data);
  }
  /// The value of a one-element tensor as Python's bool, int or float: `x.item()`; from wherever
  /// it lives.
  Scalar item() const;

 private:
  Ref<TensorImpl> impl_;
};

/// The interned id of a tensor's (dtype, device, sizes, strides, requires_grad).
TensorMetaId meta_id(const Tensor& tensor);

/// Whether the strides are exactly the row-major ones: a contiguous tensor may have others along
/// dimensions of size 1.
bool has_row_major_strides(const Tensor& tensor);

/// Whether the elements fill a stretch of memory, each place once, in some order of dimensions.
bool is_dense(const Tensor& tensor);

/// Whether the memory that two tensors reach may have an element in common.
bool may_overlap(const Tensor& a, const Tensor& b);
/// Whether two tensors are the same memory, seen in the same way. Empty tensors of a device have no
/// address that would tell them apart: their storages do.
bool show_same_elements(const Tensor& a, const Tensor& b);
/// Whether a dimension shows the same elements again and again (an expanded tensor's does).
bool repeats_elements(const Tensor& tensor);

/// How the memory of two tensors lies. Only for tensors without gaps is it worked out, as in
/// PyTorch: `x[::2]` and `x[1::2]` are kUnknown.
enum class Overlap : uint8_t { kNone, kSame, kPartial, kUnknown };
Overlap overlap_of(const Tensor& a, const Tensor& b);

template <class T>
Tensor Tensor::of(std::span<const T> values, IntSpan sizes) {
  Tensor result = empty(sizes, kDTypeOf<T>);
  check(int64_t(values.size()) == result.numel(), "as many values as elements");
  std::copy(values.begin(), values.end(), result.data<T>());
  return result;
}

}  // namespace glint
