#include "ops/scalar/gamma_functions.h"

#include <cmath>

namespace glint::scalar::special {

double lgamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}

}  // namespace glint::scalar::special
