// Kernels over rows whose length only the launch knows: cut once for each class of lengths.
//
//     sum over s1 of float32[s0, s1]     rows to 16       four lanes a row
//                                        rows to 512      a warp a row
//                                        longer ones      a block a row
//
//     softmax                            also to 2048, to 8192 and longer: blocks of 256, 512 and
//                                        1024 threads, which keep what they read again
//
// All of them are compiled together, and the launch takes the first whose rows are long enough: a
// size that changes compiles nothing. Where a kernel's lengths are known, or its binding is the
// same whatever they are, it has one class.
#pragma once

#include <span>
#include <vector>

#include "backends/cuda/codegen/launch_shape.h"
#include "ir/kernel.h"

namespace glint::cuda {

struct RowClasses {
  std::vector<SymInt> lengths;      ///< of rows: the longest decides; none where there is one class
  std::vector<LaunchShape> shapes;  ///< by length; the last one has no limit

  /// Which of the shapes a launch takes.
  size_t at(std::span<const int64_t> symbols) const;
};

RowClasses row_classes(const Kernel& kernel);

/// What a schedule's kernels are compiled as, in order: each once for each class of its rows.
struct KernelCuts {
  std::vector<const Kernel*> kernels;
  std::vector<LaunchShape> shapes;  ///< one a kernel
  std::vector<RowClasses> classes;  ///< one a kernel of the schedule

  void add(const Kernel& kernel, RowClasses its_classes);
};

/// `chosen`: one a kernel, which is then cut so and in no other way; or none.
KernelCuts cuts_of(std::span<const Kernel> kernels, std::span<const LaunchShape> chosen = {});

}  // namespace glint::cuda
