// One entry of a module, linked: a flat list of instructions, functions inlined, names resolved to
// registers and addresses, and for each branch the place where its lanes meet again.
//
// What remains of the text is beside the code: the place, source line and opcode of each
// instruction, and the names of the registers.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "backends/cuda/simulator/instruction.h"
#include "backends/cuda/simulator/memory.h"
#include "backends/cuda/simulator/module.h"
#include "backends/cuda/simulator/undefined_values.h"

namespace glint::simulator {

/// Where a warp may be after an instruction.
enum class Flow : uint8_t { kNext, kBranch, kTable, kEnd, kTrap };

struct InstructionInfo {
  std::string opcode;
  Flow flow = Flow::kNext;
  Use use = Use::kValue;
  bool guarded = false;
  Place place;
  CodeLines lines;
  std::vector<uint32_t> reads;  ///< numbers of registers
  std::vector<uint32_t> writes;
  /// Beside these: as what the instruction takes each; kNone: as an address.
  std::vector<Type> read_types = {};
  std::vector<Type> write_types = {};
};

enum class Special : uint8_t {
  kTid,
  kNtid,
  kCtaid,
  kNctaid,
  kLaneId,
  kWarpId,
  kWarpCount,
  kLaneMaskEq,
  kLaneMaskLt,
  kLaneMaskLe,
  kLaneMaskGt,
  kLaneMaskGe,
  kMultiprocessor,
  kSharedSize,
  kDynamicSharedSize,
};

struct Register {
  enum class Role : uint8_t { kWritten, kConstant, kSpecial };
  std::string name;  ///< `%r1`; of a function that was inlined: `name:%r1`
  Type type = Type::kNone;
  uint32_t offset = 0;
  Role role = Role::kWritten;
  uint64_t bits = 0;  ///< of a constant
  Special special = Special::kTid;
  uint8_t axis = 0;  ///< of `%tid.y`: 1
};

struct Parameter {
  std::string name;
  uint32_t offset = 0;
  uint32_t size = 0;
};

struct Program {
  std::string name;
  std::string target;  ///< `sm_80`
  std::vector<std::string> files;
  SourceText source;
  std::vector<Instruction> code;
  std::vector<InstructionInfo> info;  ///< beside `code`
  std::vector<std::vector<uint32_t>> branch_tables;
  std::vector<Register> registers;
  uint32_t register_bytes = 0;  ///< of a warp
  std::vector<Parameter> parameters;
  LaunchBounds bounds;
  uint32_t parameter_bytes = 0;
  uint32_t shared_bytes = 0;  ///< without the dynamic part, which lies behind
  uint32_t local_bytes = 0;   ///< of a thread
  /// 32-bit registers that a thread needs at once by the text; an assembler takes more or fewer.
  uint32_t live_registers = 0;
  /// Atomics on global memory, volatile reads of it and the like, or fences: blocks may see each
  /// other.
  bool blocks_meet = false;
  bool updates_shared = false;  ///< it may update shared memory atomically
  bool polls_shared = false;    ///< it may wait for what others write there
};

/// The device addresses of a module's variables in global and constant memory.
using VariableAddresses = std::map<std::string, uint64_t, std::less<>>;

/// Links one entry. The error's message begins with the place in the text.
Result<Program> link_program(const Module& module, std::string_view entry,
                             const VariableAddresses& addresses);

}  // namespace glint::simulator
