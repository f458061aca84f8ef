#include "core/platform/vector_bits.h"

#include <string>

#include "core/support/environment.h"

namespace glint {

int vector_bits() {
  static const int bits = [] {
    std::string limit = environment::value(environment::Variable::kCpu).value_or("");
    bool narrow = limit == "x86-64" || limit == "x86-64-v2";
    bool has_512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                   __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    bool has_256 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (has_512 && !narrow && limit != "x86-64-v3") return 512;
    return has_256 && !narrow ? 256 : 128;
  }();
  return bits;
}

}  // namespace glint
