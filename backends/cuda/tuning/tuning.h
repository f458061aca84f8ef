// What `mode="max-autotune"` found out: the ways in which a kernel was run, and what each cost.
//
//     Tuning found{.what = "softmax", .rows = {{"128 0 usual", 0.012}, {"256 0 usual", 0.011}}};
//     keep_tuning(key, found);            // in memory and in the cache folder
//     find_tuning(key)->rows[1].way       // also in a later process: nothing is run again
//
// A key is a kernel's text, the device and the sizes, each to the next power of two: what was found
// for 1000 rows holds for 1024. A way is a launch's shape (launch_shape.h) or a product's tile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backends/cuda/codegen/compiled_kernel.h"
#include "backends/cuda/codegen/launch_shape.h"

namespace glint::cuda {

/// The way of a product that NVIDIA's library computes.
inline constexpr std::string_view kLibraryWay = "cuBLASLt";

struct TuningRow {
  std::string way;
  double cost = 0.0;  ///< of a launch: milliseconds, or cycles where it is an estimate
};

struct Tuning {
  std::string what;                  ///< the kernel's name, or the product
  std::string sizes = {};            ///< `s0 to 1024`
  bool is_estimate = false;          ///< by the simulated device's counts
  std::vector<TuningRow> rows = {};  ///< the usual way first

  /// The cheapest; the usual one where none is cheaper.
  size_t best() const;
};

/// What a tuned schedule knows of its kernels, once it has run; kept for those who look at it.
struct ScheduleTuning {
  std::string device;
  std::vector<LaunchShape> shapes = {};  ///< by kernel: those of the last run; empty before
  std::vector<Tuning> kernels = {};      ///< by kernel
  std::vector<Tuning> products = {};
};

std::optional<Tuning> find_tuning(const std::string& key);
void keep_tuning(const std::string& key, const Tuning& tuning);

/// How many ways have been timed, or estimated, since the start.
uint64_t timing_count();
void count_timing();

/// The device whose costs these are, as keys have it.
std::string tuned_device();
/// A size as keys have it: the next power of two.
int64_t rounded_size(int64_t size);

}  // namespace glint::cuda
