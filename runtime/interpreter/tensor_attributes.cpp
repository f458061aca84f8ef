#include "runtime/interpreter/tensor_attributes.h"

namespace glint::runtime {

TensorAttributes& make_attributes(TensorImpl& tensor) {
  if (!tensor.attributes) tensor.attributes = make_ref<TensorAttributes>(tensor);
  return *attributes_of(tensor);
}

DictObject* own_attributes(const Value& tensor, bool make) {
  auto& impl = *tensor.as<TensorImpl>();
  if (!make && !impl.attributes) return nullptr;
  TensorAttributes& attributes = make_attributes(impl);
  if (make && !attributes.own) attributes.own = make_dict();
  return attributes.own.get();
}

}  // namespace glint::runtime
