// What launches count: golden reports of the recorded kernels, and the parts that they are made of.
//
// GLINT_RECORD=1 writes what comes out into tests/golden/simulator and docs/ptx.md.
#include <cstdlib>

#include "backends/cuda/simulator/instruction_table.h"
#include "backends/cuda/simulator/report.h"
#include "backends/cuda/simulator/traffic.h"
#include "run_kernel.h"

namespace glint::simulator {
namespace {

void check_golden(const std::string& path, const std::string& text) {
  const std::string file = std::string(GLINT_SOURCE_DIR) + "/" + path;
  if (std::getenv("GLINT_RECORD")) std::ofstream(file) << text;
  std::ifstream stream(file);
  std::stringstream recorded;
  recorded << stream.rdbuf();
  INFO("GLINT_RECORD=1 " << GLINT_BINARY_DIR << "/test_simulator '[report]' writes " << path);
  CHECK(text == recorded.str());
}

TEST_CASE("report: of each kernel beside its source lines", "[report]") {
  std::vector<float> x(16 * 500, 0.5f), weight(500, 1.0f), bias(500, 0.0f), out(x.size());
  const int columns = 500, size = 64;
  const float epsilon = 1e-5f;
  Device rows = Device::recorded("rows");
  LaunchReport report = rows.check("layer_norm_rows", {.grid = {16}, .block = {128}}, x, weight,
                                   bias, out, epsilon, columns);
  check_golden("tests/golden/simulator/layer_norm_rows.txt", report_text(rows.program(), report));
  Device movement = Device::recorded("movement");
  report =
      movement.check("transpose_conflicting", {.grid = {2, 2}, .block = {32, 32}}, x, out, size);
  check_golden("tests/golden/simulator/transpose_conflicting.txt",
               report_text(movement.program(), report));
}

TEST_CASE("report: the counts of lines add up to those of the launch", "[report]") {
  Device device = Device::recorded("control");
  std::vector<int> x(300, 27), out(300);
  const int count = 300;
  const LaunchReport report = device.check("collatz", {.grid = {3}, .block = {128}}, x, out, count);
  Counts source, text;
  for (const SourceCounts& line : counts_by_source(device.program(), report)) source += line.counts;
  for (const TextCounts& line : counts_by_text_line(device.program(), report)) text += line.counts;
  CHECK(source.lanes == report.total.lanes);
  CHECK(text.executed == report.total.executed);
  CHECK(report.total.lanes > 300 * 111 * 5);  // 27 takes 111 steps
}

TEST_CASE("report: sectors and turns of an access", "[report]") {
  uint64_t addresses[kLanes];
  const auto fill = [&](uint64_t stride) {
    for (uint64_t i = 0; i < kLanes; ++i) addresses[i] = 4096 + i * stride;
  };
  struct Row {
    uint64_t stride;
    uint32_t size, sectors, bytes, passes, least;
  };
  for (const Row row :
       {Row{4, 4, 4, 128, 1, 1}, Row{0, 4, 1, 4, 1, 1}, Row{8, 4, 8, 128, 2, 1},
        Row{128, 4, 32, 128, 32, 1}, Row{132, 4, 32, 128, 1, 1}, Row{8, 8, 8, 256, 2, 2},
        Row{16, 16, 16, 512, 4, 4}, Row{2, 2, 2, 64, 1, 1}}) {
    fill(row.stride);
    INFO("stride " << row.stride << ", size " << row.size);
    const GlobalTraffic global = global_traffic(addresses, kAllLanes, row.size);
    CHECK(global.sectors == row.sectors);
    CHECK(global.bytes == row.bytes);
    const SharedTraffic shared = shared_traffic(addresses, kAllLanes, row.size, false);
    CHECK(shared.passes == row.passes);
    CHECK(shared.least == row.least);
  }
  fill(128);
  CHECK(shared_traffic(addresses, 0xff, 4, false).passes == 8);
  CHECK(global_traffic(addresses, 0xff, 4).sectors == 8);
}

TEST_CASE("report: lanes that update one word of shared memory take turns", "[report]") {
  uint64_t addresses[kLanes];
  const auto passes = [&](uint32_t words, uint32_t size, bool alone) {
    for (uint32_t i = 0; i < kLanes; ++i) addresses[i] = i % words * size;
    return shared_traffic(addresses, kAllLanes, size, alone).passes;
  };
  CHECK(passes(1, 4, true) == 32);
  CHECK(passes(4, 4, true) == 8);
  CHECK(passes(32, 4, true) == 1);
  CHECK(passes(1, 8, true) == 32);
  CHECK(passes(1, 4, false) == 1);
  Device device(
      ".version 8.0 .target sm_80 .address_size 64\n.visible .entry one() {\n"
      ".shared .align 4 .b32 s[32]; .reg .b32 %r<4>;\n"
      "mov.u32 %r1, %tid.x; mad.lo.u32 %r2, %r1, 4, s; st.shared.u32 [%r2], 0; bar.sync 0;\n"
      "atom.shared.add.u32 %r3, [s], 1; bar.sync 0; ld.shared.u32 %r3, [s]; ret; }\n");
  const LaunchReport report = device.check("one", {.grid = {1}, .block = {32}});
  CHECK(report.total.bank_conflicts() == 31);
}

TEST_CASE("report: occupancy by what runs out first", "[report]") {
  const Architecture& ampere = find_architecture("sm_80");
  const auto check = [&](BlockNeeds needs, uint32_t blocks, std::string_view limit) {
    const Occupancy found = occupancy(ampere, needs);
    CHECK(found.blocks == blocks);
    CHECK(found.limit == limit);
  };
  check({256, 32, 0}, 8, "warps");
  check({256, 64, 0}, 4, "registers");
  check({256, 40, 0}, 6, "registers");
  check({32, 16, 0}, 32, "blocks");
  check({128, 32, 48 * 1024}, 3, "shared memory");
  CHECK(find_architecture("sm_90a").name == "sm_90");
  CHECK(find_architecture("sm_103").name == "sm_100");
}

TEST_CASE("report: registers that live at once", "[report]") {
  Device device(
      ".version 8.0 .target sm_80 .address_size 64\n"
      ".visible .entry k(.param .u64 x) { .reg .f64 %fd<4>; .reg .b64 %rd<2>; .reg .f32 %f<3>;\n"
      "ld.param.u64 %rd1, [x]; ld.global.f64 %fd1, [%rd1]; ld.global.f64 %fd2, [%rd1+8];\n"
      "add.f64 %fd3, %fd1, %fd2; st.global.f64 [%rd1], %fd3; ret; }\n");
  std::vector<double> x(32, 2.0);
  device.check("k", {}, x);
  CHECK(device.program().live_registers == 6);  // the address and both terms
  CHECK(x[0] == 4.0);
}

TEST_CASE("report: the manual lists the table", "[report]") {
  check_golden("docs/ptx.md", instruction_manual());
}

}  // namespace
}  // namespace glint::simulator
