#include "backends/cpu/machine_code.h"

#include <llvm/Analysis/ScopedNoAliasAA.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/ExecutionEngine/Orc/CompileUtils.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar.h>
#include <llvm/Transforms/Utils.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>

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

namespace {

using Clock = std::chrono::steady_clock;

Result<MachineCode> optimise_and_generate(OwnedModule& owned, llvm::TargetMachine& target) {
  MachineCode code;
  auto start = Clock::now();
  optimise(*owned.module, target);
  code.optimising = milliseconds_since(start);
  start = Clock::now();
  auto object = llvm::orc::SimpleCompiler(target)(*owned.module);
  if (!object) return Error{"llvm: " + llvm::toString(object.takeError())};
  code.object = std::move(*object);
  code.generating = milliseconds_since(start);
  return code;
}

/// Modules that LLVM has to work on, which threads take one after the other. Who is left behind
/// with one shares all of it.
struct Work {
  std::vector<OwnedModule> modules;
  std::vector<std::optional<Result<MachineCode>>> made;
  std::atomic<size_t> next = 0;

  void take_all(llvm::TargetMachine& target) {
    for (size_t i = next++; i < modules.size(); i = next++)
      made[i] = optimise_and_generate(modules[i], target);
  }
};

std::vector<std::optional<Result<MachineCode>>> work_through(std::vector<OwnedModule> modules,
                                                             const TargetMachines& targets) {
  auto work = std::make_shared<Work>();
  work->made.resize(modules.size());
  work->modules = std::move(modules);
  if (work->modules.size() == 1 && is_brief(*work->modules[0].module)) {
    work->take_all(*targets[0]);
    return std::move(work->made);
  }
  std::vector<std::function<void()>> threads;
  for (size_t i = 0; i < std::min(targets.size(), work->modules.size()); ++i)
    threads.emplace_back([work, target = targets[i]] { work->take_all(*target); });
  apart::finish_all(std::move(threads));
  return std::move(work->made);
}

/// Threads that work beside each other take less time than they count.
void share_out(double milliseconds, std::vector<MachineCode>& codes) {
  double counted = 0.0;
  for (const MachineCode& code : codes) counted += code.optimising + code.generating;
  for (MachineCode& code : codes) {
    code.optimising *= milliseconds / counted;
    code.generating *= milliseconds / counted;
  }
}

}  // namespace

Result<std::vector<MachineCode>> make_machine_code(std::vector<OwnedModule> modules,
                                                   const TargetMachines& targets,
                                                   bool reuses_code) {
  const auto start = Clock::now();
  std::vector<MachineCode> codes(modules.size());
  std::vector<OwnedModule> missing;
  std::vector<size_t> places;
  std::vector<std::string> keys;
  for (size_t i = 0; i < modules.size(); ++i) {
    const auto begin = Clock::now();
    std::string key = reuses_code ? object_key(*modules[i].module, *targets[0]) : std::string();
    if (auto object = reuses_code ? find_object(key) : nullptr) {
      codes[i] = {.object = std::move(object),
                  .found_by = std::move(key),
                  .generating = milliseconds_since(begin)};
      continue;
    }
    missing.push_back(std::move(modules[i]));
    places.push_back(i);
    keys.push_back(std::move(key));
  }
  if (missing.empty()) return codes;
  auto made = work_through(std::move(missing), targets);
  for (size_t k = 0; k < made.size(); ++k) {
    if (!*made[k]) return made[k]->error();
    codes[places[k]] = std::move(made[k]->value());
    if (reuses_code) keep_object(keys[k], *codes[places[k]].object);
  }
  share_out(milliseconds_since(start), codes);
  return codes;
}

}  // namespace glint::cpu
