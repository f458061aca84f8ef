#include "backends/cuda/simulator/estimate.h"

#include <algorithm>
#include <cmath>

namespace glint::simulator {
namespace {

constexpr double kInstructionsACycle = 4;
constexpr double kSectorsACycle = 2;
constexpr double kAllSectorsACycle = 34;
constexpr double kWaitOfInstruction = 4;
constexpr double kWaitOfAccess = 100;
constexpr double kWarp = 32;

double rounds(double work, double at_once) {
  return std::ceil(work / std::max(at_once, 1.0));
}

}  // namespace

double estimated_cycles(const Launch& launch, const LaunchReport& report) {
  const auto blocks = static_cast<double>(block_count(launch));
  const double threads = 1.0 * launch.block.x * launch.block.y * launch.block.z;
  const double warps = blocks * std::ceil(threads / kWarp);
  if (warps == 0) return 0;
  const Counts& all = report.total;
  const double most = rounds(blocks, kMultiprocessors);
  const double part = most / blocks;  // of the work: the busiest multiprocessor's
  const double issue = part * static_cast<double>(all.executed) / kInstructionsACycle;
  const double shared = part * static_cast<double>(all.shared_passes);
  const auto sectors = static_cast<double>(all.sectors);
  const double memory = std::max(part * sectors / kSectorsACycle, sectors / kAllSectorsACycle);
  const double a_warp = (kWaitOfInstruction * static_cast<double>(all.executed) +
                         kWaitOfAccess * static_cast<double>(all.requests)) /
                        warps;
  const double waiting = rounds(most, report.occupancy.blocks) * a_warp;
  return std::max({issue, shared, memory, waiting});
}

}  // namespace glint::simulator
