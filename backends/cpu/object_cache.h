// Objects of modules that were compiled before, in files: in a later process LLVM does not make
// them again.
//
//     const std::string key = object_key(module, target);     before LLVM changes the module
//     find_object(key)                                        nothing, or the object
//     keep_object(key, object)
//
//     forget_object(key)                                      where it does not link
//
// The key is all that the object hangs on: the module as the emitter wrote it, bit by bit, the
// processor with its features, LLVM's version, its arguments, passes and models (machine_code.h).
// So no version of this program takes what another one would have made otherwise.
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Target/TargetMachine.h>

#include <memory>
#include <string>

namespace glint::cpu {

std::string object_key(const llvm::Module& module, const llvm::TargetMachine& target);

/// Null where there is none.
std::unique_ptr<llvm::MemoryBuffer> find_object(const std::string& key);
void forget_object(const std::string& key);
void keep_object(const std::string& key, const llvm::MemoryBuffer& object);

}  // namespace glint::cpu
