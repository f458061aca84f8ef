// Runs one kernel's text on the processor and on the interpreter with the same random inputs, and
// compares every output: to the bit, or within a relative tolerance where sums are added in another
// order.
//
//     compare_kernel("kernel add(...) ...", {.symbols = {100}});
//
// A text is compiled once for each target. Machine code of many kernels in one module takes
// less time than a module for each: `compile_together` makes it ahead.
#pragma once

#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "backends/cpu/jit.h"
#include "backends/interp/kernel_interpreter.h"
#include "ops/scalar/elementwise_kernels.h"
#include "uniform.h"

namespace glint {

struct ComparisonOptions {
  std::vector<int64_t> symbols = {};
  double tolerance = 0.0;  ///< relative to the greater of the value and 1; 0 is to the bit
  double low = -3.0;       ///< range of the inputs
  double high = 3.0;
  std::string target = "";
  bool specials = false;  ///< mixes nan, infinities and zeros into the inputs
};

inline Kernel kernel_of(const std::string& text) {
  auto parsed = parse_kernel(text);
  INFO(text);
  if (!parsed) FAIL(parsed.error().message);
  if (const auto wrong = verify_kernel(parsed.value())) FAIL(wrong->message);
  return parsed.value();
}

struct CompiledText {
  RunnableKernel kernel;
  std::shared_ptr<cpu::CodeModule> code;
};

/// What has been compiled, by target and text; as in the backend, LLVM's own objects outlive it.
inline std::map<std::pair<std::string, std::string>, CompiledText>& compiled_texts() {
  static auto& texts = *new std::map<std::pair<std::string, std::string>, CompiledText>();
  return texts;
}

/// Compiles the kernels of these texts as one module.
inline void compile_together(const std::vector<std::string>& texts, const std::string& target) {
  std::vector<Kernel> kernels;
  for (const std::string& text : texts) kernels.push_back(kernel_of(text));
  std::vector<const Kernel*> pointers;
  for (const Kernel& kernel : kernels) pointers.push_back(&kernel);
  auto compiled = cpu::compile_kernels(pointers, {.target = target});
  if (!compiled) FAIL(compiled.error().message);
  for (size_t i = 0; i < texts.size(); ++i)
    compiled_texts()[{target, texts[i]}] = {compiled->kernels[i], compiled->code};
}

inline const RunnableKernel& compiled_text(const std::string& text, const std::string& target) {
  if (!compiled_texts().contains({target, text})) compile_together({text}, target);
  return compiled_texts()[{target, text}].kernel;
}

class KernelComparison {
 public:
  KernelComparison(const std::string& text, const ComparisonOptions& options)
      : options_(options), kernel_(kernel_of(text)) {
    run(compiled_text(text, options.target));
  }

 private:
  void run(const RunnableKernel& code) {
    const auto written = kernel_.written();
    std::mt19937 random(42);
    for (uint32_t i = 0; i < kernel_.parameter_count; ++i) {
      const TensorType& type = kernel_.buffers[i].type;
      int64_t reach = 1;
      const auto strides = type.full_strides();
      for (size_t d = 0; d < type.sizes.size(); ++d) {
        const int64_t size = type.sizes[d].evaluate(options_.symbols);
        reach = size == 0 ? 0 : reach + (size - 1) * strides[d].evaluate(options_.symbols);
        if (size == 0) break;
      }
      std::vector<std::byte> bytes(static_cast<size_t>(reach) * dtype_size(type.dtype));
      if (!written[i]) fill(bytes, type.dtype, reach, random);
      memory_[0].push_back(bytes);
    }
    memory_[1] = memory_[0];
    std::vector<std::byte*> parameters[2];
    for (int side = 0; side < 2; ++side) {
      for (auto& bytes : memory_[side]) parameters[side].push_back(bytes.data());
    }
    std::vector<int64_t> sizes;
    for (const SymInt size : code.size_expressions) {
      sizes.push_back(size.evaluate(options_.symbols));
    }
    std::vector<std::byte> scratch(
        static_cast<size_t>(code.scratch_bytes.evaluate(options_.symbols)) + 64);
    const int64_t extent = code.thread_extent ? code.thread_extent->evaluate(options_.symbols) : 1;
    // In two parts, as two threads would.
    const int64_t half = code.thread_extent ? extent / 2 / code.stretch * code.stretch : 0;
    int32_t status = 0;
    for (const auto& [begin, end] : {std::pair<int64_t, int64_t>{0, half}, {half, extent}}) {
      if (begin == end && !(half == 0 && end == extent && extent == 0)) continue;
      const int32_t failed =
          call_kernel(code, scratch.data(), parameters[0].data(), sizes.data(), begin, end);
      if (failed != 0) status = failed;
    }
    KernelInterpreter interpreter(kernel_, options_.symbols, parameters[1]);
    interpreter.run();
    failed_check = status == 0 ? -1 : status - 1;
    CHECK(failed_check == (interpreter.failed() ? static_cast<int>(*interpreter.failed()) : -1));
    if (status != 0) return;
    for (uint32_t i = 0; i < kernel_.parameter_count; ++i) {
      if (written[i]) compare(i);
    }
  }

  void fill(std::vector<std::byte>& bytes, DType dtype, int64_t count, std::mt19937& random) {
    std::vector<double> values(static_cast<size_t>(count));
    const double specials[] = {0.0, -0.0, std::nan(""), INFINITY, -INFINITY, 1e30, -1e30, 1.0};
    for (double& value : values) {
      value = tests::uniform(random, options_.low, options_.high);
      if (!is_floating(dtype)) value = std::floor(value);
      if (dtype == DType::kUInt8) value = std::abs(value);
      if (options_.specials && is_floating(dtype) && random() % 5 == 0)
        value = specials[random() % 8];
    }
    scalar::cast_loop(DType::kFloat64, dtype)(values.data(), bytes.data(), count);
  }

  void compare(uint32_t parameter) {
    const DType dtype = kernel_.buffers[parameter].type.dtype;
    const auto count = static_cast<int64_t>(memory_[0][parameter].size() / dtype_size(dtype));
    std::vector<double> values[2];
    for (int side = 0; side < 2; ++side) {
      values[side].resize(static_cast<size_t>(count));
      scalar::cast_loop(dtype, DType::kFloat64)(memory_[side][parameter].data(),
                                                values[side].data(), count);
    }
    size_t different = 0;
    size_t first = 0;
    for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
      const double x = values[0][i];
      const double y = values[1][i];
      bool same = std::memcmp(&x, &y, sizeof x) == 0 || (std::isnan(x) && std::isnan(y));
      if (!same && options_.tolerance > 0) {
        same = std::abs(x - y) <= options_.tolerance * std::max(1.0, std::abs(y)) || x == y;
      }
      if (!same && different++ == 0) first = i;
    }
    INFO(print(kernel_));
    INFO("%" << kernel_.buffers[parameter].name << "[" << first << "] of " << count << ": cpu "
             << (count ? values[0][first] : 0) << ", interp " << (count ? values[1][first] : 0));
    CHECK(different == 0);
  }

 public:
  int failed_check = -1;

 private:
  ComparisonOptions options_;
  Kernel kernel_;
  std::vector<std::vector<std::byte>> memory_[2];
};

inline int compare_kernel(const std::string& text, const ComparisonOptions& options = {}) {
  return KernelComparison(text, options).failed_check;
}

}  // namespace glint
