// A place in a list of tokens: what the parsers of modules and of statements read with. It
// remembers the first error; after that every `accept` says no, so that a parser runs out by
// itself.
//
//     reader.accept(".reg"); reader.word() == "%r"; reader.expect("<")
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backends/cuda/simulator/call_sites.h"
#include "backends/cuda/simulator/lexer.h"

namespace glint::simulator {

class TokenReader {
 public:
  explicit TokenReader(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  const Token& peek(size_t ahead = 0) const {
    return tokens_[std::min(position_ + ahead, tokens_.size() - 1)];
  }
  bool peek_is(std::string_view text, size_t ahead = 0) const {
    return ok() && peek(ahead).kind != Token::Kind::kEnd && peek(ahead).text == text;
  }
  bool at_end() const { return !ok() || peek().kind == Token::Kind::kEnd; }
  Token take() {
    Token token = peek();
    if (position_ + 1 < tokens_.size()) ++position_;
    return token;
  }

  bool accept(std::string_view text);
  /// As accept, but its absence is an error.
  bool expect(std::string_view text);
  /// A name; empty, and an error, where none comes next.
  std::string word(std::string_view what);
  /// An integer, with its sign; an error where none comes next.
  int64_t integer(std::string_view what);
  bool peek_word() const { return ok() && peek().kind == Token::Kind::kWord; }
  bool peek_number() const {
    return ok() && (peek().kind == Token::Kind::kInteger || peek().kind == Token::Kind::kFloat);
  }

  bool ok() const { return !error_; }
  void fail(Place place, std::string_view what) {
    if (!error_) error_ = TextError{place, std::string(what)};
  }
  void fail_here(std::string_view what);
  Error error() const { return error_at(error_->place, error_->what); }
  /// The error, if there is one, which is none any more: reading goes on behind the next `close`.
  std::optional<TextError> recover_behind(std::string_view close);

 private:
  std::vector<Token> tokens_;
  size_t position_ = 0;
  std::optional<TextError> error_;
};

/// One statement of a function's body; nothing at the end of the body's or a scope's text that is
/// not one (`}`), or after an error. `.loc` lines and pragmas are taken in on the way.
class StatementParser {
 public:
  explicit StatementParser(TokenReader& reader) : reader_(reader) {}

  /// Reads `{ ... }`, nested scopes included.
  std::vector<Statement> body();
  /// `.shared .align 4 .b8 name[64] = {...}`, from its space on; the `;` is left.
  Variable variable();

 private:
  void statement(std::vector<Statement>& to);
  void labelled(std::vector<Statement>& to);
  void directive(std::vector<Statement>& to);
  void registers(std::vector<Statement>& to);
  void location();
  SourcePlace source_place();
  InstructionText instruction();
  Operand operand();
  Operand element();
  Operand named_operand();
  Operand number_operand();
  Operand address();
  std::vector<Operand> operands_until(std::string_view close);
  void attributes(Variable& variable);
  void dimensions(Variable& variable);
  void initial_values(Variable& variable);
  void initial_value(Variable& variable);
  std::string address_name();

  TokenReader& reader_;
  CodeLines lines_;
  CallSites call_sites_;
};

}  // namespace glint::simulator
