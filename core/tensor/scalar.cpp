#include "core/tensor/scalar.h"

namespace glint {

int64_t Scalar::as_int() const {
  return is_float() ? convert_element<int64_t>(float_) : int_;
}

bool Scalar::operator==(const Scalar& other) const {
  if (kind_ != other.kind_) return false;
  return is_float() ? float_ == other.float_ : int_ == other.int_;
}

}  // namespace glint
