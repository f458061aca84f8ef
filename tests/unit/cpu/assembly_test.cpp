// What the machine code looks like: vector instructions of the processor at hand, the limit to
// x86-64-v3, and a source line on nearly every instruction.
#include <catch2/catch.hpp>

#include <string>

#include "backends/cpu/cpu_backend.h"
#include "backends/cpu/jit.h"
#include "ops/scalar/elementwise_kernels.h"

namespace glint {
namespace {

const char* const kRelu =
    R"(kernel multiply_relu(%x: f32[s0], %y: f32[s0], %out: f32[s0])   from %mul %relu
  parallel i in 0..s0 {
    a = load %x[i]         5:22 %mul
    b = load %y[i]         5:22 %mul
    c = multiply a, b      5:22 %mul
    d = tanh c             5:11 %relu
    store %out[i] = d      5:11 %relu
  }
)";

Kernel relu_kernel() {
  auto kernel = parse_kernel(kRelu);
  if (!kernel) FAIL(kernel.error().message);
  return kernel.value();
}

bool mentions(const std::vector<cpu::ListedLine>& lines, const std::string& word) {
  for (const cpu::ListedLine& line : lines) {
    if (line.text.find(word) != std::string::npos) return true;
  }
  return false;
}

TEST_CASE("a loop uses the widest vectors that the target has") {
  const Kernel kernel = relu_kernel();
  const auto narrow = cpu::list_kernels({&kernel}, "x86-64-v3", Stage::kAssembly);
  CHECK(mentions(narrow, "ymm"));
  CHECK_FALSE(mentions(narrow, "zmm"));
  CHECK(mentions(narrow, "vfmadd"));
  if (std::string(scalar::elementwise_instruction_set()) != "x86-64-v4") return;
  CHECK(mentions(cpu::list_kernels({&kernel}, "", Stage::kAssembly), "zmm"));
}

/// The instructions between a label and the last jump back to it.
std::vector<cpu::ListedLine> loop_instructions(const std::vector<cpu::ListedLine>& lines) {
  std::vector<cpu::ListedLine> found;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].instruction || lines[i].text.empty()) continue;
    const std::string label = " " + lines[i].text.substr(0, lines[i].text.size() - 1);
    size_t end = i;
    for (size_t j = i; j < lines.size(); ++j) {
      if (lines[j].instruction && lines[j].text.ends_with(label)) end = j;
    }
    for (size_t j = i + 1; j <= end; ++j)
      if (lines[j].instruction) found.push_back(lines[j]);
  }
  return found;
}

const char* const kSoftmax =
    R"(kernel softmax_rows(%x: f32[s0, 100], %out: f32[s0, 100])   from %max %exp %sum %div
  parallel i in 0..s0 {
    most = reduction maximum : f32        5:11 %max
    reduce j in 0..100 {
      a = load %x[i, j]                   5:22 %max
      most = maximum(most, a)             5:11 %max
    }
    total = reduction sum : f32           6:11 %sum
    reduce k in 0..100 {
      b = load %x[i, k]                   6:22 %exp
      c = subtract b, most                6:22 %exp
      d = exp c                           6:22 %exp
      total += d                          6:11 %sum
    }
    parallel l in 0..100 {
      e = load %x[i, l]                   7:22 %div
      f = subtract e, most                7:22 %div
      g = exp f                           7:22 %div
      h = divide g, total                 7:11 %div
      store %out[i, l] = h                7:11 %div
    }
  }
)";

const char* const kNearest =
    R"(kernel nearest(%x: f32[s0, 8], %out: i64[s0])   from %sub %argmin
  parallel i in 0..s0 {
    best = reduction argmin : f32         5:11 %argmin
    reduce j in 0..8 {
      a = load %x[i, j]                   5:22 %sub
      n = index j                         5:11 %argmin
      best = argmin(best, a, n)           5:11 %argmin
    }
    store %out[i] = best.1                5:11 %argmin
  }
)";

