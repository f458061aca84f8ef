#include "ops/library.h"

#include "ops/convolution_call.h"
#include "ops/matrix.h"
#include "ops/multiply.h"

namespace glint::ops {

bool run_into(const OpEntry& entry, Arguments arguments, std::span<const Tensor> outputs) {
  const std::string_view name = entry.name;
  if (const auto pass = convolution_pass(name)) return convolve_into(*pass, arguments, outputs[0]);
  if (name == "mm_epilogue") {
    run_mm_epilogue(arguments, outputs[0]);
  } else if (name == "mm" || name == "bmm") {
    multiply(arguments[0].tensor(), arguments[1].tensor(), nullptr, outputs[0]);
  } else {
    return false;
  }
  return true;
}

}  // namespace glint::ops
