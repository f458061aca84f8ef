// What a tensor object carries beside its data: the attributes that a script sets on it.
//
//     w.note = 1         a dict of the object's own, as an instance of a class has one
//     w.view(-1).note    AttributeError: a view is another object
//
// They hang on `TensorImpl::attributes` of the few tensors that have any. Names of the class
// (`shape`, `add`) are the class's: none of them can be set, so that whoever finds a method of a
// tensor need not ask the tensor.
#pragma once

#include "core/tensor/tensor.h"
#include "runtime/interpreter/containers.h"
#include "runtime/interpreter/weak_references.h"

namespace glint::runtime {

/// Of the tensor library's range: no script ever holds one.
inline constexpr ObjectKind kTensorAttributesKind = 4;

/// It stands for its tensor where cycles are looked for (heap.cpp): who holds the tensor holds it.
struct TensorAttributes final : Container {
  static constexpr ObjectKind kKind = kTensorAttributesKind;
  const TensorImpl* owner;
  Ref<DictObject> own;    ///< or null
  Ref<RefCounted> marks;  ///< capture's, of dimensions; or null
  explicit TensorAttributes(const TensorImpl& tensor) : Container(kKind), owner(&tensor) {}
  ~TensorAttributes() override { clear_weak_references(owner); }
  TensorAttributes(const TensorAttributes&) = delete;
  TensorAttributes& operator=(const TensorAttributes&) = delete;
  void traverse(Visitor& visit) override { visit(own); }
  void clear() override { own = nullptr; }
};

/// Null where a tensor has none.
inline TensorAttributes* attributes_of(const TensorImpl& tensor) {
  return static_cast<TensorAttributes*>(tensor.attributes.get());
}
TensorAttributes& make_attributes(TensorImpl& tensor);

/// The dict of what was set on a tensor; null where there is none and none is to be made.
DictObject* own_attributes(const Value& tensor, bool make);

}  // namespace glint::runtime
