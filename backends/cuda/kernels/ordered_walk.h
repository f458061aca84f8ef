// Places in several tensors from a number that goes through dimensions in row-major order, in a
// kernel that is written by hand.
//
//     OrderedWalk walk("line", {"out_at", "source_at"});
//     walk.add(rows, {out_row, source_row});            // outer dimensions first
//     walk.add(columns, {1, 0});
//     walk.parameters()        , int64 line_size0, int64 out_at_step0, int64 source_at_step0, ...
//     walk.places("line")      statements that define out_at and source_at
//
// Where TextWalk takes the order that is best, the caller's is kept here, so that it may count.
// Neighbouring dimensions that all operands step through evenly are one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "backends/cuda/device/device.h"

namespace glint::cuda {

class OrderedWalk {
 public:
  OrderedWalk(std::string name, std::vector<std::string> operands)
      : name_(std::move(name)), operands_(std::move(operands)) {}

  /// The next dimension, with each operand's stride in elements. Of a dimension only the first
  /// `within` may be inside (`places`).
  void add(int64_t size, const std::vector<int64_t>& steps) { add(size, steps, size); }
  void add(int64_t size, std::vector<int64_t> steps, int64_t within);

  int64_t count() const;
  /// Whether neighbouring numbers are neighbours in an operand.
  bool is_in_order(size_t operand) const;
  /// Behind the kernel's own parameters.
  std::string parameters() const;
  void add_arguments(std::vector<GpuArgument>& arguments) const;
  /// Statements that define each operand, from a number; and NAME_is_inside, where a dimension
  /// says so.
  std::string places(std::string_view number, std::string_view indent) const;
  bool has_outside() const;

 private:
  struct Dimension {
    int64_t size;
    std::vector<int64_t> steps;
    int64_t within;
  };

  std::string name_;
  std::vector<std::string> operands_;
  std::vector<Dimension> dimensions_;  ///< the outermost first
};

}  // namespace glint::cuda
