// What kernels print and assert, from PTX as NVRTC makes it of `printf` and `assert`.
#include <fmt/format.h>

#include "run_kernel.h"

namespace glint::simulator {
namespace {

std::string bytes_of(std::string_view text) {
  std::string list;
  for (const char c : text) list += fmt::format("{}, ", static_cast<int>(c));
  return list + "0";
}

/// A kernel that prints a format with the thread's number, as an int and as a double's bits.
std::string printing(std::string_view format, const std::string& guard = "") {
  return fmt::format(
      R"(.version 8.0
.target sm_80
.address_size 64
.extern .func (.param .b32 result) vprintf(.param .b64 format, .param .b64 values);
.global .align 1 .b8 text[] = {{{}}};
.visible .entry f() {{
  .local .align 8 .b8 values[16];
  .reg .b64 %rd<3>;
  .reg .b32 %r<2>;
  .reg .f64 %fd;
  .reg .pred %p;
  mov.u32 %r0, %tid.x;
  setp.ne.u32 %p, %r0, 1;
  cvt.rn.f64.u32 %fd, %r0;
  st.local.u32 [values], %r0;
  st.local.f64 [values+8], %fd;
  mov.u64 %rd0, text;
  cvta.global.u64 %rd0, %rd0;
  mov.u64 %rd1, values;
  cvta.local.u64 %rd1, %rd1;
  {{
    .param .b64 param0;
    .param .b64 param1;
    .param .b32 result;
    st.param.b64 [param0], %rd0;
    st.param.b64 [param1], %rd1;
    {} call.uni (result), vprintf, (param0, param1);
  }}
  ret;
}}
)",
      bytes_of(format), guard);
}

TEST_CASE("printf: threads in order, block by block", "[printf]") {
  Device device(printing("%d is %.1f\n"));
  const LaunchResult result = device.run("f", {.grid = {2}, .block = {2}});
  CHECK(result.printed == "0 is 0.0\n1 is 1.0\n0 is 0.0\n1 is 1.0\n");
  Device some(printing("%03d%%;", "@%p"));
  CHECK(some.run("f", {.grid = {1}, .block = {3}}).printed == "000%;002%;");
}

TEST_CASE("printf: of much text the end is kept", "[printf]") {
  Device device(printing("%d" + std::string(1023, 'x')));
  const LaunchResult result = device.run("f", {.grid = {4096}, .block = {1}});
  CHECK(result.printed.size() >= size_t{1} << 20);
  CHECK(result.printed.size() <= size_t{2} << 20);
}

TEST_CASE("printf: a value that is nowhere is told", "[printf]") {
  Device device(printing("%s"));
  const LaunchResult result = device.run("f", {.grid = {1}, .block = {1}});
  REQUIRE(result.fault);
  CHECK(result.fault->message ==
        "out of bounds: printf reads a text or a value that is in no memory");
}

TEST_CASE("assert: ends the launch with its text, behind what was printed", "[printf]") {
  Device device(fmt::format(
      R"(.version 8.0
.target sm_80
.address_size 64
.extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param .b64 s);
.global .align 1 .b8 text[] = {{{}}};
.global .align 1 .b8 name[] = {{{}}};
.visible .entry f() {{
  .reg .b64 %rd<3>;
  .param .b64 p0;
  .param .b64 p1;
  .param .b64 p3;
  .param .b64 p4;
  .param .b32 p2;
  mov.u64 %rd0, text;
  mov.u64 %rd1, name;
  st.param.b64 [p0], %rd0;
  st.param.b64 [p1], %rd0;
  st.param.b32 [p2], 7;
  st.param.b64 [p3], %rd1;
  st.param.b64 [p4], 1;
  call.uni __assertfail, (p0, p1, p2, p3, p4);
  ret;
}}
)",
      bytes_of("i < n"), bytes_of("void f()")));
  const LaunchResult result = device.run("f", {.grid = {2}, .block = {2}});
  REQUIRE(result.fault);
  CHECK(result.fault->kind == FaultKind::kAssert);
  CHECK(result.fault->message == "void f(): Assertion `i < n` failed.");
}

}  // namespace
}  // namespace glint::simulator
