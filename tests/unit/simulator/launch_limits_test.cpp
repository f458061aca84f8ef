// What no GPU launches is refused before a thread runs, by the limit that it passes.
#include <fmt/format.h>

#include "backends/cuda/simulator/launch_limits.h"
#include "run_kernel.h"

namespace glint::simulator {
namespace {

/// An entry without parameters, of those directives and that body.
Result<Program> linked(const std::string& directives, const std::string& body = "") {
  static Memory memory;
  const auto module = LoadedModule::load(
      fmt::format(".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry f()\n{}\n"
                  "{{ {} ret; }}\n",
                  directives, body),
      memory);
  if (!module) FAIL(module.error().message);
  return module->program("f");
}

std::string refusal(const std::string& directives, Launch launch) {
  const auto program = linked(directives);
  if (!program) FAIL(program.error().message);
  const auto checked = check_launch(*program, launch);
  return checked ? "" : checked.error().message;
}

TEST_CASE("limits: launch bounds are of all axes together", "[limits]") {
  const char* const bounds = ".maxntid 64, 2, 1 .minnctapersm 2";
  CHECK(refusal(bounds, {.block = {128}}) == "");
  CHECK(refusal(bounds, {.block = {4, 4, 8}}) == "");
  CHECK(refusal(bounds, {.block = {129}}) ==
        "a block of `f` has 129 threads, of which its __launch_bounds__ allow 128");
  CHECK(refusal(".reqntid 64, 2", {.block = {64, 2}}) == "");
  CHECK(refusal(".reqntid 64, 2", {.block = {128}}) ==
        "`f` cannot be launched with a block of (128, 1, 1): it is made for one of (64, 2, 1)");
}

TEST_CASE("limits: sizes of grid and block", "[limits]") {
  CHECK(refusal("", {.grid = {0}}) ==
        "`f` cannot be launched with a grid of (0, 1, 1): its x goes from 1 to 2147483647");
  CHECK(refusal("", {.grid = {1, 65536}}) ==
        "`f` cannot be launched with a grid of (1, 65536, 1): its y goes from 1 to 65535");
  CHECK(refusal("", {.block = {32, 33}}) ==
        "a block of `f` has 1056 threads, of which there can be 1024");
}

TEST_CASE("limits: shared memory of the text, and with the dynamic part", "[limits]") {
  const auto shared = [](uint32_t bytes) {
    return linked("", fmt::format(".shared .b8 s[{}]; .reg .b64 %rd; mov.u64 %rd, s;", bytes));
  };
  CHECK(shared(48 * 1024)->shared_bytes == 48 * 1024);
  CHECK(shared(49153).error().message ==
        "Entry function 'f' uses too much shared data (0xc001 bytes, 0xc000 max)");
  CHECK(refusal("", {.dynamic_shared = 166912}) == "");
  CHECK(refusal("", {.dynamic_shared = 166913}) ==
        "a block of `f` asks for 166913 bytes of shared memory, of which sm_80 has 166912");
}

TEST_CASE("limits: the registers of a block's threads", "[limits]") {
  const Launch launch{.block = {1024}};
  CHECK(!check_registers(*linked(""), launch, 64));
  CHECK(
      check_registers(*linked(""), launch, 65)->message ==
      "too many resources requested for launch: `f` needs 65 registers a thread, and 1024 threads "
      "of a block have 65536 in all; __launch_bounds__(1024) makes them fit");
  // An assembler that knows how many threads come makes them fit.
  CHECK(!check_registers(*linked(".maxntid 1024"), launch, 65));
  CHECK(!check_registers(*linked(".maxnreg 64"), launch, 65));
  CHECK(!check_registers(*linked(""), {.block = {256}}, 1000));
}

}  // namespace
}  // namespace glint::simulator
