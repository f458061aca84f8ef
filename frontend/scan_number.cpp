// Where a number literal ends, and CPython's complaints about those that end wrongly.
//
//     1_000.5e-3)    ends before the bracket
//     1if x else 2   ends before `if`: a keyword may follow without a space
//     1abc           invalid decimal literal, at the digit
//     0b12           invalid digit '2' in binary literal, at the digit
//
// One character is read ahead, as CPython's tokenizer does: its carets stand at the character that
// it read last.

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <utility>

#include "frontend/literals.h"
#include "frontend/warnings.h"

namespace glint::frontend {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool goes_on_a_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

class NumberReader {
 public:
  explicit NumberReader(std::string_view text) : text_(text) {}

  NumberScan run() {
    if (peek() == '.')
      fraction();
    else if (peek() != '0' || !(based('x', 16) || based('o', 8) || based('b', 2) || zeros()))
      decimal();
    if (scan_.error.empty()) scan_.end = at_;
    return std::move(scan_);
  }

 private:
  char peek(size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  bool peek_is(char lower) const {
    return std::tolower(static_cast<unsigned char>(peek())) == lower;
  }
  /// A complaint whose caret stands under the byte before `end`.
  bool fail(std::string message, size_t end) { return fail(std::move(message), end - 1, end); }
  bool fail(std::string message, size_t begin, size_t end) {
    if (scan_.error.empty()) {
      scan_.error = std::move(message);
      scan_.error_begin = begin;
      scan_.error_end = end;
    }
    return false;
  }

  /// Digits with single underscores between them.
  bool digits() {
    for (;;) {
      while (is_digit(peek())) ++at_;
      if (peek() != '_') return true;
      ++at_;
      if (!is_digit(peek())) return fail("invalid decimal literal", at_);
    }
  }

  /// What follows may be a keyword, but not the rest of a name.
  bool ends_well(std::string_view kind) {
    static constexpr std::array<std::string_view, 8> kKeywords = {"and", "else", "for", "if",
                                                                  "in",  "is",   "or",  "not"};
    for (std::string_view keyword : kKeywords) {
      if (!text_.substr(at_).starts_with(keyword)) continue;
      // CPython reads on behind the longer ones.
      char next = peek(keyword.size());
      bool goes_on = goes_on_a_name(next) || static_cast<unsigned char>(next) >= 0x80;
      if (keyword[0] != 'i' && goes_on) continue;
      scan_.warning = number_warning(kind);
      return true;
    }
    if (!goes_on_a_name(peek())) return true;
    return fail(fmt::format("invalid {} literal", kind), at_);
  }

  bool is_digit_of(char c, unsigned base) const {
    return base == 16 ? std::isxdigit(static_cast<unsigned char>(c)) != 0
                      : c >= '0' && c < static_cast<char>('0' + base);
  }

  /// `0x1f`; false where the number has no such marker.
  bool based(char marker, unsigned base) {
    if (std::tolower(static_cast<unsigned char>(peek(1))) != marker) return false;
    std::string_view kind = base == 16 ? "hexadecimal" : base == 8 ? "octal" : "binary";
    auto wrong_digit = [&] {
      fail(fmt::format("invalid digit '{}' in {} literal", peek(), kind), at_ + 1);
      return true;
    };
    at_ += 2;
    do {
      if (peek() == '_') ++at_;
      if (!is_digit_of(peek(), base)) {
        if (is_digit(peek())) return wrong_digit();
        fail(fmt::format("invalid {} literal", kind), at_);
        return true;
      }
      while (is_digit_of(peek(), base)) ++at_;
    } while (peek() == '_');
    if (is_digit(peek())) return wrong_digit();
    ends_well(kind);
    return true;
  }

  /// A number that begins with zeros: zero, a float, or a mistake.
  bool zeros() {
    for (;;) {
      if (peek() == '_') {
        ++at_;
        if (!is_digit(peek())) return fail("invalid decimal literal", at_), true;
      }
      if (peek() != '0') break;
      ++at_;
    }
    size_t zeros_end = at_;
    bool nonzero = is_digit(peek());
    if (nonzero && !digits()) return true;
    bool real = peek() == '.' || peek_is('e') || peek_is('j');
    if (nonzero && !real) {
      fail(
          "leading zeros in decimal integer literals are not permitted; use an 0o prefix for "
          "octal integers",
          0, zeros_end);
      return true;
    }
    rest();
    return true;
  }

  void decimal() {
    if (digits()) rest();
  }
  /// Behind the whole part.
  void rest() {
    if (peek() == '.')
      fraction();
    else
      exponent();
  }
  void fraction() {
    ++at_;
    if (is_digit(peek()) && !digits()) return;
    exponent();
  }
  void exponent() {
    if (peek_is('e')) {
      bool is_signed = peek(1) == '+' || peek(1) == '-';
      if (!is_digit(peek(is_signed ? 2 : 1))) {
        if (is_signed)
          fail("invalid decimal literal", at_ + 2);
        else
          ends_well("decimal");
        return;
      }
      at_ += is_signed ? 2 : 1;
      if (!digits()) return;
    }
    bool imaginary = peek_is('j');
    if (imaginary) ++at_;
    ends_well(imaginary ? "imaginary" : "decimal");
  }

  std::string_view text_;
  size_t at_ = 0;
  NumberScan scan_;
};

}  // namespace

NumberScan scan_number(std::string_view text) {
  return NumberReader(text).run();
}

}  // namespace glint::frontend
