// Kernels written by hand, with a fault planted at line 7 of their source.
//
//     planted(FaultKind::kRace, ".loc 1 7 3\nst.shared.u32 [s+8], %r0;")
#pragma once

#include "run_kernel.h"

namespace glint::simulator {

/// A module with one entry `k` of one pointer, in %rd0; %r0 is the thread, and %r3 is used at the
/// end; `.loc` lines are in `body`.
inline std::string with_body(const std::string& body) {
  return ".version 8.0\n.target sm_80\n.address_size 64\n.file 1 \"planted.cu\"\n"
         ".const .align 4 .b32 table[2] = {3, 4};\n"
         ".visible .entry k(.param .u64 x) {\n"
         ".reg .b64 %rd<8>; .reg .b16 %h<4>; .reg .b32 %r<8>; .reg .f32 %f<8>; .reg .pred %p<8>;\n"
         ".shared .align 4 .b8 s[256];\n"
         "ld.param.u64 %rd0, [x]; mov.u32 %r0, %tid.x;\n"
         "mad.wide.u32 %rd1, %r0, 4, %rd0; mul.lo.u32 %r1, %r0, 4; mov.u32 %r2, s; "
         "add.u32 %r2, %r2, %r1;\n" +
         body + "\nsetp.eq.u32 %p7, %r3, 4242; @%p7 trap;\nret;\n}\n";
}

inline LaunchResult run_planted(const std::string& body, Launch launch = {.block = {64}},
                                LaunchOptions options = {}) {
  Device device(with_body(body));
  device.options = options;
  std::vector<float> x(64);
  return device.run("k", std::move(launch), x);
}

/// The fault that `body` has, at line 7 of the source.
inline Fault planted(FaultKind kind, const std::string& body, Launch launch = {.block = {64}}) {
  const LaunchResult result = run_planted(body, std::move(launch));
  REQUIRE(result.fault);
  INFO(result.fault->text());
  CHECK(result.fault->kind == kind);
  CHECK(result.fault->at.file == "planted.cu");
  CHECK(result.fault->at.line == 7);
  return *result.fault;
}

}  // namespace glint::simulator
