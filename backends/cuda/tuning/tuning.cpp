#include "backends/cuda/tuning/tuning.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <sstream>

#include "backends/cuda/device/device_memory.h"
#include "backends/kept_text.h"

namespace glint::cuda {
namespace {

/// Changes whenever other ways are tried, or are measured in another manner.
constexpr std::string_view kVersion = "1";

uint64_t timings = 0;

std::string print(const Tuning& tuning) {
  std::string text = fmt::format("{}\n{}\n{}", tuning.what, tuning.sizes, int{tuning.is_estimate});
  for (const TuningRow& row : tuning.rows) text += fmt::format("\n{} {}", row.cost, row.way);
  return text;
}

std::optional<Tuning> parse(const std::string& text) {
  std::istringstream lines(text);
  Tuning tuning;
  std::string line;
  std::getline(lines, tuning.what);
  std::getline(lines, tuning.sizes);
  std::getline(lines, line);
  tuning.is_estimate = line == "1";
  while (std::getline(lines, line)) {
    const size_t space = line.find(' ');
    if (space == std::string::npos) return std::nullopt;
    tuning.rows.push_back({line.substr(space + 1), std::strtod(line.c_str(), nullptr)});
  }
  return tuning.rows.empty() ? std::nullopt : std::optional(std::move(tuning));
}

std::map<std::string, Tuning>& known() {
  static auto& tunings = *new std::map<std::string, Tuning>;
  return tunings;
}

}  // namespace

size_t Tuning::best() const {
  const auto cheapest = std::ranges::min_element(rows, {}, &TuningRow::cost);
  return static_cast<size_t>(cheapest - rows.begin());
}

std::optional<Tuning> find_tuning(const std::string& key) {
  const auto found = known().find(key);
  if (found != known().end()) return found->second;
  const auto text = find_text(KeptKind::kTuned, fmt::format("{}\n{}", kVersion, key));
  auto tuning = text ? parse(*text) : std::nullopt;
  if (tuning) known().emplace(key, *tuning);
  return tuning;
}

void keep_tuning(const std::string& key, const Tuning& tuning) {
  known().insert_or_assign(key, tuning);
  keep_text(KeptKind::kTuned, fmt::format("{}\n{}", kVersion, key), print(tuning));
}

uint64_t timing_count() {
  return timings;
}
void count_timing() {
  ++timings;
}

std::string tuned_device() {
  const GpuProperties& gpu = need_gpu().properties();
  return fmt::format("{}, {}", gpu.name, gpu.architecture());
}

int64_t rounded_size(int64_t size) {
  return size <= 0 ? 0 : static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(size)));
}

}  // namespace glint::cuda
