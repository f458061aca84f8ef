// Machine code without a GPU: how many registers kernels take, SASS with its margins, and the table
// of launches. What needs NVRTC or nvdisasm says so and passes where there is none.
#include "backends/cuda/compile/machine_code.h"

#include <algorithm>
#include <regex>

#include "backends/cuda/compile/register_counts.h"
#include "backends/cuda/listing/listing.h"
#include "kernel_texts.h"
#include "scratch_cache.h"

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

TEST_CASE("SASS of a user's text has its lines in the margin") {
  cuda::CompiledModule module;
  module.source = "__device__ float f(float x) { return x; }\n// none\n  x[0] = f(1);\n";
  module.is_written_by_hand = true;
  const auto texts_of = [&] {
    std::vector<std::string> texts;
    for (const StageLine& line : cuda::disassembled_lines(R"(a:
	//## File "/tmp/glint.cu", line 1 inlined at "/tmp/glint.cu", line 3
	//## File "/tmp/glint.cu", line 3
        /*0000*/                   MOV R1, R2 ;
	//## File "/include/half.h", line 1 inlined at "/tmp/glint.cu", line 3
	//## File "/tmp/glint.cu", line 3
        /*0010*/                   MOV R2, R3 ;
)",
                                                          module, {}))
      texts.push_back(line.text);
    return texts;
  };
  const auto padded = [](std::string text) { return fmt::format("{:<72}", text); };
  const std::string in_function = "//   1  __device__ float f(float x) { return x; }";
  CHECK(texts_of()[1] == padded("    0000       MOV R1, R2 ;") + in_function);
  CHECK(texts_of()[2] == padded("    0010       MOV R2, R3 ;") + "//   3  x[0] = f(1);");
  // In a text of Glint's own a function is no more than vocabulary.
  module.is_written_by_hand = false;
  CHECK(texts_of()[1] == padded("    0000       MOV R1, R2 ;") + "//   3  x[0] = f(1);");
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
  CHECK(lines.front().text == "relu:");
  CHECK(instructions > 8);
  CHECK(static_cast<double>(placed) > 0.5 * static_cast<double>(instructions));
}

TEST_CASE("the table of launches: grid, block, registers, shared memory, bytes") {
  const ScratchCache cache;
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

/// Two products of one form, one with an activation, and a call that is no product.
Schedule schedule_of_calls() {
  auto schedule = parse_schedule(R"(schedule f(%x: f32[64, 64], %b: f32[64]) -> f32[64, 64] {
  slot 0   16384 bytes, workspace
  slot 1   16384 bytes, workspace
  slot 2   16384 bytes, output
  %a = tensor f32[64, 64] in slot 0
  %c = tensor f32[64, 64] in slot 1
  %d = tensor f32[64, 64] in slot 0
  %e = tensor f32[64, 64] in slot 2
  call %a = mm %x, %x   from %a 2:4
  call %c = mm %a, %x   from %c 3:4
  call %d = mm_epilogue %c, %x, bias=%b, activation="relu"   from %d 4:4
  call %e = cumsum %d, 0   from %e 5:4
  return %e
}
)");
  if (!schedule) FAIL(schedule.error().message);
  return *schedule;
}

/// The lines that say what a call runs.
std::vector<std::string> headings(const std::vector<StageLine>& lines) {
  std::vector<std::string> found;
  for (const StageLine& line : lines)
    if (line.text.starts_with("// %")) found.push_back(line.text);
  return found;
}

bool has_line(const std::vector<StageLine>& lines, std::string_view part) {
  return std::ranges::any_of(
      lines, [&](const StageLine& line) { return line.text.find(part) != std::string::npos; });
}

TEST_CASE("a library call is listed by the kernel of our own that does it") {
  const ScratchCache cache;
  const Schedule schedule = schedule_of_calls();
  const std::vector<StageLine> lines = cuda::cuda_lines(schedule);
  CHECK(
      headings(lines) ==
      std::vector<std::string>{
          "// %a: `mm` is a library call; where no library does it, this kernel does, by tiles of "
          "16 x 16",
          "// %c: `mm` is a library call; where no library does it, this kernel does, by tiles of "
          "16 x 16: as above",
          "// %d: `mm_epilogue` is a library call; where no library does it, this kernel does, by "
          "tiles of 16 x 16",
          "// %e: `cumsum` is a library call; its kernels depend on its tensors, and are shown "
          "when "
          "it has run on a GPU"});
  CHECK(lines.front().origins.front().line == 2);
  const auto is_product = [](const StageLine& line) {
    return line.text.starts_with("matrix_product(");
  };
  CHECK(std::ranges::count_if(lines, is_product) == 2);
  CHECK(has_line(lines, "finished(float total"));
  CHECK(headings(cuda::gpu_lines(schedule)).size() == 4);
  const std::vector<StageLine> ptx = cuda::ptx_lines(schedule);
  CHECK(headings(ptx).size() == 4);
  CHECK(has_line(ptx, has_nvrtc() ? ".entry matrix_product(" : "no PTX: "));
}

TEST_CASE("a schedule that computes nothing says so") {
  const Schedule nothing;
  for (const auto& lines :
       {cuda::cuda_lines(nothing), cuda::ptx_lines(nothing), cuda::gpu_lines(nothing)}) {
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].text == "no kernel: nothing is computed");
  }
}

TEST_CASE("registers are those of the machine code, else an estimate from the PTX") {
  if (!has_nvrtc()) return;
  cuda::RegisterCounts counts;
  const cuda::CompiledKernel compiled = compile(relu_schedule().kernels)[0];
  const auto assembled = counts.of(compiled);
  REQUIRE(assembled);
  CHECK_FALSE(assembled->is_estimate);
  CHECK_FALSE(counts.missing());
  const auto again = cuda::assembled_registers(compiled.module->source, "sm_80", compiled.entry);
  REQUIRE(again);
  CHECK(*again == assembled->count);
  // PTX of another time, whose text NVRTC does not compile.
  auto module = std::make_shared<cuda::CompiledModule>(*compiled.module);
  module->source += "no longer C++";
  cuda::CompiledKernel old = compiled;
  old.module = module;
  const auto estimated = counts.of(old);
  REQUIRE(estimated);
  CHECK(estimated->is_estimate);
  CHECK(estimated->text() == fmt::format("~{}", estimated->count));
  CHECK(counts.missing());
}

}  // namespace
}  // namespace glint
