#include "backends/cuda/simulator/instruction_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace glint::simulator {
namespace {

const std::vector<InstructionRow>& table() {
  static const std::vector<InstructionRow> rows = instruction_table();
  return rows;
}

/// The row with the longest name that `text` begins with.
const InstructionRow* find_row(std::string_view text) {
  const InstructionRow* found = nullptr;
  for (const InstructionRow& row : table()) {
    if (!text.starts_with(row.name)) continue;
    if (text.size() > row.name.size() && text[row.name.size()] != '.') continue;
    if (!found || row.name.size() > found->name.size()) found = &row;
  }
  return found;
}

bool allows(const InstructionRow& row, std::string_view modifier) {
  const auto allowed = split(row.modifiers, ' ');
  const auto has = [&](std::string_view name) {
    return std::find(allowed.begin(), allowed.end(), name) != allowed.end();
  };
  const bool cache_hint = modifier.starts_with("L1::") || modifier.starts_with("L2::");
  return has(modifier) || (cache_hint && has("cache"));
}

Error outside(std::string_view opcode, std::string_view why) {
  return {fmt::format("`{}` is outside the instructions that the simulator knows{}", opcode, why)};
}

/// ".f16 .f32 .f64".
std::string type_list(TypeSet set) {
  std::string text;
  for (const TypeInfo& type : type_table()) {
    if (type.type == Type::kNone || !holds(set, type.type)) continue;
    text += fmt::format("{}.{}", text.empty() ? "" : " ", type.name);
  }
  return text;
}

}  // namespace

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const size_t end = std::min(text.find(separator), text.size());
    std::string_view part = text.substr(0, end);
    while (part.starts_with(' ')) part.remove_prefix(1);
    if (!part.empty()) parts.push_back(part);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

std::vector<InstructionRow> instruction_table() {
  std::vector<InstructionRow> rows;
  for (const auto family :
       {arithmetic_rows, carry_rows, bit_rows, floating_rows, approximate_rows, comparison_rows,
        conversion_rows, move_rows, memory_rows, atomic_rows, control_rows, exchange_rows}) {
    const std::span<const InstructionRow> part = family();
    rows.insert(rows.end(), part.begin(), part.end());
  }
  return rows;
}

bool Opcode::has(std::string_view modifier) const {
  return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
}

std::string_view Opcode::first_of(std::initializer_list<std::string_view> names) const {
  for (const std::string_view modifier : modifiers) {
    if (std::find(names.begin(), names.end(), modifier) != names.end()) return modifier;
  }
  return {};
}

Result<Opcode> find_opcode(std::string_view text) {
  Opcode opcode;
  opcode.row = find_row(text);
  if (!opcode.row) return outside(text, "");
  const InstructionRow& row = *opcode.row;
  for (const std::string_view part : split(text.substr(row.name.size()), '.')) {
    // A modifier may look like a type's name (`.b32` of `shfl` is a type, `.b` of `prmt` is none).
    if (const auto type = type_named(part); type && row.types != 0) {
      opcode.types.push_back(type->type);
    } else if (allows(row, part)) {
      opcode.modifiers.push_back(part);
    } else {
      return outside(text, fmt::format(": `{}` is known, `.{}` of it is not", row.name, part));
    }
  }
  if (row.types != 0 && !holds(row.types, opcode.type())) {
    return outside(text, fmt::format(": `{}` is known with {}", row.name, type_list(row.types)));
  }
  return opcode;
}

std::string instruction_manual() {
  std::string text =
      "# The PTX that the simulator executes\n\n"
      "One row of `backends/cuda/simulator`'s tables each; an instruction, modifier or type that "
      "is\n"
      "not here is refused by its name. Operands: `d` destination, `p` `q` predicates, `n` `r` 32\n"
      "bits, `v` `w` a vector or a register, `m` an address, `l` `t` a label and a table of them, "
      "`k`\n"
      "a clock, `i` a cache's policy, of which there is none; `?` may be missing.\n\n"
      "| instruction | operands | modifiers | types | meaning |\n| --- | --- | --- | --- | --- |\n";
  const auto in_table = [](std::string_view cell) {
    std::string escaped;
    for (const char c : cell) {
      if (c == '|') escaped += '\\';
      escaped += c;
    }
    return escaped;
  };
  for (const InstructionRow& row : table()) {
    text += fmt::format("| `{}` | {} | {} | {} | {} |\n", row.name, row.operands,
                        in_table(row.modifiers), type_list(row.types), in_table(row.meaning));
  }
  return text;
}

}  // namespace glint::simulator
