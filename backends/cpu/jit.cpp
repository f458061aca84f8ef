#include "backends/cpu/jit.h"

#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <map>
#include <optional>

#include "backends/cpu/kernel_emitter.h"
#include "backends/cpu/machine_code.h"
#include "backends/cpu/object_cache.h"
#include "backends/cpu/runtime_functions.h"
#include "core/support/fail_stage.h"
#include "core/support/milliseconds.h"
#include "core/support/profile.h"
#include "core/support/thread_pool.h"
#include "ir/kernel_work.h"

namespace glint::cpu {
namespace {

using Clock = std::chrono::steady_clock;

std::string text_of(llvm::Error error) {
  return llvm::toString(std::move(error));
}

/// One LLJIT for each processor that code is made for, and a target machine for each thread that
/// makes it.
struct Machine {
  std::unique_ptr<llvm::orc::LLJIT> jit;
  TargetMachines targets;
};

void initialise_llvm() {
  static const bool done = [] {
    llvm::cl::ParseCommandLineOptions(static_cast<int>(std::size(kLlvmArguments)), kLlvmArguments,
                                      "", &llvm::nulls());
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)done;
}

Result<llvm::orc::JITTargetMachineBuilder> machine_builder(const std::string& target) {
  auto host = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!host) return Error{"llvm: " + text_of(host.takeError())};
  if (!target.empty()) {
    host->setCPU(target);
    host->getFeatures() = llvm::SubtargetFeatures();
  }
  host->setRelocationModel(llvm::Reloc::PIC_);
  host->setCodeModel(llvm::CodeModel::Small);
  host->setCodeGenOptLevel(llvm::CodeGenOptLevel::Less);
  return std::move(*host);
}

Result<std::shared_ptr<llvm::TargetMachine>> make_target(
    llvm::orc::JITTargetMachineBuilder& builder) {
  auto target = builder.createTargetMachine();
  if (!target) return Error{"llvm: " + text_of(target.takeError())};
  return std::shared_ptr<llvm::TargetMachine>(std::move(*target));
}

Result<Machine> make_machine(const std::string& target) {
  initialise_llvm();
  auto builder = machine_builder(target);
  if (!builder) return builder.error();
  Machine made;
  auto jit = llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(builder.value()).create();
  if (!jit) return Error{"llvm: " + text_of(jit.takeError())};
  made.jit = std::move(*jit);
  llvm::orc::SymbolMap symbols;
  for (const RuntimeFunction& function : runtime_functions()) {
    symbols[made.jit->mangleAndIntern(function.name)] = {
        llvm::orc::ExecutorAddr::fromPtr(function.address), llvm::JITSymbolFlags::Exported};
  }
  if (auto error =
          made.jit->getMainJITDylib().define(llvm::orc::absoluteSymbols(std::move(symbols)))) {
    return Error{"link: " + text_of(std::move(error))};
  }
  return made;
}

/// As many threads as loops may use make code, up to the few that a region has work for.
size_t compiling_threads() {
  constexpr int kMost = 4;
  return static_cast<size_t>(std::clamp(num_threads(), 1, kMost));
}

/// Target machines that no compile works with: one that was interrupted may do so still.
std::optional<Error> provide_targets(Machine& machine, const std::string& target) {
  std::erase_if(machine.targets, [](const auto& each) { return each.use_count() > 1; });
  machine.targets.resize(std::min(machine.targets.size(), compiling_threads()));
  while (machine.targets.size() < compiling_threads()) {
    auto builder = machine_builder(target);
    if (!builder) return builder.error();
    auto fresh = make_target(*builder);
    if (!fresh) return fresh.error();
    machine.targets.push_back(std::move(*fresh));
  }
  return std::nullopt;
}

Result<Machine*> machine_for(const std::string& target) {
  // Never destroyed: code may be held, and given back, until the process ends.
  static auto& machines = *new std::map<std::string, Machine>();
  auto found = machines.find(target);
  if (found == machines.end()) {
    auto made = make_machine(target);
    if (!made) return made.error();
    found = machines.emplace(target, std::move(made.value())).first;
  }
  if (auto error = provide_targets(found->second, target)) return *error;
  return &found->second;
}

/// Of the functions that run: a kernel may be called `memset`, and LLVM may call that one.
constexpr const char* kPrefix = "kernel_";

struct EmittedModule {
  OwnedModule owned;
  std::vector<EmittedKernel> kernels;
};

EmittedModule begin_module(const llvm::TargetMachine& target, bool with_lines) {
  EmittedModule emitted;
  emitted.owned.context = std::make_unique<llvm::LLVMContext>();
  emitted.owned.module = std::make_unique<llvm::Module>("kernels", *emitted.owned.context);
  emitted.owned.module->setDataLayout(target.createDataLayout());
  emitted.owned.module->setTargetTriple(target.getTargetTriple().str());
  if (with_lines) {
    emitted.owned.module->addModuleFlag(llvm::Module::Warning, "Debug Info Version",
                                        llvm::DEBUG_METADATA_VERSION);
    emitted.owned.module->addModuleFlag(llvm::Module::Warning, "Dwarf Version", 4);
  }
  return emitted;
}

/// Emits the kernels into modules of `full` instructions or a few more; the functions are named
/// `prefix` and the kernel's name, and have debug locations if a listing wants them.
std::vector<EmittedModule> emit_modules(const std::vector<const Kernel*>& kernels,
                                        const std::string& prefix,
                                        const llvm::TargetMachine& target, bool with_lines,
                                        unsigned full) {
  const bool avx512 = target.getMCSubtargetInfo()->checkFeatures("+avx512f,+avx512vl");
  std::vector<EmittedModule> modules;
  for (const Kernel* kernel : kernels) {
    if (modules.empty() || modules.back().owned.module->getInstructionCount() >= full)
      modules.push_back(begin_module(target, with_lines));
    EmittedModule& emitted = modules.back();
    // LLVM keeps the names of one module apart; all modules are linked into one library.
    const std::string number = modules.size() == 1 ? "" : std::to_string(modules.size()) + "_";
    KernelEmitter emitter(*emitted.owned.module, *kernel, prefix + number + kernel->name, avx512,
                          with_lines);
    emitted.kernels.push_back(emitter.emit());
  }
  for (const EmittedModule& emitted : modules) {
    for (llvm::Function& function : *emitted.owned.module) {
      if (function.isDeclaration()) continue;
      function.addFnAttr("target-cpu", target.getTargetCPU());
      function.addFnAttr("target-features", target.getTargetFeatureString());
    }
  }
  return modules;
}

std::optional<std::string> verify(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (!llvm::verifyModule(module, &stream)) return std::nullopt;
  return text;
}

/// A library of the JIT's, which goes with its code.
class LinkedModule final : public CodeModule {
 public:
  LinkedModule(llvm::orc::LLJIT& jit, llvm::orc::JITDylib& library)
      : jit_(jit), library_(library) {}
  LinkedModule(const LinkedModule&) = delete;
  LinkedModule& operator=(const LinkedModule&) = delete;
  ~LinkedModule() override {
    llvm::consumeError(jit_.getExecutionSession().removeJITDylib(library_));
  }

