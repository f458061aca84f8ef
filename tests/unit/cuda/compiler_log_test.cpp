// What NVRTC's log says, as it is told: each text here is one that NVRTC 13.0 writes.
#include "backends/cuda/compile/compiler_log.h"

#include <catch2/catch.hpp>

namespace glint::cuda {
namespace {

std::string printed(std::string_view log, std::string_view source = "") {
  std::string text;
  for (const Diagnostic& each : parse_log(log, source)) text += print(each) + "\n";
  return text;
}

TEST_CASE("a log's errors and warnings have their lines, and quote them") {
  const auto found = parse_log(
      "glint.cu(3): warning #177-D: variable \"k\" was declared but never referenced\n"
      "  \tint k = 1;\n"
      "  \t    ^\n"
      "\n"
      "Remark: The warnings can be suppressed with \"-diag-suppress <warning-number>\"\n"
      "\n"
      "glint.cu(12): error: identifier \"y\" is undefined\n"
      "    const float b = y[i];\n"
      "                    ^\n"
      "\n"
      "1 error detected in the compilation of \"glint.cu\".\n"
      "nvrtc: error: failed to open libnvrtc-builtins.so.13.0.\n",
      "");
  REQUIRE(found.size() == 3);
  CHECK(found[0].line == 3);
  CHECK(found[0].severity == Severity::kWarning);
  CHECK(print(found[0]) ==
        "glint.cu:3: warning: variable \"k\" was declared but never referenced\n"
        "    int k = 1;\n"
        "        ^");
  CHECK(found[1].line == 12);
  CHECK(found[1].is_error());
  CHECK(found[1].message == "identifier \"y\" is undefined");
  CHECK(print(found[1]) ==
        "glint.cu:12: error: identifier \"y\" is undefined\n"
        "    const float b = y[i];\n"
        "                    ^");
  CHECK(found[2].line == 0);
  CHECK(print(found[2]) == "failed to open libnvrtc-builtins.so.13.0.");
}

TEST_CASE("an error at the end of the source is one of its last line, with its notes") {
  constexpr std::string_view kSource = "\n__global__ void k(float* x) {\n  x[0] = 1;\n\n";
  constexpr std::string_view kNote =
      "glint.cu(2): note #3196-D: to match this \"{\"\n"
      "  __global__ void k(float* x) {\n"
      "                              ^\n"
      "\n"
      "1 error detected in the compilation of \"glint.cu\".\n";
  constexpr std::string_view kTold =
      "glint.cu:3: error: at end of source: expected a \"}\"\n"
      "    x[0] = 1;\n"
      "glint.cu:2: note: to match this \"{\"\n"
      "    __global__ void k(float* x) {\n"
      "                                ^\n";
  const std::string note(kNote);
  CHECK(printed("At end of source: error: expected a \"}\"\n" + note, kSource) == kTold);
  CHECK(printed("error at end of source: expected a \"}\"\n" + note, kSource) == kTold);
  CHECK(printed("At end of source: error: expected a declaration\n") ==
        "glint.cu:1: error: at end of source: expected a declaration\n");
}

TEST_CASE("the functions that an overload could be are told") {
  CHECK(printed("glint.cu(4): error: more than one instance of \"f\" matches the argument list:\n"
                "            function \"f(int)\" (declared at line 1)\n"
                "            argument types are: (double)\n"
                "   f(1.0);\n"
                "   ^\n") ==
        "glint.cu:4: error: more than one instance of \"f\" matches the argument list:\n"
        "    function \"f(int)\" (declared at line 1)\n"
        "    argument types are: (double)\n"
        "    f(1.0);\n"
        "    ^\n");
}

TEST_CASE("what the code generator warns of is a warning of its line") {
  const auto found = parse_log(
      "warning: glint.cu(3): Warning: Cannot store to pointer that points to constant memory\n",
      "");
  REQUIRE(found.size() == 1);
  CHECK(found[0].severity == Severity::kWarning);
  CHECK(print(found[0]) ==
        "glint.cu:3: warning: Cannot store to pointer that points to constant memory");
}

TEST_CASE("what the assembler refuses is an error of no line") {
  CHECK(printed("ptxas error   : Entry function 'f' uses too much shared data (0xc004 bytes, "
                "0xc000 max)\n") ==
        "Entry function 'f' uses too much shared data (0xc004 bytes, 0xc000 max)\n");
}

TEST_CASE("a log's errors have the header that they are in, and who asked for a template") {
  const auto found = parse_log(R"(/include/groups.h(861): error: static assertion failed
      static_assert(valid<Size>::value, "Size must be one of 1/2/4/8/16/32");
      ^
          detected during:
            instantiation of class "tile_base<Size> [with Size=7U]" at line 997
            instantiation of "auto tile(f(int)) [with Size=7U]" at line 20 of /include/tiles.h
            instantiation of class "tile<Size> [with Size=7U]" at line 3 of glint.cu

glint.cu(2): error: identifier "missing" is undefined
    T get() { return missing; }  // at line 5
                     ^
          detected during instantiation of "T go(A<T>) [with T=int]" at line 8

/include/other.h(46): catastrophic error: cannot open source file "cstdint"
  #include <cstdint>
                    ^
)",
                               "");
  REQUIRE(found.size() == 3);
  CHECK(print(found[0]) ==
        "/include/groups.h:861: error: static assertion failed\n"
        "    static_assert(valid<Size>::value, \"Size must be one of 1/2/4/8/16/32\");\n"
        "    ^\n"
        "  detected during instantiation at glint.cu:3");
  CHECK(print(found[1]) ==
        "glint.cu:2: error: identifier \"missing\" is undefined\n"
        "    T get() { return missing; }  // at line 5\n"
        "                     ^\n"
        "  detected during instantiation at glint.cu:8");
  CHECK(print(found[2]) ==
        "/include/other.h:46: error: cannot open source file \"cstdint\"\n"
        "    #include <cstdint>\n"
        "                      ^");
}

}  // namespace
}  // namespace glint::cuda
