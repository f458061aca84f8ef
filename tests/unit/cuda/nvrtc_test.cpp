// What NVRTC makes of the text. Without NVRTC these tests say so and pass: `scripts/setup` brings
// it.
#include "backends/cuda/listing/listing.h"
#include "ir/kernel_name.h"
#include "kernel_texts.h"
#include "ops/op.h"
#include "scratch_cache.h"

namespace glint {
namespace {

using namespace tests;
using cuda::CompiledKernel;

TEST_CASE("golden kernels compile, in one program") {
  if (!has_nvrtc()) return;
  const auto compiled = compile(golden_kernels());
  REQUIRE(compiled.size() > 5);
  for (const CompiledKernel& each : compiled) {
    CHECK(each.module == compiled[0].module);
    CHECK(each.module->ptx.find(".entry " + each.entry + "(") != std::string::npos);
  }
  // The same again is not compiled again.
  CHECK(compile(golden_kernels())[0].module == compiled[0].module);
}

TEST_CASE("a kernel keeps the name that it has by an operator, whatever C calls so") {
  if (!has_nvrtc()) return;
  std::vector<Kernel> kernels;
  for (const ops::OpEntry& entry : ops::op_table()) {
    if (entry.functional_form) continue;
    kernels.push_back(kernel_of(fmt::format(R"(kernel {}(%x: f32[4], %{}: f32[4])
  parallel i in 0..4 {{
    a = load %x[i]
    store %{}[i] = a
  }}
)",
                                            kernel_name(entry.name), entry.name, entry.name)));
  }
  const auto compiled = compile(kernels);
  for (size_t i = 0; i < kernels.size(); ++i) CHECK(compiled[i].entry == kernels[i].name);
}

size_t count(std::string_view text, std::string_view what) {
  size_t found = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

TEST_CASE("neighbours are read and written 16 bytes at a time") {
  if (!has_nvrtc()) return;
  const auto compiled = compile({kernel_of(R"(kernel add(%x: f32[s0], %y: f32[s0], %out: f32[s0])
  parallel i in 0..s0 {
    a = load %x[i]
    b = load %y[i]
    c = add a, b
    store %out[i] = c
  }
)")});
  const std::string& ptx = compiled[0].module->ptx;
  CHECK(ptx.find("ld.global.nc.v4") != std::string::npos);
  CHECK(ptx.find("st.global.v4") != std::string::npos);
  CHECK(ptx.find(".local") == std::string::npos);
}

TEST_CASE("what a row keeps lies in registers, and its sums in shared memory") {
  if (!has_nvrtc()) return;
  const auto compiled = compile({kernel_of(R"(kernel centre(%x: f32[s0, 4096], %y: f32[s0, 4096])
  parallel i in 0..s0 {
    acc = reduction sum : f32
    reduce j in 0..4096 {
      a = load %x[i, j]
      acc += a
    }
    b = divide acc, 4096.0
    parallel j in 0..4096 {
      c = load %x[i, j]
      d = subtract c, b
      store %y[i, j] = d
    }
  }
)")});
  const std::string& ptx = compiled[0].module->ptx;
  CHECK(ptx.find(".local") == std::string::npos);
  CHECK(ptx.find("shfl.sync.bfly") != std::string::npos);
  CHECK(compiled[0].threads == 512);
  CHECK(compiled[0].shared_bytes == 64);
  CHECK(count(ptx, "ld.global.nc.v4") == 2);
  CHECK(count(ptx, "st.global.v4") == 2);
}

TEST_CASE("a row of any width is read once: what fits is kept in shared memory") {
  if (!has_nvrtc()) return;
  const auto compiled = compile({kernel_of(R"(kernel centre(%x: bf16[s0, s1], %y: bf16[s0, s1])
  parallel i in 0..s0 {
    acc = reduction sum : bf16
    reduce j in 0..s1 {
      a = load %x[i, j]
      acc += a
    }
    parallel j in 0..s1 {
      b = load %x[i, j]
      c = subtract b, acc
      store %y[i, j] = c
    }
  }
)")});
  const std::string& ptx = compiled[0].module->ptx;
  CHECK(ptx.find(".local") == std::string::npos);
  CHECK(compiled[0].shared_bytes == 128);
  CHECK(cuda::dynamic_shared_bytes(compiled[0], 100000).evaluate(std::vector<int64_t>{8, 3000}) ==
        8192 * 4);
  CHECK(cuda::dynamic_shared_bytes(compiled[0], 100000).evaluate(std::vector<int64_t>{8, 90000}) ==
        3 * 8192 * 4);
  const std::string& source = compiled[0].module->source;
  CHECK(count(source, "load<8>(x") == 2);  // one of them behind what is kept
  CHECK(count(source, "store(y") == 1);
}

TEST_CASE("an error names the statement that its line was written for, and has its place") {
  const Kernel kernel = kernel_of(R"(kernel twice(%x: f32[8], %out: f32[8])   from %mul
  parallel i in 0..8 {
    a = load %x[i]            5:22 %mul
    b = multiply a, 2.0       5:22 %mul
    store %out[i] = b         5:22 %mul
  }
)");
  const auto program = cuda::write_program({&kernel}, {});
  std::istringstream lines(program.source);
  std::string line;
  uint32_t number = 1;
  while (std::getline(lines, line) && line.find("a * 2.0f") == std::string::npos) ++number;
  const Error error = cuda::located_error({{1, cuda::Severity::kWarning, "a warning"},
                                           {number, cuda::Severity::kError, "no such thing"}},
                                          program, {&kernel});
  CHECK(error.message ==
        fmt::format("nvrtc: no such thing (line {}, kernel twice, statement 2)", number));
  CHECK(error.span.line == 5);
  CHECK(error.span.column == 22);
  const std::vector<cuda::Diagnostic> of_no_line = {{.message = "bad option"}};
  CHECK(cuda::located_error(of_no_line, program, {&kernel}).message == "nvrtc: bad option");
  const std::vector<cuda::Diagnostic> of_header = {
      {.line = 861, .message = "static assertion failed", .header = "/include/groups.h"}};
  CHECK(cuda::located_error(of_header, program, {&kernel}).message ==
        "nvrtc: static assertion failed");
}

TEST_CASE("PTX is listed with statement and node in the margin, and has its place") {
  if (!has_nvrtc()) return;
  Schedule schedule;
  schedule.kernels = {kernel_of(R"(kernel twice_tanh(%x: f32[s0], %out: f32[s0])   from %mul %tanh
  parallel i in 0..s0 {
    a = load %x[i]            5:22 %mul
    b = multiply a, 3.0       5:22 %mul
    c = tanh b                5:11 %tanh
    store %out[i] = c         5:11 %tanh
  }
)")};
  size_t products = 0, divisions = 0, known = 0, instructions = 0;
  for (const StageLine& listed : cuda::ptx_lines(schedule)) {
    const bool is_instruction = listed.text.starts_with("    ") && listed.text[4] != '.' &&
                                listed.text.find(';') != std::string::npos;
    instructions += is_instruction;
    known += is_instruction && !listed.origins.empty();
    products += listed.text.find("0f40400000") != std::string::npos &&
                listed.text.find("%mul") != std::string::npos;
    // Inlined from the definition of tanh.
    divisions += listed.text.find("div.rn.f32") != std::string::npos &&
                 listed.text.find("   3  %tanh") != std::string::npos;
  }
  CHECK(products >= 4);
  CHECK(divisions >= 4);
  CHECK(static_cast<double>(known) > 0.9 * static_cast<double>(instructions));
}

TEST_CASE("a text that names CUDA's own types compiles too") {
  if (!has_nvrtc()) return;
  const tests::ScratchCache cache;
  const auto compiled = cuda::compile_text(
      "extern \"C\" __global__ void sample(cudaTextureObject_t from, float* to) {\n"
      "  to[threadIdx.x] = tex1Dfetch<float>(from, threadIdx.x);\n"
      "}\n",
      "compute_80");
  REQUIRE(compiled);
  CHECK(compiled->diagnostics.empty());
  CHECK(compiled->ptx.find("tex.1d") != std::string::npos);
}

TEST_CASE("a GPU takes older PTX, and the machine code of its generation") {
  const cuda::GpuProperties gpu{.name = "H200", .major = 9, .minor = 0};
  for (const char* each : {"compute_75", "compute_80", "compute_90", "compute_90a", "sm_90"})
    CHECK(cuda::runs_on(each, gpu));
  for (const char* each : {"compute_100", "compute_89a", "sm_89", "sm_100", "sm_100a"})
    CHECK_FALSE(cuda::runs_on(each, gpu));
  CHECK(cuda::runs_on("sm_80", {.name = "A10", .major = 8, .minor = 6}));
  CHECK_FALSE(cuda::runs_on("sm_89", {.name = "A10", .major = 8, .minor = 6}));
}

TEST_CASE("an architecture that NVRTC does not know is its error") {
  if (!has_nvrtc()) return;
  const Kernel kernel = kernel_of(R"(kernel copy(%x: f32[8], %out: f32[8])
  parallel i in 0..8 {
    a = load %x[i]
    store %out[i] = a
  }
)");
  auto compiled = cuda::compile_cuda({&kernel}, {.architecture = "compute_1"});
  REQUIRE_FALSE(compiled.ok());
  CHECK(compiled.error().message.starts_with("nvrtc: "));
}

}  // namespace
}  // namespace glint
