// LLVM behind a wall: modules of kernels to machine code, and to text. No LLVM header is needed to
// use it.
//
//   1. each kernel is emitted as one function (kernel_emitter.h), some kernels a module;
//   2. a short pipeline cleans up and LLVM makes an object file of each module (machine_code.h),
//      several at once, position-independent and of small code model, so that the text that
//      `list_kernels` makes of it is what runs;
//   3. ORC links them into this process, those of one compile in a library of its own, so that its
//      symbols need not be unlike any other's and an earlier process's objects serve too
//      (object_cache.h).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "backends/schedule_runner.h"

namespace glint::cpu {

/// The machine code of some kernels; unloaded when it goes.
class CodeModule {
 public:
  virtual ~CodeModule() = default;
};

struct CompiledKernels {
  std::vector<RunnableKernel> kernels;
  std::shared_ptr<CodeModule> code;
  CompileTimes times;
};

struct CompileOptions {
  std::string target = {};   ///< the processor; empty is the host
  std::string failing = {};  ///< the stage that is to fail, for tests
  bool reuses_code = true;   ///< what an earlier process has left in files is taken
};

/// The error names the stage.
Result<CompiledKernels> compile_kernels(const std::vector<const Kernel*>& kernels,
                                        const CompileOptions& options);

/// The optimised LLVM IR (kLlvm) or the assembly (kAssembly) of the kernels, line by line, each
/// with its Kernel IR statement.
struct ListedLine {
  std::string text;
  uint32_t kernel = 0;
  uint32_t statement = ~0u;  ///< ~0: no statement (labels, directives, the frame)
  bool instruction = false;
};
std::vector<ListedLine> list_kernels(const std::vector<const Kernel*>& kernels,
                                     const std::string& target, Stage stage);

}  // namespace glint::cpu
