// Machine code of a GPU: a cubin, how many registers its kernels take, and its text (SASS).
//
//     auto code = machine_code(module.source, "compute_80");     // by NVRTC, for sm_80
//     code->registers.at("relu")                          // 12
//     auto text = disassembly(code->cubin);                      // by nvdisasm, if it is installed
//
// No GPU is needed: NVRTC assembles for whichever one is named. A cubin is an ELF file; its section
// `.nv.info` has a record for each kernel, of which the register count alone is read here.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "core/support/result.h"

namespace glint::cuda {

struct MachineCode {
  std::string cubin;
  std::map<std::string, uint32_t> registers;  ///< of a thread, by entry
};

/// CUDA C++ as machine code of an architecture, `compute_80`. The text is known to compile.
Result<MachineCode> machine_code(const std::string& source, const std::string& architecture);

/// The registers of each entry of a cubin; none where it is no such file.
std::map<std::string, uint32_t> registers_of(std::string_view cubin);

/// The program that disassembles, or why there is none and how to get it.
Result<std::string> find_disassembler();
/// A cubin's text, each kernel's lines with the lines of the source that they came from; from the
/// files of what was disassembled before, if it is there.
Result<std::string> disassembly(std::string_view cubin);

}  // namespace glint::cuda
