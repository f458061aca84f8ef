#include "backends/cpu/object_cache.h"

#include <fmt/format.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/Support/raw_ostream.h>

#include "backends/kept_text.h"

namespace glint::cpu {
namespace {

/// Changes whenever LLVM is asked for something else than before: other passes, other options.
constexpr std::string_view kVersion = "1";

}  // namespace

std::string object_key(const llvm::Module& module, const llvm::TargetMachine& target) {
  std::string key = fmt::format("{} LLVM {} {} {}\n", kVersion, LLVM_VERSION_STRING,
                                std::string_view(target.getTargetCPU()),
                                std::string_view(target.getTargetFeatureString()));
  llvm::raw_string_ostream stream(key);
  llvm::WriteBitcodeToFile(module, stream);
  return key;
}

std::unique_ptr<llvm::MemoryBuffer> find_object(const std::string& key) {
  const auto found = find_text(KeptKind::kObject, key);
  return found ? llvm::MemoryBuffer::getMemBufferCopy(*found, "kernels") : nullptr;
}

void keep_object(const std::string& key, const llvm::MemoryBuffer& object) {
  keep_text(KeptKind::kObject, key, object.getBuffer().str());
}

}  // namespace glint::cpu
