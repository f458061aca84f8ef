// How fast this machine is, measured: what a roofline is drawn from.
//
//     machine_rates().memory     1.1e10   bytes a second that a copy of 64 MiB reads and writes
//     machine_rates().cache      5.0e10   the same of 256 KiB for each thread, which stay in caches
//     machine_rates().peak       2.4e11   scalar operations a second of the tuned matrix product
//
// By the threads that loops may use now, the best of several runs: noise only ever adds. It takes
// some tenths of a second, once for each number of threads; the process keeps it.
#pragma once

namespace glint {

struct MachineRates {
  double memory = 0.0;
  double cache = 0.0;
  double peak = 0.0;
  int threads = 1;
};

const MachineRates& machine_rates();

}  // namespace glint
