// The kernels that the CUDA tests compile and run, and how they are compiled.
//
//     if (!has_nvrtc()) return;
//     const auto compiled = compile(scalar_kernels(DType::kFloat32));
#pragma once

#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "backends/cuda/compile/compile_cuda.h"
#include "backends/cuda/compile/nvrtc.h"
#include "sanitized.h"

namespace glint::tests {

/// Whether there is an NVRTC; says it once if not.
inline bool has_nvrtc() {
  static const bool found = [] {
    const auto& nvrtc = cuda::load_nvrtc();
    if (!nvrtc) std::cerr << "SKIPPED, without NVRTC: " << nvrtc.error().message << '\n';
    return nvrtc.ok();
  }();
  return found;
}

inline Kernel kernel_of(const std::string& text) {
  auto kernel = parse_kernel(text);
  INFO(text);
  if (!kernel) FAIL(kernel.error().message);
  if (const auto wrong = verify_kernel(*kernel)) FAIL(wrong->message);
  return *kernel;
}

inline std::vector<cuda::CompiledKernel> compile(const std::vector<Kernel>& kernels) {
  std::vector<const Kernel*> pointers;
  for (const Kernel& kernel : kernels) pointers.push_back(&kernel);
  auto compiled = cuda::compile_cuda(pointers, {});
  if (!compiled) FAIL(compiled.error().message);
  return *compiled;
}

/// Every ninth of them in a sanitized build, where running takes much longer.
template <class T>
std::vector<T> affordable(std::vector<T> all) {
  if (!kSanitized) return all;
  std::vector<T> some;
  for (size_t i = 0; i < all.size(); i += 9) some.push_back(std::move(all[i]));
  return some;
}

/// The kernels of the golden tests.
inline std::vector<Kernel> golden_kernels() {
  std::vector<Kernel> kernels;
  for (const auto& entry : std::filesystem::directory_iterator(
           std::filesystem::path(GLINT_SOURCE_DIR) / "tests/golden/cuda")) {
    std::ifstream file(entry.path());
    std::stringstream text;
    text << file.rdbuf();
    const std::string all = text.str();
    const size_t begin = all.find("\nkernel ") + 1;
    kernels.push_back(kernel_of(all.substr(begin, all.find("----") - begin)));
  }
  return kernels;
}

/// Every scalar function on every dtype that it takes, each a kernel; one element at a time.
inline std::vector<Kernel> scalar_kernels(DType dtype) {
  std::vector<Kernel> kernels;
  const std::string_view type = dtype_short_name(dtype);
  for (const ScalarFunctionInfo& row : kScalarFunctions) {
    if (!takes(row.function, dtype) || row.function == ScalarFunction::kCast) continue;
    const std::string_view result = row.result == ScalarResult::kBool ? "b8" : type;
    std::string operands = row.function == ScalarFunction::kWhere ? "p, b, c"
                           : row.arity == 1                       ? "a"
                           : row.arity == 2                       ? "a, b"
                                                                  : "a, b, c";
    kernels.push_back(kernel_of(fmt::format(
        R"(kernel {0}_{1}(%x: {1}[s0]{{2}}, %y: {1}[s0], %z: {1}[s0], %q: b8[s0], %out: {2}[s0])
  parallel i in 0..s0 {{
    a = load %x[i]
    b = load %y[i]
    c = load %z[i]
    p = load %q[i]
    d = {0} {3}
    store %out[i] = d
  }}
)",
        row.name, type, result, operands)));
  }
  return kernels;
}

/// Every dtype to every other, a kernel for each that is cast.
inline std::vector<Kernel> cast_kernels() {
  std::vector<Kernel> kernels;
  for (const DTypeInfo& from : kDTypeTable) {
    std::string parameters;
    std::string body;
    for (const DTypeInfo& to : kDTypeTable) {
      parameters += fmt::format(", %to_{0}: {0}[s0]", to.short_name);
      body +=
          fmt::format("    c_{0} = cast a : {0}\n    store %to_{0}[i] = c_{0}\n", to.short_name);
    }
    kernels.push_back(kernel_of(
        fmt::format("kernel cast_{0}(%x: {0}[s0]{1}{2})\n  parallel i in 0..s0 {{\n    a = load "
                    "%x[i]\n{3}  }}\n",
                    from.short_name, "{2}", parameters, body)));
  }
  return kernels;
}

/// Every combiner by a thread, a warp, a block, the lanes of a block and all blocks.
inline std::vector<Kernel> combiner_kernels() {
  std::vector<Kernel> kernels;
  for (const std::string_view combiner :
       {"sum", "product", "maximum", "minimum", "any", "all", "argmax", "argmin", "welford"}) {
    for (const DTypeInfo& dtype : kDTypeTable) {
      const bool logical = combiner == "any" || combiner == "all";
      if (logical != is_bool(dtype.dtype)) continue;
      if (combiner == "welford" && !is_floating(dtype.dtype)) continue;
      const bool all_teams = dtype.dtype == DType::kFloat32 || dtype.dtype == DType::kBool;
      const bool position = combiner.starts_with("arg");
      const std::string accumulate = combiner == "sum" ? "acc += a"
                                     : position ? fmt::format("acc = {}(acc, a, n)", combiner)
                                                : fmt::format("acc = {}(acc, a)", combiner);
      const std::string result = position ? "acc.1" : combiner == "welford" ? "acc.0" : "acc";
      const std::string_view stored = position ? "i64" : dtype.short_name;
      // A thread, a warp, a block, lanes.
      for (const auto& [sizes, inner, place] :
           {std::tuple<const char*, std::string, const char*>{"s0, 3", "3", "i, j"},
            {"s0, 100", "100", "i, j"},
            {"s0, s1", "s1", "i, j"},
            {"s1, s0", "s1", "j, i"}}) {
        if (!all_teams && inner[0] != '1') continue;
        kernels.push_back(kernel_of(fmt::format(
            R"(kernel {0}_{1}(%x: {1}[{2}], %out: {6}[s0])
  parallel i in 0..s0 {{
    acc = reduction {0} : {1}
    reduce j in 0..{3} {{
      a = load %x[{4}]
      n = index j
      {5}
    }}
    store %out[i] = {7}
  }}
)",
            combiner, dtype.short_name, sizes, inner, place, accumulate, stored, result)));
      }
      kernels.push_back(
          kernel_of(fmt::format(R"(kernel all_{0}_{1}(%x: {1}[s0], %out: {3}[])
  acc = reduction {0} : {1}
  reduce j in 0..s0 {{
    a = load %x[j]
    n = index j
    {2}
  }}
  store %out[] = {4}
)",
                                combiner, dtype.short_name, accumulate, stored, result)));
    }
  }
  return kernels;
}

}  // namespace glint::tests
