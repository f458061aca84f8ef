// Machine code without a GPU: how many registers kernels take, SASS with its margins, and the table
// of launches. What needs NVRTC or nvdisasm says so and passes where there is none.
#include "backends/cuda/machine_code.h"
#include <regex>

#include "backends/cuda/listing.h"
#include "kernel_texts.h"

namespace glint {
namespace {

using namespace tests;

Schedule relu_schedule() {
  Schedule schedule;
  schedule.kernels = {kernel_of(R"(kernel relu(%x: f32[s0], %out: f32[s0])   from %relu
  parallel i in 0..s0 {
    a = load %x[i]            5:22 %relu
    b = maximum a, 0.0        5:22 %relu
    store %out[i] = b         5:11 %relu
  }
)")};
  return schedule;
}

TEST_CASE("a cubin says how many registers its kernels take") {
  CHECK(cuda::registers_of("").empty());
  CHECK(cuda::registers_of("no ELF file, whatever its length may be; it begins otherwise").empty());
  if (!has_nvrtc()) return;
  const char* source = R"(
extern "C" __global__ void one(float* x) { x[threadIdx.x] = 1.0f; }
extern "C" __global__ void many(float* x) {
  float sums[24];
  for (int i = 0; i < 24; ++i) sums[i] = x[i * 64 + threadIdx.x];
  for (int i = 0; i < 24; ++i) x[(23 - i) * 64 + threadIdx.x] = sums[i];
}
)";
  for (const char* architecture : {"compute_80", "compute_90"}) {
    const auto code = cuda::machine_code(source, architecture);
    REQUIRE(code.ok());
    REQUIRE(code->registers.size() == 2);
    CHECK(code->registers.at("one") > 0);
    CHECK(code->registers.at("one") < code->registers.at("many"));
    CHECK(code->registers.at("many") <= 255);
    // A file that broke off is read as far as it goes.
    for (size_t length = 0; length < code->cubin.size(); length += 97)
      CHECK(cuda::registers_of(std::string_view(code->cubin).substr(0, length)).size() <= 2);
  }
}

TEST_CASE("SASS is listed with statement and node in the margin") {
  cuda::CompiledModule module;
  module.lines = {{}, {0, 1}, {0, 2}};
  const Schedule schedule = relu_schedule();
  const Kernel* const kernels[] = {&schedule.kernels[0]};
  const auto lines = cuda::disassembled_lines(R"(	.target	sm_80
//--------------------- .text.relu                 --------------------------
	.section	.text.relu,"ax",@progbits
relu:
.text.relu:
        /*0000*/                   MOV R1, c[0x0][0x28] ;
	//## File "/tmp/glint.cu", line 2
        /*0010*/               @P0 EXIT ;
	//## File "/tmp/glint.cu", line 1 inlined at "/tmp/glint.cu", line 3
        /*0020*/                   FMNMX R0, RZ, R3, !PT ;
.L_x_0:
        /*0030*/                   BRA `(.L_x_0);
        /*0040*/                   NOP;
)",
                                              module, kernels);
  std::vector<std::string> texts;
  for (const StageLine& line : lines) texts.push_back(line.text);
  const auto padded = [](std::string text) { return fmt::format("{:<72}", text); };
  REQUIRE(texts.size() == 6);
  CHECK(texts[0] == "relu:");
  CHECK(texts[1] == "    0000       MOV R1, c[0x0][0x28] ;");
  CHECK(texts[2] == padded("    0010  @P0  EXIT ;") + "//   1  %relu");
  CHECK(texts[3] == padded("    0020       FMNMX R0, RZ, R3, !PT ;") + "//   2  %relu");
  CHECK(texts[4] == ".L_x_0:");
  CHECK(lines[3].origins.front().column == 22);
}

TEST_CASE("SASS of a schedule, or what is missing") {
  const std::vector<StageLine> lines = cuda::sass_lines(relu_schedule());
  REQUIRE_FALSE(lines.empty());
  if (!cuda::find_disassembler() || !cuda::load_nvrtc()) {
    CHECK(lines.front().text.starts_with("no SASS: "));
    return;
  }
  size_t instructions = 0, placed = 0;
  for (const StageLine& line : lines) {
    instructions += line.text.find(';') != std::string::npos;
    placed += !line.origins.empty();
  }
  CHECK(lines.front().text == "relu_kernel:");
  CHECK(instructions > 8);
  CHECK(static_cast<double>(placed) > 0.5 * static_cast<double>(instructions));
}

TEST_CASE("the table of launches: grid, block, registers, shared memory, bytes") {
  const std::vector<StageLine> lines = cuda::launch_lines(relu_schedule());
  REQUIRE(lines.size() >= 2);
  const std::string& row = lines[1].text;
  CHECK(lines[0].text.starts_with("on a GPU (compute_80)"));
  CHECK(row.starts_with("relu  "));
  // A thread an element, or several; each element is read and written once.
  CHECK(row.find("s0") < row.find("  256  "));
  CHECK(std::regex_search(row, std::regex("4\\*s0 +4\\*s0$")));
  CHECK(lines[1].origins.front().line == 5);
  if (!has_nvrtc()) {
    CHECK(lines.back().text.starts_with("no registers: "));
    return;
  }
  const auto compiled = compile(relu_schedule().kernels);
  CHECK(compiled[0].threads == 256);
  CHECK(row.find(" %  ") != std::string::npos);
}

TEST_CASE("the table of what was tried: the fastest first, the usual way marked") {
  cuda::ScheduleTuning tuning{.device = "a GPU"};
  CHECK(cuda::tuning_lines(relu_schedule(), tuning)[0].text == "tuned by the first call");
  tuning.shapes = {{.threads = 512}};
  tuning.kernels = {{.what = "relu", .rows = {{"0 0 usual", 0.25}, {"512 0 usual", 0.125}}}};
  const std::vector<StageLine> lines = cuda::tuning_lines(relu_schedule(), tuning);
  REQUIRE(lines.size() == 3);
  CHECK(lines[0].text.starts_with("tuned on a GPU"));
  CHECK(lines[1].text.starts_with("relu"));
  CHECK(lines[1].text.ends_with("125.00 us"));
  CHECK(lines[2].text.ends_with("250.00 us"));
  CHECK(std::regex_search(lines[2].text, std::regex("^ +usual ")));
  if (!has_nvrtc()) return;
  CHECK(std::regex_search(lines[1].text, std::regex("\\* +512 +- +4 +[0-9]+ +100 %")));
  // What is shown of the kernel is what runs.
  CHECK(cuda::launch_lines(relu_schedule(), &tuning)[1].text.find("  512  ") != std::string::npos);
}

}  // namespace
}  // namespace glint
