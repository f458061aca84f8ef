// What writes LLVM IR reads: kernels, and the builder of instructions.
#pragma once

#include "library.h"

#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/IRBuilder.h>

#include "ir/kernel.h"
