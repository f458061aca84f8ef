// Library operators on a device: those that no loop nest of Kernel IR describes.
//
//     find_library_call("mm")       a kernel written by hand
//     find_library_call("topk")     sort, then a part of it
//
// One table, by the operator's name; what is not in it has no kernel, and its error says so.
#pragma once

#include <span>
#include <string_view>

#include "ops/op.h"

namespace glint::device {

/// Has one of the first two, or both: `run` where it is called by itself then.
struct LibraryCall {
  std::string_view name;
  /// Makes its results itself: their sizes depend on values, or it is made of other operators.
  ops::Outputs (*run)(const ops::OpEntry& entry, ops::Arguments arguments) = nullptr;
  /// Writes them into memory that is there, of any strides.
  void (*run_into)(const ops::OpEntry& entry, ops::Arguments arguments,
                   std::span<const Tensor> outputs) = nullptr;
  /// Writes the result over the first argument, of which it reads nothing that it has written;
  /// false if it cannot.
  bool (*update)(const ops::OpEntry& entry, ops::Arguments arguments) = nullptr;
};
std::span<const LibraryCall> library_table();
const LibraryCall* find_library_call(std::string_view name);

ops::Outputs run_library(const LibraryCall& call, const ops::OpEntry& entry,
                         ops::Arguments arguments);
/// Into a tensor of the result's sizes, the first argument or another; false for operators that
/// cannot, for another dtype, and where the tensor's memory shows in other arguments.
bool write_by_library(const ops::OpEntry& entry, ops::Arguments arguments, const Tensor& target);
/// What can goes straight into ready outputs, random numbers and convolutions by a library too;
/// false for others.
bool run_library_into(const ops::OpEntry& entry, ops::Arguments arguments,
                      std::span<const Tensor> outputs);

}  // namespace glint::device
