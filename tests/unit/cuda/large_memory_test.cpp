// Kernels whose memory is more than caches hold, which read it in ways of their own
// (codegen/read_once.cpp): on the simulated device against the interpreter of Kernel IR, where a
// few bytes are called more than caches hold. Each runs on memory that begins where a vector may,
// and an element behind that, where vectors may not be read.
#include "kernel_texts.h"
#include "simulated_kernel.h"

#include "backends/cuda/compile/compile_cuda.h"

namespace glint {
namespace {

std::vector<cuda::CompiledKernel> compile_large(const std::vector<Kernel>& kernels,
                                                const cuda::LaunchShape& shape = {}) {
  std::vector<const Kernel*> pointers;
  for (const Kernel& kernel : kernels) pointers.push_back(&kernel);
  auto compiled = cuda::compile_cuda(pointers, {.write = {.shape = shape, .cache_bytes = 64}});
  if (!compiled) FAIL(compiled.error().message);
  return *compiled;
}

void compare_shifted(const std::vector<Kernel>& kernels,
                     const std::vector<cuda::CompiledKernel>& compiled, double tolerance) {
  SimulatedDevice device;
  for (size_t i = 0; i < kernels.size(); ++i)
    for (const size_t shift : {0, 1})
      compare_simulated(device, kernels[i], compiled[i], {.tolerance = tolerance, .shift = shift});
}

bool asks_caches(const cuda::CompiledKernel& compiled) {
  const std::string& ptx = compiled.module->ptx;
  return ptx.find("L2::cache_hint") != std::string::npos ||
         ptx.find("ld.global.cs") != std::string::npos;
}

/// The greatest of each row, taken off the row, or alone.
Kernel rows(std::string_view dtype, int count, int length, bool writes_rows) {
  std::string after = "    store %y[i] = acc\n";
  if (writes_rows)
    after = fmt::format(
        "    parallel j in 0..{} {{\n      o = load %x[i, j]\n      p = subtract o, acc\n"
        "      store %y[i, j] = p\n    }}\n",
        length);
  return tests::kernel_of(fmt::format(
      "kernel rows(%x: {0}[{1}, {2}], %y: {0}[{1}{3}])\n  parallel i in 0..{1} {{\n"
      "    acc = reduction maximum : {0}\n    reduce j in 0..{2} {{\n      a = load %x[i, j]\n"
      "      acc = maximum(acc, a)\n    }}\n{4}  }}\n",
      dtype, count, length, writes_rows ? fmt::format(", {}", length) : "", after));
}

/// What goes over the whole tensor: a running greatest one of each row, and the greatest of all.
std::vector<Kernel> scan_and_total(std::string_view dtype) {
  return {tests::kernel_of(fmt::format(
              "kernel running(%x: {0}[3, 4096], %y: {0}[3, 4096])\n  parallel i in 0..3 {{\n"
              "    acc = reduction maximum : {0}\n    scan j in 0..4096 {{\n"
              "      a = load %x[i, j]\n      acc = maximum(acc, a)\n      store %y[i, j] = acc\n"
              "    }}\n  }}\n",
              dtype)),
          tests::kernel_of(fmt::format(
              "kernel total(%x: {0}[5000], %s: {0}[])\n  acc = reduction maximum : {0}\n"
              "  reduce i in 0..5000 {{\n    a = load %x[i]\n    acc = maximum(acc, a)\n  }}\n"
              "  store %s[] = acc\n",
              dtype))};
}

/// A reduction down columns: `outer` of them one behind the other, `height` high.
Kernel columns(std::string_view dtype, std::string_view combiner, int outer, int height,
               int width) {
  const bool is_position = combiner == "argmax";
  const std::string_view result = is_position ? "acc.1" : combiner == "welford" ? "acc.0" : "acc";
  return tests::kernel_of(fmt::format(
      "kernel columns(%x: {0}[{2}, {3}, {4}], %s: {5}[{2}, {4}])\n  parallel i in 0..{2} {{\n"
      "    parallel j in 0..{4} {{\n      acc = reduction {1} : {0}\n      reduce k in 0..{3} {{\n"
      "        a = load %x[i, k, j]\n        n = index k\n        acc = {1}(acc, a{6})\n      }}\n"
      "      store %s[i, j] = {7}\n    }}\n  }}\n",
      dtype, combiner, outer, height, width, is_position ? "i64" : dtype, is_position ? ", n" : "",
      result));
}

TEST_CASE("kernels give the same where memory is more than caches hold") {
  if (!tests::has_nvrtc()) return;
  std::vector<Kernel> kernels = tests::golden_kernels();
  std::erase_if(kernels,
                [](const Kernel& kernel) { return print(kernel).find("s0") != std::string::npos; });
  const auto compiled = compile_large(kernels);
  CHECK(compiled[0].module->ptx.find("L2::cache_hint") != std::string::npos);
  CHECK(compiled[0].module->ptx.find("ld.global.cs") != std::string::npos);
  compare_shifted(kernels, compiled, 1e-4);
}

TEST_CASE("rows that are more than caches hold give the same in every dtype and length") {
  if (!tests::has_nvrtc()) return;
  std::vector<Kernel> kernels;
  for (const std::string_view dtype : {"bf16", "f16", "f64", "i16", "i64"}) {
    for (const bool writes_rows : {false, true}) {
      kernels.push_back(rows(dtype, 6, 256, writes_rows));   // of warps
      kernels.push_back(rows(dtype, 3, 4096, writes_rows));  // of blocks
    }
    for (Kernel& each : scan_and_total(dtype)) kernels.push_back(std::move(each));
  }
  // Up to where registers keep them all, beyond, and where vectors do not fit.
  for (const int length : {8192, 8193, 20000, 40000})
    kernels.push_back(rows("f32", 2, length, true));
  kernels = tests::affordable(std::move(kernels));
  const auto compiled = compile_large(kernels);
  CHECK(asks_caches(compiled[0]));
  compare_shifted(kernels, compiled, 0);
}

TEST_CASE("each row has a block of its own, or is looked for") {
  if (!tests::has_nvrtc() || tests::kSanitized) return;
  const std::vector<Kernel> kernels = {rows("f32", 8192, 130, true), rows("f32", 8193, 130, true)};
  const auto compiled = compile_large(kernels, cuda::parse_shape("1024 0 block").value());
  SimulatedDevice device;
  for (size_t i = 0; i < kernels.size(); ++i) {
    CHECK(compiled[i].threads == 1024);
    CHECK(compiled[i].grid.is(8192));
    compare_simulated(device, kernels[i], compiled[i], {});
  }
}

TEST_CASE("columns that are more than caches hold give the same, whatever they are made to") {
  if (!tests::has_nvrtc()) return;
  const std::vector<Kernel> wide = {
      columns("f32", "argmax", 1, 300, 64),   columns("f32", "welford", 1, 300, 64),
      columns("f32", "sum", 2, 300, 64),      columns("f32", "sum", 1, 100, 64),
      columns("bf16", "maximum", 1, 300, 64), columns("f64", "sum", 1, 64, 4096)};
  const std::vector<Kernel> narrow = {columns("f32", "sum", 1, 300, 65),
                                      columns("f64", "sum", 1, 64, 4160)};
  const auto compiled_wide = compile_large(wide);
  for (size_t i = 0; i < wide.size(); ++i) {
    INFO(print(wide[i]));
    CHECK(compiled_wide[i].threads == 1024);
  }
  compare_shifted(wide, compiled_wide, 1e-4);
  const auto compiled_narrow = compile_large(narrow);
  for (const auto& each : compiled_narrow) CHECK(each.threads == 256);
  compare_shifted(narrow, compiled_narrow, 1e-4);
}

TEST_CASE("columns that are more than caches hold give the same however many totals they have") {
  if (!tests::has_nvrtc()) return;
  const auto sums = [](int totals) {
    std::string parameters = "%x: f64[300, 128]";
    std::string first, inner, last;
    for (int k = 0; k < totals; ++k) {
      parameters += fmt::format(", %s{}: f64[128]", k);
      first += fmt::format("    acc{} = reduction {} : f64\n", k, k % 2 == 0 ? "sum" : "maximum");
      inner += fmt::format("      acc{} += a\n", k);
      last += fmt::format("    store %s{0}[i] = acc{0}\n", k);
    }
    return tests::kernel_of(
        fmt::format("kernel columns({})\n  parallel i in 0..128 {{\n{}    reduce "
                    "j in 0..300 {{\n      a = load %x[j, i]\n{}    }}\n{}  }}\n",
                    parameters, first, inner, last));
  };
  for (const int totals : {1, 8}) {
    const std::vector<Kernel> kernels = {sums(totals)};
    for (const uint32_t threads : {0u, 64u, 256u}) {
      const auto compiled = compile_large(kernels, {.threads = threads});
      CHECK(compiled[0].threads == (threads != 0 ? threads : totals == 1 ? 1024 : 256));
      compare_shifted(kernels, compiled, 1e-9);
    }
  }
}

TEST_CASE("memory that a kernel may also write is read as usual") {
  if (!tests::has_nvrtc()) return;
  const std::string apart = print(rows("f32", 4, 4096, true));
  std::string over = apart;
  over.replace(over.find("%y: f32[4, 4096]"), 16, "%y: f32[4, 4096] over %x");
  CHECK(asks_caches(compile_large({tests::kernel_of(apart)})[0]));
  const std::vector<Kernel> kernels = {tests::kernel_of(over)};
  const auto compiled = compile_large(kernels);
  CHECK_FALSE(asks_caches(compiled[0]));
  compare_shifted(kernels, compiled, 0);
}

}  // namespace
}  // namespace glint
