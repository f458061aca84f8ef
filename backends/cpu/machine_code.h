// LLVM IR to machine code. Where that takes long LLVM works apart (core/support/apart.h): it cannot
// be stopped, and who presses Ctrl-C does not wait for it.
#pragma once

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Target/TargetMachine.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "core/support/apart.h"

namespace glint::cpu {

/// A module, which goes before its context does.
struct OwnedModule {
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
};

struct MachineCode {
  std::unique_ptr<llvm::MemoryBuffer> object;
  std::string found_by;     ///< the key, if an earlier process made it
  double optimising = 0.0;  ///< milliseconds
  double generating = 0.0;
};

/// Whether LLVM is done with the module in a tenth of a second. Then it works on this thread, whose
/// caches are warm.
inline bool is_brief(const llvm::Module& module) {
  constexpr unsigned kInstructions = 2000;
  return module.getInstructionCount() < kInstructions;
}

/// From so many instructions on a module is full: the next kernels go to another one, which another
/// thread may work on. A thirtieth of a second; an object costs half a thousandth by itself.
inline constexpr unsigned kFullModule = 800;

/// What `work`, which owns the module and shares the target machine, makes of it. Throws
/// `Interrupted` where the user asks for an end first; the target machine is then still in use,
/// which its count of owners tells.
template <class T>
T work_on(const llvm::Module& module, std::function<T()> work) {
  return is_brief(module) ? work() : apart::run<T>(std::move(work));
}

/// What LLVM is told once for all that it compiles here. The emitter's order is a schedule already,
/// and the processor has its own: scheduling takes a tenth of compiling and gains nothing that can
/// be measured.
inline constexpr const char* kLlvmArguments[] = {"glint", "-x86-asm-syntax=intel",
                                                 "-enable-misched=false", "-disable-post-ra"};

/// The names of the passes of `optimise`, in their order.
std::string pass_names();

/// A short pipeline cleans up: stack slots to registers, common subexpressions, loop-invariant code
/// out of loops. The code is vector code already: no vectoriser, no unroller.
void optimise(llvm::Module& module, llvm::TargetMachine& target);

/// A target machine serves one thread at a time.
using TargetMachines = std::vector<std::shared_ptr<llvm::TargetMachine>>;

/// The modules optimised and as object files, or those files as an earlier process has left them,
/// if `reuses_code`; in the modules' order. As many threads work as there are target machines.
/// Throws as `work_on` does.
Result<std::vector<MachineCode>> make_machine_code(std::vector<OwnedModule> modules,
                                                   const TargetMachines& targets, bool reuses_code);

}  // namespace glint::cpu
