// The statements of a function's body: instructions with their operands, labels, scopes, registers
// and variables. What an opcode means is not asked here: every instruction has the same form.
//
//     @!%p1 setp.lt.and.f32 %p2|%p3, %f1, 0f3F800000, %p4;
#include <fmt/format.h>

#include <algorithm>

#include "backends/cuda/simulator/token_reader.h"

namespace glint::simulator {
namespace {

/// More than any kernel has; what asks for more is a mistake in the text.
constexpr int64_t kMostRegisters = 1 << 20;
constexpr uint64_t kMostElements = 1ull << 28;
constexpr int64_t kGreatestAlignment = 1 << 16;

}  // namespace

bool TokenReader::accept(std::string_view text) {
  if (!peek_is(text) || peek().kind == Token::Kind::kString) return false;
  take();
  return true;
}

bool TokenReader::expect(std::string_view text) {
  if (accept(text)) return true;
  fail_here(fmt::format("expected `{}`", text));
  return false;
}

std::string TokenReader::word(std::string_view what) {
  if (peek_word()) return std::string(take().text);
  fail_here(fmt::format("expected {}", what));
  return {};
}

int64_t TokenReader::integer(std::string_view what) {
  const bool negative = accept("-");
  if (ok() && peek().kind == Token::Kind::kInteger) {
    const auto value = static_cast<int64_t>(take().bits);
    return negative ? static_cast<int64_t>(0 - static_cast<uint64_t>(value)) : value;
  }
  fail_here(fmt::format("expected {}", what));
  return 0;
}

void TokenReader::fail_here(std::string_view what) {
  const Token& token = peek();
  const std::string_view found = token.kind == Token::Kind::kEnd ? "the end" : token.text;
  fail(token.place, token.kind == Token::Kind::kEnd ? fmt::format("{}, not the end", what)
                                                    : fmt::format("{}, not `{}`", what, found));
}

std::optional<TextError> TokenReader::recover_behind(std::string_view close) {
  std::optional<TextError> error = std::move(error_);
  error_.reset();
  while (error && !at_end() && !accept(close)) take();
  return error;
}

std::vector<Statement> StatementParser::body() {
  std::vector<Statement> statements;
  reader_.expect("{");
  for (int depth = 1; depth > 0 && reader_.ok();) {
    if (reader_.accept("{")) {
      ++depth;
      statements.emplace_back(OpenScope{});
    } else if (reader_.accept("}")) {
      if (--depth > 0) statements.emplace_back(CloseScope{});
    } else if (reader_.at_end()) {
      reader_.fail_here("expected `}`");
    } else {
      statement(statements);
    }
  }
  return statements;
}

void StatementParser::statement(std::vector<Statement>& to) {
  const Token& first = reader_.peek();
  if (first.kind == Token::Kind::kWord && first.text.front() == '.') {
    directive(to);
    return;
  }
  if (first.kind == Token::Kind::kWord && reader_.peek_is(":", 1)) {
    labelled(to);
    return;
  }
  to.emplace_back(instruction());
}

void StatementParser::labelled(std::vector<Statement>& to) {
  std::string name(reader_.take().text);
  reader_.take();
  if (reader_.peek_is(".callprototype") || reader_.peek_is(".calltargets")) {
    // What a call through a pointer may reach; the call itself is refused where it is needed.
    while (!reader_.at_end() && !reader_.accept(";")) reader_.take();
  } else if (reader_.accept(".branchtargets")) {
    BranchTargets targets{std::move(name), {}};
    do {
      targets.labels.push_back(reader_.word("a label"));
    } while (reader_.accept(","));
    reader_.expect(";");
    to.emplace_back(std::move(targets));
  } else {
    to.emplace_back(Label{std::move(name)});
  }
}

void StatementParser::directive(std::vector<Statement>& to) {
  if (reader_.peek_is(".loc")) {
    location();
  } else if (reader_.accept(".pragma")) {
    reader_.take();
    reader_.expect(";");
  } else if (reader_.peek_is(".reg")) {
    registers(to);
  } else if (space_named(reader_.peek().text.substr(1))) {
    to.emplace_back(variable());
    reader_.expect(";");
  } else {
    reader_.fail_here("expected a statement");
  }
}

/// `1 12 5`
SourcePlace StatementParser::source_place() {
  SourcePlace place;
  place.line.file = static_cast<uint32_t>(reader_.integer("a file's number"));
  place.line.line = static_cast<uint32_t>(reader_.integer("a line"));
  place.column = static_cast<uint32_t>(reader_.integer("a column"));
  return place;
}

/// `.loc 1 12 5`, with `, function_name $L__info_string0, inlined_at 1 30 7` behind it or not.
void StatementParser::location() {
  reader_.take();
  const SourcePlace place = source_place();
  std::optional<SourcePlace> inlined_at;
  while (reader_.accept(",")) {
    if (reader_.word("a field of `.loc`") == "inlined_at") {
      inlined_at = source_place();
    } else {
      reader_.word("a symbol");
      if (reader_.accept("+")) reader_.integer("an offset");
    }
  }
  lines_ = call_sites_.lines_at(place, inlined_at);
}

void StatementParser::registers(std::vector<Statement>& to) {
  reader_.take();
  const Token type = reader_.take();
  const auto found = type_named(type.text.empty() ? type.text : type.text.substr(1));
  if (!found) {
    reader_.fail(type.place, fmt::format("registers of type `{}` are not known", type.text));
    return;
  }
  do {
    RegisterDeclaration declaration;
    declaration.type = found->type;
    declaration.name = reader_.word("a register's name");
    if (reader_.accept("<")) {
      const Place place = reader_.peek().place;
      const int64_t count = reader_.integer("how many registers");
      if (count < 0 || count > kMostRegisters) reader_.fail(place, "expected fewer registers");
      declaration.count = static_cast<uint32_t>(reader_.ok() ? count : 0);
      reader_.expect(">");
    }
    to.emplace_back(std::move(declaration));
  } while (reader_.accept(","));
  reader_.expect(";");
}

InstructionText StatementParser::instruction() {
  InstructionText instruction;
  instruction.lines = lines_;
  if (reader_.accept("@")) {
    instruction.guard_negated = reader_.accept("!");
    instruction.guard = reader_.word("a predicate");
  }
  instruction.place = reader_.peek().place;
  instruction.opcode = reader_.word("an instruction");
  if (!reader_.peek_is(";")) {
    do {
      instruction.operands.push_back(operand());
    } while (reader_.accept(","));
  }
  reader_.expect(";");
  if (!instruction.opcode.empty()) instruction.malformed = reader_.recover_behind(";");
  return instruction;
}

Operand StatementParser::operand() {
  const Place place = reader_.peek().place;
  Operand operand;
  if (reader_.peek_is("[")) {
    operand = address();
  } else if (reader_.accept("{")) {
    operand.kind = Operand::Kind::kVector;
    operand.elements = operands_until("}");
  } else if (reader_.accept("(")) {
    operand.kind = Operand::Kind::kList;
    operand.elements = operands_until(")");
  } else if (reader_.peek_number() || reader_.peek_is("-")) {
    operand = number_operand();
  } else {
    operand = named_operand();
  }
  operand.place = place;
  return operand;
}

Operand StatementParser::named_operand() {
  Operand operand;
  operand.negated = reader_.accept("!");
  operand.name = reader_.word("an operand");
  if (reader_.accept("|")) operand.second = reader_.word("a predicate");
  if (reader_.accept("+")) operand.offset = reader_.integer("an offset");
  return operand;
}

Operand StatementParser::number_operand() {
  Operand operand;
  const bool negative = reader_.accept("-");
  if (!reader_.peek_number()) {
    reader_.fail_here("expected a number");
    return operand;
  }
  const Token token = reader_.take();
  operand.float_size = token.float_size;
  operand.bits = token.bits;
  if (token.kind == Token::Kind::kFloat) {
    operand.kind = Operand::Kind::kFloat;
    if (negative) operand.bits ^= token.float_size == 4 ? 1ull << 31 : 1ull << 63;
  } else {
    operand.kind = Operand::Kind::kInteger;
    if (negative) operand.bits = 0 - operand.bits;
  }
  return operand;
}

/// `[%rd1]`, `[%rd1+-4]`, `[buffer+16]`, `[64]`.
Operand StatementParser::address() {
  Operand operand;
  operand.kind = Operand::Kind::kAddress;
  reader_.expect("[");
  if (reader_.peek_word()) {
    operand.name = reader_.word("an address");
    if (reader_.accept("+")) {
      operand.offset = reader_.integer("an offset");
    } else if (reader_.peek_is("-")) {
      operand.offset = reader_.integer("an offset");
    }
  } else {
    operand.offset = reader_.integer("an address");
  }
  reader_.expect("]");
  return operand;
}

/// What may stand in a vector or a list: no further ones.
Operand StatementParser::element() {
  const Place place = reader_.peek().place;
  const bool number = reader_.peek_number() || reader_.peek_is("-");
  Operand element = number ? number_operand() : named_operand();
  element.place = place;
  return element;
}

std::vector<Operand> StatementParser::operands_until(std::string_view close) {
  std::vector<Operand> operands;
  if (reader_.accept(close)) return operands;
  do {
    operands.push_back(element());
  } while (reader_.accept(","));
  reader_.expect(close);
  return operands;
}

Variable StatementParser::variable() {
  Variable variable;
  const Token space = reader_.take();
  const std::string_view space_text = space.text.empty() ? space.text : space.text.substr(1);
  if (const auto known = space_named(space_text)) {
    variable.space = *known;
  } else {
    reader_.fail(space.place, fmt::format("expected a state space, not `{}`", space.text));
  }
  attributes(variable);
  if (variable.type == Type::kNone) reader_.fail_here("expected a type");
  variable.place = reader_.peek().place;
  variable.name = reader_.word("a variable's name");
  dimensions(variable);
  if (reader_.accept("=")) initial_values(variable);
  return variable;
}

/// `.align 8 .b8`, `.u64 .ptr .global .align 16`: alignment and type, in the order they come.
void StatementParser::attributes(Variable& variable) {
  while (reader_.peek_word() && reader_.peek().text.front() == '.') {
    const Token token = reader_.take();
    const std::string_view name = token.text.substr(1);
    if (name == "align") {
      const int64_t alignment = reader_.integer("an alignment");
      const bool power = alignment > 0 && (alignment & (alignment - 1)) == 0;
      if (!power || alignment > kGreatestAlignment) {
        reader_.fail(token.place, "an alignment must be a small power of two");
        return;
      }
      variable.alignment = std::max(variable.alignment, static_cast<uint32_t>(alignment));
    } else if (const auto type = type_named(name)) {
      variable.type = type->type;
      variable.alignment = std::max<uint32_t>(variable.alignment, type->size);
    } else if (name == "ptr") {
      // What the pointer points to says nothing about the parameter itself.
      while (reader_.peek_word() && reader_.peek().text.front() == '.') {
        if (reader_.take().text == ".align") reader_.integer("an alignment");
      }
    } else if (name == "attribute") {
      reader_.fail(token.place, "`__managed__` variables are outside what the simulator knows");
    } else {
      reader_.fail(token.place, fmt::format("`{}` is not known of a variable", token.text));
    }
  }
}

void StatementParser::dimensions(Variable& variable) {
  while (reader_.accept("[")) {
    if (reader_.accept("]")) {
      variable.open = true;
      variable.count = 0;
      continue;
    }
    const Place place = reader_.peek().place;
    const auto size = static_cast<uint64_t>(reader_.integer("a size"));
    variable.count = size <= kMostElements ? variable.count * size : kMostElements + 1;
    if (variable.count > kMostElements) {
      reader_.fail(place, fmt::format("`{}` is too large", variable.name));
      return;
    }
    reader_.expect("]");
  }
}

void StatementParser::initial_values(Variable& variable) {
  int depth = 0;
  do {
    if (reader_.accept("{")) {
      ++depth;
    } else if (reader_.accept("}")) {
      --depth;
    } else if (!reader_.accept(",")) {
      initial_value(variable);
    }
  } while (depth > 0 && reader_.ok());
  if (variable.open) variable.count = variable.initial.size();
  variable.open = false;
}

void StatementParser::initial_value(Variable& variable) {
  uint64_t bits = 0;
  if (reader_.peek_number() || reader_.peek_is("-")) {
    bits = number_operand().bits;
  } else if (reader_.peek_word()) {
    variable.initial_address = address_name();
  } else {
    reader_.fail_here("expected an initial value");
  }
  variable.initial.push_back(bits);
}

/// `f`, `table+8`, `generic(table)+8`.
std::string StatementParser::address_name() {
  std::string name = reader_.word("a name");
  if (reader_.accept("(")) {
    name = reader_.word("a name");
    reader_.expect(")");
  }
  if (reader_.accept("+")) reader_.integer("an offset");
  return name;
}

}  // namespace glint::simulator
