#include "backends/cuda/codegen/launch_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <sstream>

#include "backends/cuda/codegen/bind_axes.h"
#include "backends/cuda/codegen/kernel_writer.h"
#include "backends/cuda/codegen/loop_nest.h"

namespace glint::cuda {
namespace {

using Row = LaunchShape::Row;

constexpr std::array<std::string_view, 4> kRowNames = {"usual", "thread", "warp", "block"};
constexpr uint32_t kBlockSizes[] = {64, 128, 256, 512, 1024};
/// Of teams and elements that are not the usual ones not every block size is tried.
constexpr uint32_t kFewBlockSizes[] = {128, 256, 512};
/// Rows that are worth a thread, a warp or a block at all, where their length is known.
constexpr int64_t kLongestOfThread = 64;
constexpr int64_t kLongestOfWarp = 8192;
constexpr int64_t kShortestOfBlock = 128;

/// The text of a kernel so cut: two shapes that make the same are one.
std::string text_of(const Kernel& kernel, const LaunchShape& shape) {
  Definitions definitions;
  const Kernel bound = bind_axes(kernel, shape);
  const WrittenKernel written =
      KernelWriter(bound, "kernel", definitions, {.checks_bounds = false, .shape = shape}).write();
  std::string text = written.grid.text();
  for (const TextLine& line : written.lines) text += "\n" + line.text;
  return text;
}

/// The longest of the loops that the members of a team would share; 0 where it is not known,
/// nothing where nobody can share anything.
std::optional<int64_t> longest_row(const Kernel& kernel) {
  std::optional<int64_t> longest;
  if (!are_independent(kernel)) return longest;
  for (const Nest& outer : inner_nests(kernel, 0, kernel.statements.size())) {
    const std::vector<Nest> inner = inner_nests(kernel, outer.first, outer.last);
    if (inner.empty() || !is_shareable(kernel, outer.first, outer.last)) continue;
    for (const Nest& nest : inner)
      longest = std::max(longest.value_or(0), extent_of(kernel, nest).maybe_constant().value_or(0));
  }
  return longest;
}

bool is_worth(Row row, int64_t longest) {
  if (longest == 0) return row != Row::kThread;
  if (row == Row::kThread) return longest <= kLongestOfThread;
  return row == Row::kWarp ? longest <= kLongestOfWarp : longest >= kShortestOfBlock;
}

/// Numbers of elements that are not the usual one, for kernels that have none of rows.
std::vector<uint32_t> other_elements(const Kernel& bound) {
  const auto nests = inner_nests(bound, 0, bound.statements.size());
  const Loop& outer = *bound.statements[nests[0].loops[0]].get_if<Loop>();
  const Loop& inner = *bound.statements[nests[0].loops.back()].get_if<Loop>();
  if (inner.binding == Binding::kVector) {
    const auto lanes = static_cast<uint32_t>(vector_lanes(bound, nests[0].loops[0]));
    return lanes > 2 ? std::vector<uint32_t>{lanes / 2, 1} : std::vector<uint32_t>{1};
  }
  const bool by_all_blocks = outer.binding == Binding::kBlock && outer.kind == LoopKind::kReduce;
  return by_all_blocks ? std::vector<uint32_t>{1, 16} : std::vector<uint32_t>();
}

}  // namespace

std::string print(const LaunchShape& shape) {
  std::string text = fmt::format("{} {} {}", shape.threads, shape.elements,
                                 kRowNames[static_cast<size_t>(shape.row)]);
  if (shape.longest_row != 0) text += fmt::format(" rows to {}", shape.longest_row);
  return text;
}

std::optional<LaunchShape> parse_shape(std::string_view text) {
  LaunchShape shape;
  std::istringstream words{std::string(text)};
  std::string name;
  if (!(words >> shape.threads >> shape.elements >> name)) return std::nullopt;
  const auto row = std::ranges::find(kRowNames, name);
  if (row == kRowNames.end()) return std::nullopt;
  shape.row = static_cast<Row>(row - kRowNames.begin());
  std::string to;
  if (words >> name >> to && !(words >> shape.longest_row)) return std::nullopt;
  return shape;
}

std::string cut_name(const Kernel& kernel, const LaunchShape& shape) {
  if (shape.longest_row == 0) return kernel.name;
  return fmt::format("{}_rows_to_{}", kernel.name, shape.longest_row);
}

std::vector<LaunchShape> candidate_shapes(const Kernel& kernel) {
  const Kernel bound = bind_axes(kernel);
  const auto nests = inner_nests(bound, 0, bound.statements.size());
  std::vector<LaunchShape> wanted = {{}};
  if (nests.empty() ||
      bound.statements[nests[0].loops[0]].get_if<Loop>()->binding == Binding::kUnbound)
    return wanted;
  for (const uint32_t threads : kBlockSizes) wanted.push_back({.threads = threads});
  for (const uint32_t elements : other_elements(bound))
    for (const uint32_t threads : kFewBlockSizes)
      wanted.push_back({.threads = threads, .elements = elements});
  if (const auto longest = longest_row(kernel))
    for (const Row row : {Row::kThread, Row::kWarp, Row::kBlock})
      for (const uint32_t threads : kFewBlockSizes)
        if (is_worth(row, *longest)) wanted.push_back({.threads = threads, .row = row});
  std::vector<LaunchShape> different;
  std::set<std::string> texts;
  for (const LaunchShape& shape : wanted)
    if (texts.insert(text_of(kernel, shape)).second) different.push_back(shape);
  return different;
}

}  // namespace glint::cuda