TEST_CASE("a loop's instructions carry their statement, and the right one") {
  const Kernel kernel = relu_kernel();
  size_t divisions = 0, products = 0;
  for (const cpu::ListedLine& line :
       loop_instructions(cpu::list_kernels({&kernel}, "", Stage::kAssembly))) {
    if (line.text.find("vdivps") != std::string::npos) {
      ++divisions;
      CHECK(line.statement == 4);
    }
    if (line.text.find("vmulps") != std::string::npos) {
      ++products;
      CHECK((line.statement == 3 || line.statement == 4));
    }
  }
  CHECK(divisions > 0);
  CHECK(products > 0);
  // Masks, sums over the lanes, inlined mathematics and jumps included.
  for (const char* text : {kRelu, kSoftmax, kNearest}) {
    auto parsed = parse_kernel(text);
    if (!parsed) FAIL(parsed.error().message);
    for (const char* target : {"", "x86-64-v3"}) {
      INFO(parsed->name << " for " << target);
      const auto lines = cpu::list_kernels({&*parsed}, target, Stage::kAssembly);
      size_t known = 0;
      const auto instructions = loop_instructions(lines);
      for (const cpu::ListedLine& line : instructions)
        known += line.statement < parsed->statements.size();
      CHECK(instructions.size() > 20);
      CHECK(static_cast<double>(known) >= 0.98 * static_cast<double>(instructions.size()));
    }
  }
}

TEST_CASE("a loop that runs once is no loop, and its instructions keep their lines") {
  auto kernel = parse_kernel(R"(kernel sum_rows(%x: f32[s0, 8], %out: f32[s0])   from %mul %sum
  parallel i in 0..s0 {
    acc = reduction sum : f32     5:11 %sum
    reduce j in 0..8 {
      a = load %x[i, j]           5:22 %mul
      b = multiply a, 3.0         5:22 %mul
      acc += b                    5:11 %sum
    }
    store %out[i] = acc           5:11 %sum
  }
)");
  if (!kernel) FAIL(kernel.error().message);
  Schedule schedule;
  schedule.kernels.push_back(kernel.value());
  auto compiled = cpu_backend().compile(schedule, {.cpu = "x86-64-v3"});
  REQUIRE(compiled.ok());
  const auto lines = compiled.value()->lines(Stage::kLlvm);
  bool product = false, sum = false;
  auto is_of = [](const StageLine& line, uint32_t column, std::string_view node) {
    return line.text.find(node) != std::string::npos && line.origins.size() == 1 &&
           line.origins[0].line == 5 && line.origins[0].column == column;
  };
  for (const StageLine& line : lines) {
    INFO(line.text);
    CHECK(line.text.find("br i1 true") == std::string::npos);
    CHECK(line.text.find("br i1 false") == std::string::npos);
    if (line.text.find("fmul <8 x float>") != std::string::npos)
      product = is_of(line, 22, "  %mul");
    // Adding up the lanes belongs to the loop, which is there for the sum.
    if (line.text.find("fadd <4 x float>") != std::string::npos) sum = is_of(line, 11, "  %sum");
  }
  CHECK(product);
  CHECK(sum);
}

TEST_CASE("LLVM IR is listed with statement and node in the margin, and has its place") {
  Schedule schedule;
  schedule.kernels.push_back(relu_kernel());
  auto compiled = cpu_backend().compile(schedule, {});
  REQUIRE(compiled.ok());
  bool found = false;
  for (const StageLine& line : compiled.value()->lines(Stage::kLlvm)) {
    if (line.text.find("fmul <16 x float>") == std::string::npos) continue;
    if (line.text.find("  %mul") == std::string::npos) continue;
    found = true;
    REQUIRE(line.origins.size() == 1);
    CHECK(line.origins[0].line == 5);
  }
  CHECK(found);
  CHECK_FALSE(compiled.value()->lines(Stage::kAssembly).empty());
}

}  // namespace
}  // namespace glint
