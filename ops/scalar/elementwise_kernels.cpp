// Chooses between the two builds of the eager loops (elementwise_loops.h), once, by the processor.
#include "ops/scalar/elementwise_kernels.h"

#include <bit>
#include <cstdlib>
#include <string_view>

#include "ops/scalar/loop_tables.h"

namespace glint::scalar {
namespace {

[[maybe_unused]] bool has_avx512() {
  const char* limit = std::getenv("GLINT_CPU");
  if (limit != nullptr && std::string_view(limit) == "x86-64-v3") return false;
  __builtin_cpu_init();
  return __builtin_cpu_supports("x86-64-v4") != 0;
}

const LoopTables& tables() {
  static const LoopTables chosen = [] {
    if constexpr (kHasWideLoops)
      if (has_avx512()) return v4::loop_tables();
    return v3::loop_tables();
  }();
  return chosen;
}

}  // namespace

const ElementwiseLoops* elementwise_loops(ScalarFunction function, DType dtype) {
  const ElementwiseLoops* loops = &tables().functions[size_t(dtype)][size_t(function)];
  return loops->unary == nullptr && loops->binary == nullptr ? nullptr : loops;
}

WhereLoop where_loop(DType dtype) {
  return tables().where[std::countr_zero(dtype_size(dtype))];
}

UnaryLoop cast_loop(DType from, DType to) {
  return tables().casts(from, to);
}

FmaLoop fma_loop(DType dtype, bool by_number) {
  return (by_number ? tables().fma_number : tables().fma)[size_t(dtype)];
}

BlendLoop blend_loop(Blend blend, DType dtype) {
  return tables().blends[size_t(dtype)][size_t(blend)];
}

const char* elementwise_instruction_set() {
  return tables().instruction_set;
}

}  // namespace glint::scalar
