// The kernels of the operator table: every entry's samples are captured as a graph of one call,
// sent through all passes, and every kernel that comes out is written as CUDA C++. Every fortieth
// is compiled by NVRTC, many in one program, and run on the simulated device; with GLINT_RECORD=1
// all are, which takes minutes.
#include <cstdlib>
#include <iostream>
#include <set>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "kernel_texts.h"
#include "simulated_kernel.h"

#include "backends/cuda/codegen/wrap_line.h"
#include "backends/cuda/compile/compile_cuda.h"
#include "backends/cuda/compile/nvrtc.h"
#include "backends/cuda/listing/text_lines.h"
#include "backends/statement_margin.h"
#include "core/support/check.h"
#include "ops/call.h"
#include "ops/infer.h"
#include "ops/sample_kinds.h"
#include "passes/graph_builder.h"
#include "passes/pipeline.h"

namespace glint {
namespace {

bool is_tested(const ops::OpEntry& entry) {
  return entry.samples && entry.functional_form == nullptr && !entry.effects.random &&
         !entry.effects.mutates && !entry.effects.synchronises && !entry.effects.data_dependent;
}

/// The schedule of one call; its kernels alone are looked at.
Schedule schedule_of(const ops::OpEntry& entry, const ops::Sample& sample) {
  Graph graph;
  graph.name = entry.name;
  std::vector<Argument> bound;
  for (const ops::Argument& argument : sample.arguments) {
    bound.push_back(ops::map_argument<Value>(argument, [&](const Tensor& tensor) {
      return graph.add_parameter("x", ops::type_of(tensor));
    }));
  }
  passes::GraphBuilder builder(graph, {});
  const NodeId node = builder.append(entry, std::move(bound));
  for (uint32_t i = 0; i < graph[node].outputs.size(); ++i) graph.outputs.push_back({node, i});
  passes::PassLog log;
  return passes::run_pipeline(std::move(graph), {.keep_values = false}, log);
}

/// Kernels of different text, of all operators.
std::vector<Kernel> operator_kernels() {
  std::vector<Kernel> kernels;
  std::set<std::string> seen;
  for (const ops::OpEntry& entry : ops::op_table()) {
    if (!is_tested(entry)) continue;
    for (const ops::Sample& sample : tests::affordable(ops::every_sample(entry))) {
      if (sample.error) continue;
      try {
        for (Kernel& kernel : schedule_of(entry, sample).kernels)
          if (seen.insert(print(kernel)).second) kernels.push_back(std::move(kernel));
      } catch (const ops::OpError&) {
        continue;  // a sample that only eager execution takes
      }
    }
  }
  return kernels;
}

TEST_CASE("the operator table's kernels compile") {
  const std::vector<Kernel> kernels = operator_kernels();
  REQUIRE(kernels.size() > 300);
  constexpr size_t kTogether = 64;
  const size_t step = std::getenv("GLINT_RECORD") != nullptr ? 1 : 40;
  // Without NVRTC they are written, which may fail too.
  const bool compiles = cuda::load_nvrtc().ok();
  if (!compiles) std::cerr << "SKIPPED, without NVRTC: compiling what is written\n";
  SimulatedDevice device;
  size_t bytes = 0;
  for (const Kernel& kernel : kernels) {
    const std::string source = cuda::write_program({&kernel}, {}).source;
    bytes += source.size();
    for (const std::string_view line : cuda::lines_of(source)) {
      // A node may have a long name.
      if (without_margin(line, "//").size() <= cuda::kWidestLine) continue;
      INFO(line);
      FAIL_CHECK("a line is too long");
    }
  }
  std::vector<const Kernel*> some;
  std::vector<Kernel> chosen;
  for (size_t i = 0; i < kernels.size(); i += step) chosen.push_back(kernels[i]);
  chosen = tests::affordable(std::move(chosen));
  for (size_t i = 0; compiles && i < chosen.size(); ++i) {
    some.push_back(&chosen[i]);
    if (some.size() < kTogether && i + 1 < chosen.size()) continue;
    const auto compiled = cuda::compile_cuda(some, {});
    if (!compiled) FAIL(compiled.error().message);
    for (size_t k = 0; k < some.size(); ++k)
      compare_simulated(device, *some[k], (*compiled)[k], {.tolerance = 1e-3, .low = 0.0});
    some.clear();
  }
  CHECK(bytes > 100000);
}

}  // namespace
}  // namespace glint
