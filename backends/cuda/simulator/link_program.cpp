// One entry of a module to a program:
//
//   1. the module's variables and the entry's parameters come into scope;
//   2. statements are walked in order: declarations give out registers and memory, instructions are
//      decoded, labels noted; a call walks the function's statements in its place;
//   3. at a function's end its branches get their targets;
//   4. dynamic shared memory is put behind the static; branches learn where their lanes meet again.
#include <fmt/format.h>

#include <algorithm>

#include "backends/cuda/simulator/launch_limits.h"
#include "backends/cuda/simulator/linker.h"
#include "backends/cuda/simulator/source_trail.h"

namespace glint::simulator {
namespace {

template <class T>
T aligned(T offset, T alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

constexpr std::string_view kBehindCall = "(behind the call)";
constexpr size_t kDeepestCall = 64;
constexpr uint64_t kMostLocal = 1ull << 19;  // of a thread, as on the hardware
constexpr uint32_t kMostRegisterBytes = 1u << 26;

Flow flow_of(const Opcode& opcode) {
  if (opcode.row->name == "bra") return Flow::kBranch;
  if (opcode.row->name == "brx.idx") return Flow::kTable;
  if (opcode.row->name == "trap") return Flow::kTrap;
  if (opcode.row->name == "exit" || opcode.row->name == "ret") return Flow::kEnd;
  return Flow::kNext;
}

/// `mov` of a vector and of a clock has rows of its own.
std::string row_opcode(const InstructionText& text) {
  if (!text.opcode.starts_with("mov.") || text.operands.size() != 2) return text.opcode;
  const std::string rest = text.opcode.substr(3);
  if (text.operands[1].name.starts_with("%clock")) return "mov.clock" + rest;
  if (text.operands[0].kind == Operand::Kind::kVector) return "mov.unpack" + rest;
  if (text.operands[1].kind == Operand::Kind::kVector) return "mov.pack" + rest;
  return text.opcode;
}

/// What becomes of undefined operands.
Use use_of(const Opcode& opcode) {
  const std::string_view name = opcode.row->name;
  const auto is_in = [&](std::span<const InstructionRow> rows) {
    return std::ranges::find(rows, name, &InstructionRow::name) != rows.end();
  };
  if (name == "shfl.sync") return Use::kShuffle;
  if (is_in(control_rows()) || is_in(exchange_rows()) || is_in(atomic_rows())) return Use::kEffect;
  if (is_in(memory_rows())) return name == "st" ? Use::kStore : Use::kLoad;
  if (name == "mov") return Use::kCopy;
  if (name == "selp") return Use::kChoose;
  if (opcode.type() != Type::kPred) return Use::kValue;
  return name == "and" ? Use::kAnd : name == "or" ? Use::kOr : Use::kValue;
}

}  // namespace

Result<Program> Linker::run(std::string_view name) {
  const Function* entry = module_.find(name);
  if (!entry || !entry->entry || !entry->defined) {
    return Error{fmt::format("the module has no entry `{}`", name)};
  }
  program_.name = name;
  program_.target = module_.target;
  program_.files = module_.files;
  program_.source = module_.source;
  program_.bounds = entry->bounds;
  module_scope();
  scopes_.emplace_back();
  entry_parameters(*entry);
  frames_.push_back({entry, ""});
  walk(*entry);
  InstructionText end;
  end.opcode = "exit";
  instruction(end);
  finish_frame();
  if (!ok()) return located_error();
  if (const auto error = check_static_shared(program_.name, shared_bytes_)) return *error;
  place_dynamic_shared();
  find_reconvergence(program_);
  find_uses_of_shared(program_);
  program_.live_registers = count_live_registers(program_);
  return std::move(program_);
}

void Linker::module_scope() {
  scopes_.emplace_back();
  for (const Variable& variable : module_.variables) {
    Symbol symbol;
    symbol.kind = Symbol::Kind::kVariable;
    symbol.variable = &variable;
    symbol.space = variable.space;
    symbol.dynamic = variable.open;
    if (const auto found = addresses_.find(variable.name); found != addresses_.end()) {
      symbol.address = found->second;
    }
    scopes_.back()[variable.name] = symbol;
  }
}

void Linker::entry_parameters(const Function& entry) {
  for (const Variable& variable : entry.parameters) {
    const auto size = static_cast<uint32_t>(variable.size());
    const uint32_t offset = aligned(program_.parameter_bytes, variable.alignment);
    program_.parameters.push_back({variable.name, offset, size});
    program_.parameter_bytes = offset + size;
    Symbol symbol;
    symbol.kind = Symbol::Kind::kVariable;
    symbol.variable = &variable;
    symbol.space = Space::kParameter;
    symbol.address = offset;
    scopes_.back()[variable.name] = symbol;
  }
}

void Linker::walk(const Function& function) {
  for (const Statement& one : function.body) {
    if (!ok()) return;
    statement(one);
  }
}

void Linker::statement(const Statement& statement) {
  if (const auto* text = std::get_if<InstructionText>(&statement)) {
    if (text->lines.own.line != 0) frames_.back().latest = lines_of(*text);
    instruction(*text);
  } else if (const auto* label = std::get_if<Label>(&statement)) {
    frames_.back().labels[label->name] = static_cast<uint32_t>(program_.code.size());
  } else if (const auto* targets = std::get_if<BranchTargets>(&statement)) {
    frames_.back().targets[targets->name] = targets;
  } else if (const auto* registers = std::get_if<RegisterDeclaration>(&statement)) {
    declare(*registers);
  } else if (const auto* variable = std::get_if<Variable>(&statement)) {
    declare(*variable);
  } else if (std::holds_alternative<OpenScope>(statement)) {
    scopes_.emplace_back();
  } else {
    scopes_.pop_back();
  }
}

/// A function knows of its own lines only: those of the call are put in.
CodeLines Linker::lines_of(const InstructionText& text) const {
  const CodeLines& call = frames_.back().call;
  if (call.entry.line == 0) return text.lines;
  if (text.lines.own.line == 0) return {text.lines.inner, {}, call.entry};
  CodeLines lines = {text.lines.inner, call.own, call.entry};
  for (const SourceLine line : {text.lines.entry, text.lines.own, text.lines.inner})
    if (line.line != 0 && line.file == call.entry.file) lines.own = line;
  return lines;
}

void Linker::fail(Place place, std::string_view what) {
  if (error_) return;
  error_ = TextError{place, std::string(what)};
  if (!frames_.empty()) error_lines_ = frames_.back().latest;
}

/// `glint.cu:3: what`, and the line of the PTX behind it; alone where there is no other.
Error Linker::located_error() const {
  const SourceTrail trail = trail_of(program_, error_lines_);
  if (trail.line == 0) return error_at(error_->place, error_->what);
  return {fmt::format("{}\n  line {} of the PTX", trail.text(error_->what), error_->place.line)};
}

void Linker::declare(const RegisterDeclaration& declaration) {
  const uint32_t count = declaration.count.value_or(1);
  const uint32_t width = size_of(declaration.type);
  const uint64_t bytes = uint64_t{count} * register_bytes(declaration.type, width);
  if (program_.register_bytes + bytes > kMostRegisterBytes) {
    fail(frames_.back().function->place, "the entry has too many registers");
    return;
  }
  for (uint32_t i = 0; i < count; ++i) {
    std::string name = declaration.name;
    if (declaration.count) name += std::to_string(i);
    Symbol symbol;
    Register reg;
    reg.name = frames_.back().prefix + name;
    reg.type = declaration.type;
    symbol.reg = add_register(std::move(reg), width);
    scopes_.back()[std::move(name)] = symbol;
  }
}

void Linker::declare(const Variable& variable) {
  Symbol symbol;
  symbol.kind = Symbol::Kind::kVariable;
  symbol.variable = &variable;
  symbol.space = variable.space;
  symbol.dynamic = variable.open;
  if (variable.space == Space::kLocal || variable.space == Space::kParameter) {
    symbol.space = Space::kLocal;
    symbol.address = allocate_local(variable);
  } else if (variable.space != Space::kShared) {
    fail(variable.place, fmt::format("a variable in {} space belongs outside of functions",
                                     space_name(variable.space)));
  }
  scopes_.back()[variable.name] = symbol;
}

uint32_t Linker::allocate_local(const Variable& variable) {
  const uint64_t offset = aligned<uint64_t>(program_.local_bytes, variable.alignment);
  if (offset + variable.size() > kMostLocal) {
    fail(variable.place, "a thread has too much local memory");
    return 0;
  }
  // Threads lie one behind the other: each begins at a multiple of 16.
  program_.local_bytes = static_cast<uint32_t>(aligned<uint64_t>(offset + variable.size(), 16));
  return static_cast<uint32_t>(offset);
}

/// An instruction that is known is told by what is wrong with it, another one by its name.
void Linker::refuse_malformed(const InstructionText& text) {
  const bool calls = text.opcode.starts_with("call");
  const Result<Opcode> opcode = find_opcode(text.opcode);
  if (calls || opcode) {
    fail(text.malformed->place, text.malformed->what);
  } else {
    fail(text.place, opcode.error().message);
  }
}

void Linker::instruction(const InstructionText& text) {
  if (text.malformed) {
    refuse_malformed(text);
    return;
  }
  if (text.opcode == "call" || text.opcode == "call.uni") {
    call(text);
    return;
  }
  const bool called = frames_.size() > 1;
  if (called && (text.opcode == "ret" || text.opcode == "ret.uni")) {
    branch_to(text, std::string(kBehindCall), false);
    return;
  }
  const std::string name = row_opcode(text);
  const Result<Opcode> opcode = find_opcode(name);
  if (!opcode) {
    fail(text.place, opcode.error().message);
    return;
  }
  Instruction instruction;
  instruction.type = opcode->type();
  InstructionInfo info;
  info.flow = flow_of(*opcode);
  info.use = use_of(*opcode);
  if (!opcode->row->prepare(*opcode, instruction) || !instruction.run) {
    fail(text.place,
         fmt::format("`{}` is outside the instructions that the simulator knows", text.opcode));
    return;
  }
  guard(text, instruction, info);
  operands(text, *opcode, instruction, info);
  program_.blocks_meet |= may_meet_blocks(*opcode, instruction.space);
  append(text, instruction, std::move(info));
}

void Linker::append(const InstructionText& text, Instruction instruction, InstructionInfo info) {
  info.opcode = text.opcode;
  info.guarded = !text.guard.empty();
  info.place = text.place;
  info.lines = lines_of(text);
  program_.code.push_back(instruction);
  program_.info.push_back(std::move(info));
}

/// A branch that the text does not have: over a call, or back from one.
void Linker::branch_to(const InstructionText& text, const std::string& label, bool when_false) {
  const Result<Opcode> opcode = find_opcode("bra");
  Instruction instruction;
  InstructionInfo info;
  info.flow = Flow::kBranch;
  opcode->row->prepare(*opcode, instruction);
  guard(text, instruction, info);
  if (when_false) instruction.guard_flip = ~instruction.guard_flip;
  frames_.back().fixups.push_back(
      {static_cast<uint32_t>(program_.code.size()), label, false, text.place});
  append(text, instruction, std::move(info));
}

/// `call (retval0), name, (param0, param1)`: the function's statements, here.
void Linker::call(const InstructionText& text) {
  const auto& operands = text.operands;
  const bool has_results = !operands.empty() && operands[0].kind == Operand::Kind::kList;
  const size_t at = has_results ? 1 : 0;
  const bool direct = operands.size() > at && operands[at].kind == Operand::Kind::kName;
  const Function* function = direct ? module_.find(operands[at].name) : nullptr;
  if (function && !function->defined) {
    if (const SystemCall* system = find_system_call(function->name)) {
      system_call(text, *system);
      return;
    }
  }
  if (!function || !function->defined || operands.size() > at + 2) {
    const std::string name = direct ? " of `" + operands[at].name + "`" : std::string();
    fail(text.place, fmt::format("`call`{} is outside what the simulator knows: functions with a "
                                 "body, called by name",
                                 name));
    return;
  }
  const auto same = [&](const Frame& frame) { return frame.function == function; };
  if (std::any_of(frames_.begin(), frames_.end(), same) || frames_.size() >= kDeepestCall) {
    fail(text.place,
         fmt::format("`{}` calls itself: the simulator inlines functions", function->name));
    return;
  }
  Scope scope;
  bind(text, function->results, has_results ? &operands[0] : nullptr, scope);
  bind(text, function->parameters, operands.size() > at + 1 ? &operands[at + 1] : nullptr, scope);
  frames_.push_back({.function = function,
                     .prefix = fmt::format("{}.{}:", function->name, inlined_++),
                     .call = frames_.back().latest});
  if (!text.guard.empty()) branch_to(text, std::string(kBehindCall), true);
  std::vector<Scope> outside(scopes_.begin() + 1, scopes_.end());
  scopes_.resize(1);
  scopes_.push_back(std::move(scope));
  walk(*function);
  frames_.back().labels[std::string(kBehindCall)] = static_cast<uint32_t>(program_.code.size());
  finish_frame();
  scopes_.resize(1);
  for (Scope& one : outside) scopes_.push_back(std::move(one));
}

/// A function's parameters are the variables that the call names.
void Linker::bind(const InstructionText& text, const std::vector<Variable>& formal,
                  const Operand* actual, Scope& scope) {
  if (formal.size() != (actual ? actual->elements.size() : 0)) {
    fail(text.place, "the call and the function have different numbers of parameters");
    return;
  }
  for (size_t i = 0; i < formal.size(); ++i) {
    const Symbol* symbol = call_variable(actual->elements[i]);
    if (!symbol) return;
    scope[formal[i].name] = *symbol;
  }
}

const Symbol* Linker::call_variable(const Operand& actual) {
  const Symbol* symbol = find(actual.name);
  if (symbol && symbol->kind == Symbol::Kind::kVariable && symbol->space == Space::kLocal)
    return symbol;
  fail(actual.place, "expected a variable of the call in parameter space");
  return nullptr;
}

/// A call of a function that the text only declares: one instruction, which finds its parameters in
/// the thread's local memory.
void Linker::system_call(const InstructionText& text, const SystemCall& call) {
  std::vector<Operand> parameters, results;
  for (const Operand& operand : text.operands) {
    if (operand.kind != Operand::Kind::kList) continue;
    (&operand == &text.operands.front() ? results : parameters) = operand.elements;
  }
  if (parameters.size() != call.parameters || results.size() > 1) {
    fail(text.place, "the call and the function have different numbers of parameters");
    return;
  }
  Instruction instruction;
  InstructionInfo info;
  instruction.run = call.run;
  instruction.mode = static_cast<uint8_t>(results.size());
  const auto place = [&](const Operand& actual) {
    const Symbol* symbol = call_variable(actual);
    return symbol ? static_cast<uint32_t>(*symbol->address) : 0;
  };
  for (size_t i = 0; i < parameters.size(); ++i) instruction.operand[i] = place(parameters[i]);
  if (!results.empty()) instruction.operand[kResultSlot] = place(results.front());
  guard(text, instruction, info);
  append(text, instruction, std::move(info));
}

void Linker::finish_frame() {
  for (const Frame::Fixup& fixup : frames_.back().fixups) {
    Instruction& instruction = program_.code[fixup.instruction];
    if (fixup.table) {
      instruction.target = static_cast<uint32_t>(program_.branch_tables.size());
      program_.branch_tables.push_back(table_of(fixup));
    } else {
      instruction.target = label_of(fixup.label, fixup.place);
    }
  }
  frames_.pop_back();
}

std::vector<uint32_t> Linker::table_of(const Frame::Fixup& fixup) {
  std::vector<uint32_t> table;
  const auto found = frames_.back().targets.find(fixup.label);
  if (found == frames_.back().targets.end()) {
    fail(fixup.place, fmt::format("no table of branch targets `{}`", fixup.label));
    return table;
  }
  for (const std::string& label : found->second->labels) {
    table.push_back(label_of(label, fixup.place));
  }
  return table;
}

uint32_t Linker::label_of(const std::string& name, Place place) {
  const auto found = frames_.back().labels.find(name);
  if (found != frames_.back().labels.end()) return found->second;
  fail(place, fmt::format("no label `{}`", name));
  return 0;
}

void Linker::place_dynamic_shared() {
  program_.shared_bytes = aligned(static_cast<uint32_t>(shared_bytes_), shared_alignment_);
  for (const uint32_t number : dynamic_constants_) {
    program_.registers[number].bits += program_.shared_bytes;
  }
}

Result<Program> link_program(const Module& module, std::string_view entry,
                             const VariableAddresses& addresses) {
  return Linker(module, addresses).run(entry);
}

}  // namespace glint::simulator
