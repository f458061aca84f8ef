// A module's variables in global and constant memory: bytes with their initial values, registered
// with the device's memory.
//
//     .global .align 4 .b8 table[24] = {65, 144, ...};      24 bytes of the host, address
//     0x3000000000
#include "backends/cuda/simulator/launch.h"

namespace glint::simulator {

LoadedModule::LoadedModule(Module module, Memory& memory)
    : module_(std::move(module)), memory_(&memory) {
  for (const Variable& variable : module_.variables) {
    const bool constant = variable.space == Space::kConstant;
    if (!constant && variable.space != Space::kGlobal) continue;
    auto bytes = std::make_unique<std::byte[]>(variable.size() + 1);
    const size_t each = size_of(variable.type);
    for (size_t i = 0; i < variable.initial.size() && i < variable.count; ++i) {
      std::memcpy(bytes.get() + i * each, &variable.initial[i], each);
    }
    addresses_[variable.name] =
        memory.add(variable.name, bytes.get(), variable.size(), /*writable=*/!constant);
    bytes_.push_back(std::move(bytes));
  }
}

Result<LoadedModule> LoadedModule::load(std::string_view ptx, Memory& memory, SourceText source) {
  Result<Module> module = parse_module(ptx);
  if (!module) return module.error();
  module->source = std::move(source);
  return LoadedModule(std::move(*module), memory);
}

LoadedModule::~LoadedModule() {
  // One that was moved from holds no addresses.
  for (const auto& [name, address] : addresses_) memory_->remove(address);
}

std::optional<uint64_t> LoadedModule::address(std::string_view variable) const {
  const auto found = addresses_.find(variable);
  if (found == addresses_.end()) return std::nullopt;
  return found->second;
}

}  // namespace glint::simulator
