// How fast this machine is, measured: what a roofline is drawn from.
//
//     machine_rates().peak           2.4e11   scalar operations a second of the tuned matrix
//     product machine_rates().bandwidths     {65536, 1.9e11} ... {134217728, 1.1e10}: bytes that a
//     loop goes
//                                    over again and again, and how many it moves a second
//
// By the threads that loops may use now, the best of several runs, of a copy and of a loop that
// only reads: noise only ever adds. It takes some tenths of a second, once for each number of
// threads; the process keeps it. `measure_again` keeps the better of both, for what was measured
// beside other work.
#pragma once

#include <cstdint>
#include <vector>

namespace glint {

struct Bandwidth {
  int64_t bytes = 0;  ///< read and written by a run over all of them
  double rate = 0.0;  ///< bytes a second; no less than that of a larger one
};

struct MachineRates {
  std::vector<Bandwidth> bandwidths;  ///< smallest first; the last is that of memory
  double peak = 0.0;
  int threads = 1;
};

const MachineRates& machine_rates();
const MachineRates& measure_again();

}  // namespace glint
