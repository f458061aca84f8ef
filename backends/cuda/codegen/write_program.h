// Kernels as one text of CUDA C++, complete in itself: what they use, then an entry for each.
//
//     WrittenProgram program = write_program({&relu, &softmax}, {});
//     program.source                   // the text; NVRTC or nvcc compile it as it is
//     program.lines[11].statement      // the statement of Kernel IR that line 12 came from
//
// Behind each line stand its statement, its graph node and its place in the script, as behind the
// lines of LLVM IR.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "backends/cuda/codegen/compiled_kernel.h"
#include "backends/cuda/codegen/kernel_writer.h"
#include "core/support/stage_log.h"

namespace glint::cuda {

struct WrittenProgram {
  std::string source;
  std::vector<SourceLine> lines;
  std::vector<WrittenKernel> kernels;  ///< their lines are in the source
};

/// What is written, and the grid, follow from the kernels' text and the symbols' least values
/// alone. `shapes`: one a kernel, if they are not all as the options say.
WrittenProgram write_program(const std::vector<const Kernel*>& kernels, WriteOptions options,
                             std::span<const LaunchShape> shapes = {});

}  // namespace glint::cuda
