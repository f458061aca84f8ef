#include "backends/cpu/machine_code.h"

#include <llvm/Analysis/ScopedNoAliasAA.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/ExecutionEngine/Orc/CompileUtils.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar.h>
#include <llvm/Transforms/Utils.h>

#include <chrono>

#include "backends/cpu/object_cache.h"
#include "core/support/milliseconds.h"

namespace glint::cpu {

namespace {

struct PassEntry {
  std::string_view name;
  llvm::Pass* (*create)();
};
constexpr PassEntry kPasses[] = {
    {"scoped-noalias-aa", []() -> llvm::Pass* { return llvm::createScopedNoAliasAAWrapperPass(); }},
    {"mem2reg", []() -> llvm::Pass* { return llvm::createPromoteMemoryToRegisterPass(); }},
    {"early-cse", []() -> llvm::Pass* { return llvm::createEarlyCSEPass(); }},
    {"instcombine", []() -> llvm::Pass* { return llvm::createInstructionCombiningPass(); }},
    {"licm", []() -> llvm::Pass* { return llvm::createLICMPass(); }},
    {"early-cse", []() -> llvm::Pass* { return llvm::createEarlyCSEPass(); }},
};

}  // namespace

std::string pass_names() {
  std::string names;
  for (const PassEntry& pass : kPasses) (names += pass.name) += ' ';
  return names;
}

void optimise(llvm::Module& module, llvm::TargetMachine& target) {
  llvm::legacy::FunctionPassManager passes(&module);
  passes.add(llvm::createTargetTransformInfoWrapperPass(target.getTargetIRAnalysis()));
  for (const PassEntry& pass : kPasses) passes.add(pass.create());
  passes.doInitialization();
  for (llvm::Function& function : module) {
    if (!function.isDeclaration()) passes.run(function);
  }
  passes.doFinalization();
}

static Result<MachineCode> optimise_and_generate(OwnedModule owned,
                                                 std::shared_ptr<llvm::TargetMachine> target) {
  auto shared = std::make_shared<OwnedModule>(std::move(owned));
  auto work = [shared, target = std::move(target)]() -> Result<MachineCode> {
    MachineCode code;
    auto start = std::chrono::steady_clock::now();
    optimise(*shared->module, *target);
    code.optimising = milliseconds_since(start);
    start = std::chrono::steady_clock::now();
    auto object = llvm::orc::SimpleCompiler(*target)(*shared->module);
    if (!object) return Error{"llvm: " + llvm::toString(object.takeError())};
    code.object = std::move(*object);
    code.generating = milliseconds_since(start);
    return code;
  };
  return work_on<Result<MachineCode>>(*shared->module, std::move(work));
}

Result<MachineCode> make_machine_code(OwnedModule owned,
                                      std::shared_ptr<llvm::TargetMachine> target,
                                      bool reuses_code) {
  if (!reuses_code) return optimise_and_generate(std::move(owned), std::move(target));
  const auto start = std::chrono::steady_clock::now();
  const std::string key = object_key(*owned.module, *target);
  if (auto object = find_object(key))
    return MachineCode{
        .object = std::move(object), .found_by = key, .generating = milliseconds_since(start)};
  auto code = optimise_and_generate(std::move(owned), std::move(target));
  if (code) keep_object(key, *code->object);
  return code;
}

}  // namespace glint::cpu
