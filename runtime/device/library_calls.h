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

struct LibraryCall {
  std::string_view name;
  ops::Outputs (*run)(const ops::OpEntry& entry, ops::Arguments arguments);
};
std::span<const LibraryCall> library_table();
const LibraryCall* find_library_call(std::string_view name);

/// Matrix products, random numbers, and convolutions by a library, go straight into ready outputs;
/// false for others.
bool run_library_into(const ops::OpEntry& entry, ops::Arguments arguments,
                      std::span<const Tensor> outputs);

}  // namespace glint::device
