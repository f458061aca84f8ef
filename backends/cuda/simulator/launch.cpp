// A launch: its sizes and arguments are checked, the arguments laid out as parameters, the blocks
// run, and what they counted summed.
#include "backends/cuda/simulator/launch.h"

#include <fmt/format.h>

#include <algorithm>

#include "backends/cuda/simulator/grid_runner.h"
#include "backends/cuda/simulator/launch_limits.h"

namespace glint::simulator {
namespace {

Result<std::vector<std::byte>> parameter_bytes(const Program& program, const Launch& launch) {
  if (launch.arguments.size() != program.parameters.size()) {
    return Error{fmt::format("`{}` takes {} arguments, not {}", program.name,
                             program.parameters.size(), launch.arguments.size())};
  }
  std::vector<std::byte> bytes(program.parameter_bytes + 1);
  for (size_t i = 0; i < launch.arguments.size(); ++i) {
    const Parameter& parameter = program.parameters[i];
    if (launch.arguments[i].size() != parameter.size) {
      return Error{fmt::format("argument {} of `{}` has {} bytes, not {}", i + 1, program.name,
                               parameter.size, launch.arguments[i].size())};
    }
    std::copy(launch.arguments[i].begin(), launch.arguments[i].end(),
              bytes.begin() + parameter.offset);
  }
  return bytes;
}

/// What each count says of the instruction's kind, and the sum of all.
void finish_report(const Program& program, const Launch& launch, LaunchReport& report) {
  for (size_t i = 0; i < program.code.size(); ++i) {
    const InstructionInfo& info = program.info[i];
    const bool branches = info.flow == Flow::kBranch || info.flow == Flow::kTable;
    if (branches && info.guarded) report.counts[i].branches = report.counts[i].executed;
    report.total += report.counts[i];
  }
  report.occupancy = occupancy_of(program, launch);
}

}  // namespace

Occupancy occupancy_of(const Program& program, const Launch& launch) {
  BlockNeeds needs;
  needs.threads = launch.block.total();
  needs.registers = program.live_registers;
  needs.shared_bytes = program.shared_bytes + launch.dynamic_shared;
  return occupancy(find_architecture(program.target), needs);
}

Result<std::vector<std::byte>> check_launch(const Program& program, const Launch& launch) {
  if (const auto error = check_launch_sizes(program, launch)) return *error;
  return parameter_bytes(program, launch);
}

Result<LaunchResult> run(const Program& program, const Memory& memory, const Launch& launch,
                         const LaunchOptions& options) {
  const Result<std::vector<std::byte>> parameters = check_launch(program, launch);
  if (!parameters) return parameters.error();
  GridRunner grid(program, memory, launch, options, *parameters);
  grid.run();
  LaunchResult result;
  result.report.counts = grid.counts();
  result.fault = grid.fault();
  result.printed = grid.printed();
  finish_report(program, launch, result.report);
  return result;
}

}  // namespace glint::simulator
