// Which colours generated code has, language by language: each piece between the letter of its
// colour and a bracket, `k[mov] v[rax], n[1]`.
#include "repl/render/code.h"

#include <catch2/catch.hpp>

#include <string>

#include "repl/render/colour.h"
#include "repl/render/html.h"
#include "repl/render/text.h"

namespace glint {
namespace {

using render::Colour;
using render::Language;

char letter_of(Colour colour) {
  constexpr std::string_view kLetters = " ksncNvdef";
  return kLetters[static_cast<size_t>(colour)];
}

std::string marked(std::string_view line, Language language) {
  std::string out;
  for (const auto& [text, colour] : render::code_pieces(line, language))
    out += colour == Colour::kPlain
               ? std::string(text)
               : std::string(1, letter_of(colour)) + "[" + std::string(text) + "]";
  return out;
}

TEST_CASE("colours of CUDA C++", "[repl]") {
  CHECK(marked("extern \"C\" __global__ void __launch_bounds__(256)", Language::kCuda) ==
        "k[extern] s[\"C\"] k[__global__] k[void] k[__launch_bounds__](n[256])");
  CHECK(marked("  const float e = maximum_f32(d, 0.5f);   //   7  %relu  5:25", Language::kCuda) ==
        "  k[const] k[float] e = maximum_f32(d, n[0.5f]);   c[//   7  %relu  5:25]");
  CHECK(marked("  #pragma unroll", Language::kCuda) == "  d[#pragma] unroll");
  CHECK(marked("a.add(-1.5e-06f + threadIdx.x);", Language::kCuda) ==
        "a.add(-n[1.5e-06f] + v[threadIdx].x);");
}

TEST_CASE("colours of PTX", "[repl]") {
  CHECK(marked(".visible .entry add(", Language::kPtx) == "d[.visible] d[.entry] add(");
  CHECK(marked("    .reg .f32     %f<77>;", Language::kPtx) ==
        "    d[.reg] d[.f32]     v[%f]<n[77]>;");
  CHECK(marked("    ld.global.nc.f32     %f72, [%rd6+4];   //   3  %mul", Language::kPtx) ==
        "    k[ld.global.nc.f32]     v[%f72], [v[%rd6]+n[4]];   c[//   3  %mul]");
  CHECK(marked("    @!%p1 bra     $L__BB0_9;", Language::kPtx) ==
        "    @!v[%p1] k[bra]     N[$L__BB0_9];");
  CHECK(marked("$L__BB0_9:", Language::kPtx) == "N[$L__BB0_9]:");
  CHECK(marked("    mov.f32     %f74, 0fFF800000;", Language::kPtx) ==
        "    k[mov.f32]     v[%f74], n[0fFF800000];");
  CHECK(marked("    mov.u32     %r5, %tid.x;", Language::kPtx) ==
        "    k[mov.u32]     v[%r5], v[%tid.x];");
}

TEST_CASE("colours of SASS", "[repl]") {
  CHECK(marked("    00a0  @P0  EXIT ;   //   3  %relu", Language::kSass) ==
        "    f[00a0]  @v[P0]  k[EXIT] ;   c[//   3  %relu]");
  CHECK(marked("    0020       FMNMX R0, RZ, R3.reuse, !PT ;", Language::kSass) ==
        "    f[0020]       k[FMNMX] v[R0], v[RZ], v[R3.reuse], !v[PT] ;");
  CHECK(marked("    0000       MOV R1, c[0x0][0x28] ;", Language::kSass) ==
        "    f[0000]       k[MOV] v[R1], c[n[0x0]][n[0x28]] ;");
  CHECK(marked(".L_x_0:", Language::kSass) == "N[.L_x_0]:");
}

TEST_CASE("colours of LLVM IR", "[repl]") {
  CHECK(marked("define i32 @add(...) {", Language::kLlvm) == "k[define] k[i32] v[@add](...) {");
  CHECK(marked("  %5 = fmul <8 x float> %4, 0xFFF0000000000000  ;   3  %mul", Language::kLlvm) ==
        "  v[%5] = k[fmul] <n[8] k[x] k[float]> v[%4], n[0xFFF0000000000000]  c[;   3  %mul]");
  CHECK(marked("i.preheader:", Language::kLlvm) == "N[i.preheader]:");
  CHECK(marked("  %y = fadd float %x, 1.500000e+00, !dbg !5", Language::kLlvm) ==
        "  v[%y] = k[fadd] k[float] v[%x], n[1.500000e+00], d[!dbg] d[!5]");
}

TEST_CASE("colours of machine code", "[repl]") {
  CHECK(marked("    vmulps zmm18, zmm18, zmmword ptr [rcx + 4*rdi]   ;   5  %mul",
               Language::kAssembly) ==
        "    k[vmulps] v[zmm18], v[zmm18], k[zmmword] k[ptr] [v[rcx] + n[4]*v[rdi]]   "
        "c[;   5  %mul]");
  CHECK(marked("    jge .LBB0_3", Language::kAssembly) == "    k[jge] N[.LBB0_3]");
  CHECK(marked(".LBB0_3:", Language::kAssembly) == "N[.LBB0_3]:");
  CHECK(marked("add_kernel:", Language::kAssembly) == "N[add_kernel]:");
  CHECK(marked("    .long 1065353216", Language::kAssembly) == "    d[.long] n[1065353216]");
  CHECK(marked("    kmovd k1, r10d", Language::kAssembly) == "    k[kmovd] v[k1], v[r10d]");
  CHECK(marked("    fmul v0.4s, v1.4s, v2.4s", Language::kAssembly) ==
        "    k[fmul] v[v0.4s], v[v1.4s], v[v2.4s]");
}

TEST_CASE("colours of Kernel IR", "[repl]") {
  CHECK(marked("kernel add(%x: f32[4], %c: f32[4])", Language::kKernels) ==
        "k[kernel] add(v[%x]: k[f32][n[4]], v[%c]: k[f32][n[4]])");
  CHECK(marked("   0  parallel i in 0..4 {", Language::kKernels) ==
        "   f[0]  k[parallel] i k[in] n[0..4] {");
  CHECK(marked("   3    c = multiply a, 1.5", Language::kKernels) ==
        "   f[3]    c = k[multiply] a, n[1.5]");
  CHECK(marked("  19    store t[j] = r", Language::kKernels) == "  f[19]    k[store] t[j] = r");
  CHECK(marked("  20    acc1 += r", Language::kKernels) == "  f[20]    acc1 += r");
}

TEST_CASE("colours of Graph IR", "[repl]") {
  CHECK(marked("graph f(%x: f32[s0]) -> f32[] {", Language::kGraph) ==
        "k[graph] f(v[%x]: k[f32][s0]) -> k[f32][] {");
  CHECK(marked("  %amax = amax %x, dim=[1], keepdim=True, mode='fast'", Language::kGraph) ==
        "  v[%amax] = k[amax] v[%x], dim=[n[1]], keepdim=k[True], mode=s['fast']");
  CHECK(marked("  return %amax", Language::kGraph) == "  k[return] v[%amax]");
}

TEST_CASE("colours of register code", "[repl]") {
  CHECK(marked("   7  r2 = call r0(r2, dim=1)", Language::kProgram) ==
        "   f[7]  v[r2] = k[call] v[r0](v[r2], dim=n[1])");
  CHECK(marked("   8  jump_if_false r1 to 12", Language::kProgram) ==
        "   f[8]  k[jump_if_false] v[r1] k[to] n[12]");
}

TEST_CASE("a text in no language has no colours", "[repl]") {
  CHECK(marked("const float 1 // \"x\" %y", Language::kNone) == "const float 1 // \"x\" %y");
}

SourceMap source_of(const std::string& text, SourceId& id) {
  SourceMap sources;
  id = sources.add("<repl 1>", text);
  return sources;
}

const std::string kCudaLine = "const float c = a * b;" + std::string(50, ' ') + "//   3  %mul  1:4";

TEST_CASE("what stands beside code is faint, and without colours the text is the same", "[repl]") {
  SourceId source = SourceId::kNone;
  const SourceMap sources = source_of("y = a * b\n", source);
  const std::vector<StageLine> lines = {{kCudaLine, {{source, 1, 4, 1, 9}}}, {"}", {}}};
  const std::string plain = render::text_of(lines, &sources);
  CHECK(plain == kCudaLine + "   a * b\n}\n");
  const std::string text =
      render::text_of(lines, &sources, {.has_colours = true, .language = Language::kCuda});
  CHECK(text == "\x1b[1;34mconst\x1b[0m \x1b[1;34mfloat\x1b[0m c = a * b;" + std::string(50, ' ') +
                    "\x1b[2m//   3  %mul  1:4   a * b\x1b[0m\n}\n");
}

TEST_CASE("a script's escape sequences stay visible in colours", "[repl]") {
  SourceId source = SourceId::kNone;
  const SourceMap sources = source_of("y = '\x1b[31m'\n", source);
  const std::string text =
      render::text_of({{"  %s = f '\x1b[31m'", {{source, 1, 4, 1, 11}}}}, &sources,
                      {.has_colours = true, .language = Language::kGraph});
  CHECK(text.find("\x1b[31m") == std::string::npos);
  CHECK(text.find("\x1b[32m'\\x1b[31m'\x1b[0m") != std::string::npos);
}

TEST_CASE("a page has the same pieces as classes, and what is beside code in columns", "[repl]") {
  SourceId source = SourceId::kNone;
  const SourceMap sources = source_of("y = a * b\n", source);
  const std::string counts = "       4          32                                               ";
  const std::vector<StageLine> lines = {{counts + kCudaLine, {{source, 1, 4, 1, 9}}}};
  const std::string html = render::html_of(lines, sources, Language::kCuda);
  CHECK(html.find("<span class=\"code-keyword\">float</span> c = a * b;</td>") !=
        std::string::npos);
  CHECK(html.find(">   3  %mul  1:4</span></td>") != std::string::npos);
  CHECK(html.find("<span class=\"code-faint\">a * b</span></td>") != std::string::npos);
  CHECK(html.find("colspan") == std::string::npos);
  CHECK(html.find(".code-keyword { color: light-dark(") != std::string::npos);
}

}  // namespace
}  // namespace glint
