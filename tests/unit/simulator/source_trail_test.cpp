// Where a fault and a refusal are told to be: by the text's own lines, whichever file, function or
// compiler's loop has the instruction.
#include "run_kernel.h"

namespace glint::simulator {
namespace {

constexpr const char* kText = R"(
__device__ void clear(int* x) {
  memset(x, 0, 4);
}
extern "C" __global__ void k(int* x) {
  clear(x + 1);
})";

/// A module whose entry `k` gets a buffer of 4 bytes, in %rd0, and calls a function that gets it.
std::string module_of(const std::string& function, const std::string& entry) {
  return ".version 8.0\n.target sm_80\n.address_size 64\n.func clear(.param .b64 p) {\n"
         ".reg .b64 %rd<2>;\nld.param.u64 %rd0, [p];\n" +
         function + "\nret;\n}\n.visible .entry k(.param .u64 x) {\n.reg .b64 %rd<2>;\n" + entry +
         "\nret;\n}\n.file 1 \"a.cu\"\n.file 2 \"/usr/include/cuda_fp16.h\"\n";
}

constexpr const char* kCall =
    "ld.param.u64 %rd0, [x];\n.loc 1 6 3\n"
    "{ .param .b64 p0; st.param.b64 [p0], %rd0; call clear, (p0); }\n";

/// The first lines of what is wrong, without the thread's or the PTX' line.
std::string place_of(const std::string& ptx, const std::string& text = kText) {
  Memory memory;
  std::vector<uint32_t> x(1);
  const uint64_t address = memory.add("x", x.data(), 4);
  const auto module = LoadedModule::load(ptx, memory, {text.empty() ? "" : "a.cu", text});
  REQUIRE(module);
  const auto program = module->program("k");
  std::string told;
  if (program) {
    const auto result = run(*program, memory, {.block = {1}, .arguments = {argument(address)}});
    REQUIRE(result);
    REQUIRE(result->fault);
    told = result->fault->text();
  } else {
    told = program.error().message;
  }
  return told.substr(0, told.rfind('\n'));
}

constexpr const char* kWrong =
    ": out of bounds: an access of 4 bytes reads byte 4 of `x`, which has 4";

TEST_CASE("a fault in a function is told with the line that called it, and both are quoted") {
  const std::string fault = ".loc 1 3 3\nld.global.u32 %rd1, [%rd0+4];";
  CHECK(place_of(module_of(fault, kCall)) == "a.cu:3" + std::string(kWrong) +
                                                 "\n    memset(x, 0, 4);\n  called from a.cu:6"
                                                 "\n    clear(x + 1);");
  CHECK(place_of(module_of(fault, kCall), "") ==
        "a.cu:3" + std::string(kWrong) + "\n  called from a.cu:6");
}

TEST_CASE("a fault in a header is one of the text's own line, and so is a refusal") {
  const std::string told = "\n    clear(x + 1);\n  in cuda_fp16.h:70";
  CHECK(place_of(module_of(".loc 2 70 1\nld.global.u32 %rd1, [%rd0+4];", kCall)) ==
        "a.cu:6" + std::string(kWrong) + told);
  CHECK(place_of(module_of("",
                           "ld.param.u64 %rd0, [x];\n.loc 1 6 3\nmov.u64 %rd1, 0;\n"
                           ".loc 2 70 1, function_name $f, inlined_at 1 6 3\n"
                           "ld.global.u32 %rd1, [%rd0+4];")) ==
        "a.cu:6" + std::string(kWrong) + told);
  CHECK(place_of(module_of(".loc 2 70 1\nvadd.u32 %rd1, %rd0;", kCall)) ==
        "a.cu:6: `vadd.u32` is outside the instructions that the simulator knows" + told);
}

TEST_CASE("an instruction of no line is told by the last line before it, else by the kernel's") {
  CHECK(place_of(module_of(
            ".loc 1 3 3\nmov.u64 %rd1, 0;\n.loc 1 0 3\nld.global.u32 %rd1, [%rd0+4];", kCall)) ==
        "a.cu:3" + std::string(kWrong) +
            "\n    memset(x, 0, 4);\n  called from a.cu:6"
            "\n    clear(x + 1);");
  const std::string no_line =
      module_of("", "ld.param.u64 %rd0, [x];\nld.global.u32 %rd1, [%rd0+4];");
  CHECK(place_of(no_line) ==
        "a.cu:5" + std::string(kWrong) + "\n    extern \"C\" __global__ void k(int* x) {");
  CHECK(place_of(no_line, "") == std::string(kWrong).substr(2));
}

}  // namespace
}  // namespace glint::simulator