 private:
  llvm::orc::LLJIT& jit_;  // never destroyed
  llvm::orc::JITDylib& library_;
};

/// Links objects into a library of its own, which sees the runtime functions; the kernels'
/// functions.
Result<std::vector<KernelFunction>> link(llvm::orc::LLJIT& jit, std::vector<MachineCode> codes,
                                         const std::vector<EmittedKernel>& kernels,
                                         std::shared_ptr<CodeModule>& code) {
  static uint64_t libraries = 0;
  auto& library =
      jit.getExecutionSession().createBareJITDylib("kernels" + std::to_string(++libraries));
  code = std::make_shared<LinkedModule>(jit, library);
  library.addToLinkOrder(jit.getMainJITDylib());
  for (MachineCode& each : codes)
    if (auto error = jit.addObjectFile(library, std::move(each.object)))
      return Error{"link: " + text_of(std::move(error))};
  std::vector<KernelFunction> functions;
  for (const EmittedKernel& kernel : kernels) {
    auto address = jit.lookup(library, kernel.symbol);
    if (!address) return Error{"link: " + text_of(address.takeError())};
    functions.push_back(address->toPtr<KernelFunction>());
  }
  return functions;
}

}  // namespace

Result<CompiledKernels> compile_kernels(const std::vector<const Kernel*>& kernels,
                                        const CompileOptions& options) {
  if (options.failing == fail_stage::kLlvm) return Error{fail_stage::message(fail_stage::kLlvm)};
  auto machine = machine_for(options.target);
  if (!machine) return machine.error();
  CompiledKernels compiled;
  std::optional<profile::Scope> scope;
  auto show = [&](const char* step) {
    scope.emplace();
    if (profile::recording()) scope->begin("compile", step);
  };
  auto start = Clock::now();
  show("emit");
  std::vector<EmittedModule> modules =
      emit_modules(kernels, kPrefix, *(*machine)->targets[0], false, kFullModule);
  std::vector<OwnedModule> owned;
  std::vector<EmittedKernel> emitted;
  for (EmittedModule& each : modules) {
    if (const auto wrong = verify(*each.owned.module)) return Error{"llvm: " + *wrong};
    owned.push_back(std::move(each.owned));
    std::ranges::move(each.kernels, std::back_inserter(emitted));
  }
  compiled.times.emit = milliseconds_since(start);

  show("llvm");
  auto codes = make_machine_code(std::move(owned), (*machine)->targets, options.reuses_code);
  if (!codes) return codes.error();
  std::vector<std::string> found_by;
  for (const MachineCode& code : *codes) {
    compiled.times.emit += code.optimising;
    compiled.times.code += code.generating;
    if (!code.found_by.empty()) found_by.push_back(code.found_by);
  }

  start = Clock::now();
  show("link");
  if (options.failing == fail_stage::kLink) return Error{fail_stage::message(fail_stage::kLink)};
  llvm::orc::LLJIT& jit = *(*machine)->jit;
  auto functions = link(jit, std::move(*codes), emitted, compiled.code);
  if (!functions) {
    if (found_by.empty()) return functions.error();
    // Whoever made those files, one is not its module's: they are made anew.
    for (const std::string& key : found_by) forget_object(key);
    CompileOptions anew = options;
    anew.reuses_code = false;
    return compile_kernels(kernels, anew);
  }
  for (size_t i = 0; i < kernels.size(); ++i) {
    RunnableKernel runnable;
    runnable.function = (*functions)[i];
    runnable.size_expressions = emitted[i].size_expressions;
    runnable.scratch_bytes = emitted[i].scratch_bytes;
    runnable.work = estimate_work(*kernels[i]);
    runnable.stretch = emitted[i].stretch;
    runnable.owns_nothing = true;
    runnable.thread_extent = emitted[i].thread_extent;
    compiled.kernels.push_back(std::move(runnable));
  }
  compiled.times.link = milliseconds_since(start);
  return compiled;
}

