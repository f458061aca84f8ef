#include "backends/cpu/object_cache.h"

#include <fmt/format.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/Support/raw_ostream.h>

#include "backends/cpu/machine_code.h"
#include "backends/kept_text.h"

namespace glint::cpu {
std::string object_key(const llvm::Module& module, const llvm::TargetMachine& target) {
  std::string key = fmt::format(
      "LLVM {} {} {}\n{}\n{}\nmodels {} {} level {}\n", LLVM_VERSION_STRING,
      std::string_view(target.getTargetCPU()), std::string_view(target.getTargetFeatureString()),
      fmt::join(kLlvmArguments, " "), pass_names(), static_cast<int>(target.getRelocationModel()),
      static_cast<int>(target.getCodeModel()), static_cast<int>(target.getOptLevel()));
  llvm::raw_string_ostream stream(key);
  llvm::WriteBitcodeToFile(module, stream);
  return key;
}

std::unique_ptr<llvm::MemoryBuffer> find_object(const std::string& key) {
  const auto found = find_text(KeptKind::kObject, key);
  return found ? llvm::MemoryBuffer::getMemBufferCopy(*found, "kernels") : nullptr;
}

void forget_object(const std::string& key) {
  forget_text(KeptKind::kObject, key);
}

void keep_object(const std::string& key, const llvm::MemoryBuffer& object) {
  keep_text(KeptKind::kObject, key, object.getBuffer().str());
}

}  // namespace glint::cpu
