#include "backends/cuda/kernels/ordered_walk.h"

#include <algorithm>

#include <fmt/format.h>

namespace glint::cuda {

void OrderedWalk::add(int64_t size, std::vector<int64_t> steps, int64_t within) {
  if (size == 1 && within == 1) return;
  if (!dimensions_.empty() && within == size) {
    Dimension& outer = dimensions_.back();
    bool is_even = outer.within == outer.size;
    for (size_t k = 0; k < steps.size(); ++k)
      is_even = is_even && outer.steps[k] == steps[k] * size;
    if (is_even) {
      outer = {outer.size * size, std::move(steps), outer.within * size};
      return;
    }
  }
  dimensions_.push_back({size, std::move(steps), within});
}

int64_t OrderedWalk::count() const {
  int64_t count = 1;
  for (const Dimension& each : dimensions_) count *= each.size;
  return count;
}

bool OrderedWalk::is_in_order(size_t operand) const {
  return dimensions_.empty() || dimensions_.back().steps[operand] == 1;
}

bool OrderedWalk::has_outside() const {
  return std::ranges::any_of(dimensions_,
                             [](const Dimension& each) { return each.within < each.size; });
}

std::string OrderedWalk::parameters() const {
  std::string text;
  for (size_t dim = 0; dim < dimensions_.size(); ++dim) {
    text += fmt::format(", int64 {}_size{}", name_, dim);
    for (const std::string& operand : operands_)
      text += fmt::format(", int64 {}_step{}", operand, dim);
    if (dimensions_[dim].within < dimensions_[dim].size)
      text += fmt::format(", int64 {}_within{}", name_, dim);
  }
  return text;
}

void OrderedWalk::add_arguments(std::vector<GpuArgument>& arguments) const {
  for (const Dimension& each : dimensions_) {
    arguments.push_back(gpu_argument(each.size));
    for (const int64_t step : each.steps) arguments.push_back(gpu_argument(step));
    if (each.within < each.size) arguments.push_back(gpu_argument(each.within));
  }
}

std::string OrderedWalk::places(std::string_view number, std::string_view indent) const {
  std::string text = fmt::format("{}int64 {}_rest = {};\n", indent, name_, number);
  std::string is_inside;
  std::vector<std::string> sums(operands_.size());
  for (size_t dim = dimensions_.size(); dim-- > 0;) {
    // Nothing is left behind the outermost dimension.
    const std::string here = fmt::format("{}{}", name_, dim);
    text += dim == 0 ? fmt::format("{}const int64 {} = {}_rest;\n", indent, here, name_)
                     : fmt::format(
                           "{0}const int64 {1} = {2}_rest % {2}_size{3};\n"
                           "{0}{2}_rest /= {2}_size{3};\n",
                           indent, here, name_, dim);
    for (size_t k = 0; k < sums.size(); ++k)
      sums[k] +=
          fmt::format("{}{} * {}_step{}", sums[k].empty() ? "" : " + ", here, operands_[k], dim);
    if (dimensions_[dim].within < dimensions_[dim].size)
      is_inside +=
          fmt::format("{}{} < {}_within{}", is_inside.empty() ? "" : " && ", here, name_, dim);
  }
  for (size_t k = 0; k < sums.size(); ++k)
    text += fmt::format("{}const int64 {} = {};\n", indent, operands_[k],
                        sums[k].empty() ? "0" : sums[k]);
  if (!is_inside.empty())
    text += fmt::format("{}const bool {}_is_inside = {};\n", indent, name_, is_inside);
  return text;
}

}  // namespace glint::cuda