// ---- text --------------------------------------------------------------------------------------

namespace {

/// The number behind `key` at `from`, if it stands there.
std::optional<unsigned> number_after(std::string_view line, std::string_view key) {
  const size_t at = line.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  return static_cast<unsigned>(
      std::strtoul(std::string(line.substr(at + key.size())).c_str(), nullptr, 10));
}

void list_function(const llvm::Function& function, uint32_t kernel,
                   std::vector<ListedLine>& lines) {
  std::string header;
  llvm::raw_string_ostream(header) << "define i32 @" << function.getName() << "(...) {";
  lines.push_back({header, kernel, ~0u, false});
  for (const llvm::BasicBlock& block : function) {
    lines.push_back({block.getName().str() + ":", kernel, ~0u, false});
    for (const llvm::Instruction& instruction : block) {
      std::string text;
      llvm::raw_string_ostream stream(text);
      stream << instruction;
      // What hangs behind the instruction is in the margin already.
      text = text.substr(0, text.find(", !dbg"));
      for (const char* tail : {", !alias.scope", ", !noalias"})
        text = text.substr(0, text.find(tail));
      const auto& where = instruction.getDebugLoc();
      const uint32_t statement = where && where.getLine() != 0 ? where.getLine() - 1 : ~0u;
      lines.push_back({text, kernel, statement, true});
    }
  }
  lines.push_back({"}", kernel, ~0u, false});
}

bool has_line(const llvm::Instruction& instruction) {
  const auto& where = instruction.getDebugLoc();
  return where && where.getLine() != 0;
}

/// What optimisation made of several statements' instructions (a mask that is computed once, a
/// number that left its loop) has no line: it gets that of the first instruction that needs it, and
/// a jump that of the instruction before it.
void complete_lines(llvm::Function& function) {
  // Uses stand behind definitions, but for those of loops: a second round finds these.
  for (int round = 0; round < 2; ++round) {
    for (llvm::BasicBlock& block : llvm::reverse(function)) {
      for (llvm::Instruction& instruction : llvm::reverse(block)) {
        if (has_line(instruction)) continue;
        for (const llvm::User* user : instruction.users()) {
          const auto* needs_it = llvm::dyn_cast<llvm::Instruction>(user);
          if (needs_it == nullptr || !has_line(*needs_it)) continue;
          instruction.setDebugLoc(needs_it->getDebugLoc());
        }
      }
    }
  }
  for (llvm::BasicBlock& block : function) {
    const llvm::Instruction* before = nullptr;
    for (llvm::Instruction& instruction : block) {
      if (!has_line(instruction) && before != nullptr)
        instruction.setDebugLoc(before->getDebugLoc());
      if (has_line(instruction)) before = &instruction;
    }
  }
}

/// Instructions that code generation added (reloads, copies, constants) serve the next one that has
/// a statement, up to the next label; behind the last such, the one before.
void complete_statements(std::vector<ListedLine>& lines) {
  uint32_t next = ~0u;
  for (ListedLine& line : llvm::reverse(lines)) {
    if (!line.instruction) next = ~0u;
    if (line.instruction && line.statement == ~0u) line.statement = next;
    if (line.instruction) next = line.statement;
  }
  uint32_t before = ~0u, kernel = ~0u;
  for (ListedLine& line : lines) {
    if (line.kernel != kernel) before = ~0u;
    kernel = line.kernel;
    if (line.instruction && line.statement == ~0u) line.statement = before;
    if (line.instruction) before = line.statement;
  }
}

std::vector<ListedLine> list_assembly(llvm::Module& module, llvm::TargetMachine& target) {
  llvm::SmallString<0> text;
  {
    llvm::raw_svector_ostream stream(text);
    llvm::legacy::PassManager passes;
    if (target.addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile)) {
      return {};
    }
    passes.run(module);
  }
  std::vector<ListedLine> lines;
  uint32_t kernel = ~0u;
  uint32_t statement = ~0u;
  bool in_function = false;
  llvm::SmallVector<llvm::StringRef, 0> rows;
  llvm::StringRef(text).split(rows, '\n');
  for (const llvm::StringRef row : rows) {
    const std::string_view line(row.data(), row.size());
    if (row.contains("@function")) {
      ++kernel;
      in_function = true;
      statement = ~0u;
    } else if (row.starts_with("\t.loc")) {
      const auto fields = row.substr(5).trim();
      const auto number = number_after(fields.str(), " ");
      statement = number && *number != 0 ? *number - 1 : ~0u;
    } else if (row.starts_with(".Lfunc_end")) {
      in_function = false;
    } else if (!in_function || line.empty()) {
      continue;
    } else if (row.starts_with("\t.") || row.starts_with("\t#")) {
      continue;
    } else if (row.starts_with(".Ltmp") || row.starts_with(".Lfunc_begin")) {
      continue;
    } else if (row.starts_with("\t")) {
      std::string instruction = "    " + row.substr(1).rtrim().str();
      for (char& c : instruction) c = c == '\t' ? ' ' : c;
      if (const size_t comment = instruction.find(" #"); comment != std::string::npos) {
        instruction = instruction.substr(0, comment);
      }
      lines.push_back({llvm::StringRef(instruction).rtrim().str(), kernel, statement, true});
    } else {
      lines.push_back({row.split('#').first.rtrim().str(), kernel, ~0u, false});
    }
  }
  complete_statements(lines);
  return lines;
}

}  // namespace

std::vector<ListedLine> list_kernels(const std::vector<const Kernel*>& kernels,
                                     const std::string& target, Stage stage) {
  auto machine = machine_for(target);
  if (!machine) return {};
  if (kernels.empty()) return {};
  constexpr unsigned kAll = std::numeric_limits<unsigned>::max();
  const auto& target_machine = (*machine)->targets[0];
  auto emitted = std::make_shared<EmittedModule>(
      std::move(emit_modules(kernels, "", *target_machine, true, kAll).front()));
  auto list = [emitted, stage, shared = target_machine] {
    llvm::Module& module = *emitted->owned.module;
    optimise(module, *shared);
    for (llvm::Function& function : module) complete_lines(function);
    if (stage == Stage::kAssembly) return list_assembly(module, *shared);
    std::vector<ListedLine> lines;
    for (uint32_t i = 0; i < emitted->kernels.size(); ++i)
      list_function(*module.getFunction(emitted->kernels[i].symbol), i, lines);
    return lines;
  };
  return work_on<std::vector<ListedLine>>(*emitted->owned.module, std::move(list));
}

}  // namespace glint::cpu
