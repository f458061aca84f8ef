// Compiled kernels on the simulated device, against the interpreter of Kernel IR: every scalar
// function to the bit, every team and combiner, the golden kernels, and a part of the operator
// table. Without NVRTC there is no PTX to run, and these tests say so and pass.
#include "kernel_texts.h"
#include "simulated_kernel.h"

#include "backends/cuda/codegen/row_classes.h"
#include "backends/cuda/compile/compile_cuda.h"

namespace glint {
namespace {

void compare_all(const std::vector<Kernel>& kernels, const SimulationOptions& options) {
  const auto compiled = tests::compile(kernels);
  SimulatedDevice device;
  for (size_t i = 0; i < kernels.size(); ++i)
    compare_simulated(device, kernels[i], compiled[i], options);
}

void compare_cuts(const std::vector<const Kernel*>& kernels,
                  const std::vector<cuda::LaunchShape>& shapes,
                  const std::vector<int64_t>& symbols) {
  const auto compiled = cuda::compile_cuda(kernels, {.shapes = shapes});
  if (!compiled) FAIL(compiled.error().message);
  SimulatedDevice device;
  std::optional<InterpretedKernel> interpreted;
  for (size_t i = 0; i < kernels.size(); ++i) {
    INFO(print(shapes[i]));
    if (i == 0 || kernels[i] != kernels[i - 1])
      interpreted.emplace(*kernels[i], SimulationOptions{.symbols = symbols, .tolerance = 1e-4});
    SimulatedKernel(device, *interpreted, (*compiled)[i]);
  }
}

/// Functions of which part is the C library's here and CUDA's there.
bool is_slow(const std::string& kernel) {
  for (const char* name : {"sin_", "cos_", "tan_", "atan", "asin", "acos", "atanh", "erf", "lgamma",
                           "log1p", "power", "fmod", "remainder", "sinh", "cosh", "floor_divide"})
    if (kernel.starts_with(name)) return true;
  return false;
}

TEST_CASE("scalar functions give on the simulated device what they give everywhere, to the bit") {
  if (!tests::has_nvrtc()) return;
  for (const DTypeInfo& info : kDTypeTable) {
    INFO(info.name);
    const auto kernels = tests::affordable(tests::scalar_kernels(info.dtype));
    const auto compiled = tests::compile(kernels);
    SimulatedDevice device;
    for (size_t i = 0; i < kernels.size(); ++i) {
      // One unit of the last place, where a library's function is called.
      const double unit = info.dtype == DType::kFloat64 ? 1e-15 : 2e-7;
      const bool slow = is_floating(info.dtype) && is_slow(kernels[i].name);
      compare_simulated(device, kernels[i], compiled[i],
                        {.symbols = {700}, .tolerance = slow ? unit : 0.0, .specials = true});
    }
  }
}

TEST_CASE("casts give on the simulated device what they give everywhere") {
  if (!tests::has_nvrtc()) return;
  compare_all(tests::cast_kernels(), {.symbols = {300}, .low = -100, .high = 100});
}

TEST_CASE("what a loop reads back it has written before, also where iterations are read at once") {
  if (!tests::has_nvrtc()) return;
  compare_all({tests::kernel_of(R"(kernel read_back(%x: f32[4, 3000], %y: f32[4, 6000], %s: f32[4])
  parallel i in 0..4 {
    acc = reduction sum : f32
    reduce j in 0..3000 {
      a = load %x[i, j]
      store %y[i, 2*j] = a
      b = load %y[i, 2*j]
      acc += b
    }
    store %s[i] = acc
  }
)")},
              {.tolerance = 1e-4});
}

TEST_CASE("every team combines what its members have") {
  if (!tests::has_nvrtc()) return;
  const auto kernels = tests::affordable(tests::combiner_kernels());
  const auto compiled = tests::compile(kernels);
  SimulatedDevice device;
  for (size_t i = 0; i < kernels.size(); ++i) {
    // Sums of bfloat16 are rounded to eight bits.
    const double tolerance = kernels[i].name.ends_with("bf16") ? 2e-2 : 1e-3;
    // 1100 elements are two blocks' work.
    const bool by_all = kernels[i].name.starts_with("all_");
    compare_simulated(
        device, kernels[i], compiled[i],
        {.symbols = {by_all ? 1100 : 37, 300}, .tolerance = tolerance, .low = -1.5, .high = 1.5});
  }
}

TEST_CASE("the golden kernels give on the simulated device what they give on the interpreter") {
  if (!tests::has_nvrtc()) return;
  for (const std::vector<int64_t>& symbols : {std::vector<int64_t>{5, 70}, {67, 33}})
    compare_all(tests::golden_kernels(), {.symbols = symbols, .tolerance = 1e-4});
}

TEST_CASE("rows give the same however much of them shared memory keeps") {
  if (!tests::has_nvrtc()) return;
  const std::vector<Kernel> kernels = tests::golden_kernels();
  const auto compiled = tests::compile(kernels);
  SimulatedDevice device;
  int tried = 0;
  for (size_t i = 0; i < kernels.size(); ++i) {
    const bool keeps = std::ranges::any_of(compiled[i].parameters, [](const auto& each) {
      return each.kind == cuda::KernelParameter::Kind::kKept;
    });
    if (!keeps) continue;
    for (const uint32_t bytes : {256, 10000, 40000}) {
      compare_simulated(device, kernels[i], compiled[i],
                        {.symbols = {3, 4321}, .tolerance = 1e-4, .block_shared_bytes = bytes});
      ++tried;
    }
  }
  CHECK(tried >= 9);
}

TEST_CASE("a kernel gives the same in whichever way it is cut") {
  if (!tests::has_nvrtc()) return;
  const std::vector<Kernel> golden = tests::affordable(tests::golden_kernels());
  std::vector<const Kernel*> kernels;
  std::vector<cuda::LaunchShape> shapes;
  for (const Kernel& kernel : golden) {
    for (const cuda::LaunchShape& shape : cuda::candidate_shapes(kernel)) {
      kernels.push_back(&kernel);
      shapes.push_back(shape);
    }
  }
  compare_cuts(kernels, shapes, {37, 70});
}

TEST_CASE("a kernel for rows of some length gives the same for all of them") {
  if (!tests::has_nvrtc()) return;
  const std::vector<Kernel> golden = tests::golden_kernels();
  for (const int64_t length : {1, 2, 7, 16, 17, 64, 129, 512}) {
    cuda::KernelCuts cuts;
    for (const Kernel& kernel : golden) {
      const cuda::RowClasses classes = cuda::row_classes(kernel);
      const std::vector<int64_t> symbols = {19, length};
      if (classes.shapes.size() > 1) cuts.add(kernel, {{}, {classes.shapes[classes.at(symbols)]}});
    }
    REQUIRE_FALSE(cuts.kernels.empty());
    compare_cuts(cuts.kernels, cuts.shapes, {19, length});
  }
}

}  // namespace
}  // namespace glint
