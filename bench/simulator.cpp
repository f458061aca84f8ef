// How fast the simulator executes: lane-instructions a second of the recorded kernels, with and
// without the checks of shared memory, on one thread and on all. The targets are 200 million
// without and 60 million with all checks.
//
//     build/release/bench_simulator
//     result softmax_rows checked 512.3 million lane-instructions/s
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "backends/cuda/simulator/launch.h"
#include "core/support/thread_pool.h"

using namespace glint;
using namespace glint::simulator;

namespace {

/// A kernel's file and entry, its launch, and its arguments after the buffers.
struct Case {
  const char* file;
  const char* entry;
  Launch launch;
  std::vector<size_t> buffers;  ///< floats in each
  std::vector<Argument> scalars;
};

template <class T>
[[noreturn]] void stop(const Result<T>& result) {
  fmt::print(stderr, "{}\n", result.error().message);
  std::exit(1);
}

std::string read_file(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The best rate of several launches, in million lane-instructions a second.
double rate(const Case& one, bool checked) {
  Memory memory;
  auto module = LoadedModule::load(
      read_file(fmt::format("{}/tests/ptx/{}.ptx", GLINT_SOURCE_DIR, one.file)), memory);
  if (!module) stop(module);
  auto program = module->program(one.entry);
  if (!program) stop(program);
  std::vector<std::vector<float>> buffers;
  Launch launch = one.launch;
  for (const size_t count : one.buffers) {
    buffers.emplace_back(count, 0.75f);
    launch.arguments.push_back(
        argument(memory.add("buffer", buffers.back().data(), count * sizeof(float))));
  }
  launch.arguments.insert(launch.arguments.end(), one.scalars.begin(), one.scalars.end());
  LaunchOptions options;
  options.check_shared = checked;
  double best = 0;
  for (int round = 0; round < 5; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    const auto result = run(*program, memory, launch, options);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    if (!result) stop(result);
    if (result->fault) fmt::print(stderr, "{}\n", result->fault->text());
    best = std::max(best, double(result->report.total.lanes) / time.count() / 1e6);
  }
  return best;
}

}  // namespace

int main() {
  const std::vector<Case> cases = {
      {"elementwise",
       "scale_and_add",
       {.grid = {256}, .block = {256}},
       {1 << 20, 1 << 20, 1 << 20},
       {argument(1.5f), argument(1ll << 20)}},
      {"elementwise",
       "gelu_chain",
       {.grid = {256}, .block = {256}},
       {1 << 18, 1 << 18, 1 << 18},
       {argument(1.5f), argument(0.5f), argument(1 << 18)}},
      {"rows",
       "softmax_rows",
       {.grid = {512}, .block = {128}},
       {512 * 512, 512 * 512},
       {argument(512)}},
      {"rows",
       "layer_norm_rows",
       {.grid = {512}, .block = {128}},
       {512 * 512, 512, 512, 512 * 512},
       {argument(1e-5f), argument(512)}},
      {"reduction",
       "sum_rows",
       {.grid = {512}, .block = {256}},
       {512 * 2048, 512},
       {argument(2048)}},
      {"movement",
       "transpose",
       {.grid = {16, 16}, .block = {32, 8}},
       {512 * 512, 512 * 512},
       {argument(512), argument(512)}},
      {"mathematics",
       "sin_f32",
       {.grid = {512}, .block = {256}},
       {1 << 17, 1 << 17},
       {argument(1 << 17)}},
  };
  const int all = num_threads();
  for (const int threads : {1, all}) {
    set_num_threads(threads);
    for (const Case& one : cases) {
      fmt::print(
          "result {} {}-threads unchecked {:.0f} checked {:.0f} million lane-instructions/s\n",
          one.entry, threads, rate(one, false), rate(one, true));
    }
    if (threads == all) break;
  }
}
