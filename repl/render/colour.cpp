#include "repl/render/colour.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "core/support/environment.h"
#include "repl/render/words.h"

namespace glint::render {
namespace {

bool colours_are_off = false;

constexpr std::array<std::string_view, 37> kKeywords = {
    "False",    "None",   "True",  "and",    "as",     "assert", "break",   "class",
    "continue", "def",    "del",   "elif",   "else",   "except", "finally", "for",
    "from",     "global", "if",    "import", "in",     "is",     "lambda",  "nonlocal",
    "not",      "or",     "pass",  "raise",  "return", "try",    "while",   "with",
    "yield",    "async",  "await", "match",  "case"};

bool is_string_prefix(std::string_view word) {
  return word.size() <= 2 && std::all_of(word.begin(), word.end(), [](char c) {
           return std::string_view("rRbBfFuU").find(c) != std::string_view::npos;
         });
}

/// A piece of source that has one colour.
struct Piece {
  size_t end = 0;
  Colour colour = Colour::kPlain;
};

/// The piece that begins there; `defines`: behind `def` or `class`.
Piece piece_at(std::string_view source, size_t begin, bool& defines) {
  char c = source[begin];
  if (c == '#') return {std::min(source.find('\n', begin), source.size()), Colour::kComment};
  if (c == '"' || c == '\'') return {string_end(source, begin), Colour::kString};
  if (is_digit(c)) return {number_end(source, begin), Colour::kNumber};
  if (!is_name_start(c)) return {begin + 1, Colour::kPlain};
  size_t end = name_end(source, begin);
  std::string_view word = source.substr(begin, end - begin);
  bool named = std::exchange(defines, word == "def" || word == "class");
  bool prefixes_string =
      end < source.size() && (source[end] == '"' || source[end] == '\'') && is_string_prefix(word);
  if (prefixes_string) return {string_end(source, end), Colour::kString};
  if (std::find(kKeywords.begin(), kKeywords.end(), word) != kKeywords.end())
    return {end, Colour::kKeyword};
  return {end, named ? Colour::kName : Colour::kPlain};
}

}  // namespace

size_t terminal_width() {
  winsize size = {};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

size_t terminal_height() {
  winsize size = {};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0) return 24;
  return size.ws_row;
}

void turn_colours_off() {
  colours_are_off = true;
}

std::span<const std::string_view> python_keywords() {
  return kKeywords;
}

bool terminal_has_colours() {
  const char* kind = std::getenv("TERM");
  return !colours_are_off && ::isatty(STDOUT_FILENO) && kind && std::string_view(kind) != "dumb" &&
         !environment::value(environment::Variable::kNoColour);
}

std::vector<CodePiece> python_pieces(std::string_view source) {
  std::vector<CodePiece> pieces;
  bool defines = false;
  for (size_t i = 0; i < source.size();) {
    auto [end, colour] = piece_at(source, i, defines);
    add_piece(pieces, {source.substr(i, end - i), colour});
    i = end;
  }
  return pieces;
}

std::string highlight_python(std::string_view source) {
  return painted(python_pieces(source));
}

namespace {

/// `  File "demo.py", line 3, in f`
std::string highlight_place(std::string_view line) {
  size_t quote = line.find('"'), end = line.find('"', quote + 1);
  size_t number = line.find_first_of("0123456789", end);
  if (end == std::string_view::npos || number == std::string_view::npos) return std::string(line);
  size_t behind = std::min(line.find_first_not_of("0123456789", number), line.size());
  return std::string(line.substr(0, quote)) +
         coloured(line.substr(quote, end + 1 - quote), Colour::kString) +
         std::string(line.substr(end + 1, number - end - 1)) +
         coloured(line.substr(number, behind - number), Colour::kNumber) +
         std::string(line.substr(behind));
}

/// One line of a traceback; those that are indented quote the source, or mark a part of it.
std::string highlight_line(std::string_view line) {
  if (line.starts_with("  File \"")) return highlight_place(line);
  bool marks = line.find_first_not_of(" ~^") == std::string_view::npos &&
               line.find('^') != std::string_view::npos;
  if (marks) return coloured(line, Colour::kError);
  if (line.starts_with("    ")) return highlight_python(line);
  if (line.starts_with(' ') || line.ends_with("(most recent call last):")) return std::string(line);
  size_t name = line.find_first_of(": ");
  bool is_name = !line.empty() && (name == std::string_view::npos || line[name] == ':');
  if (!is_name) return std::string(line);
  std::string_view rest = name == std::string_view::npos ? "" : line.substr(name);
  return coloured(line.substr(0, name), Colour::kError) + std::string(rest);
}

}  // namespace

std::string highlight_traceback(std::string_view traceback) {
  std::string out;
  while (!traceback.empty()) {
    size_t end = std::min(traceback.find('\n'), traceback.size());
    if (end > 0) out += highlight_line(traceback.substr(0, end));
    if (end < traceback.size()) out += '\n';
    traceback.remove_prefix(std::min(end + 1, traceback.size()));
  }
  return out;
}

namespace {

/// The piece of the source that one more letter would belong to, and where it begins.
std::pair<size_t, Piece> last_piece(std::string_view source) {
  std::string longer = std::string(source) + "x";
  bool defines = false;
  size_t begin = 0;
  Piece piece = {};
  for (size_t i = 0; i < longer.size(); i = piece.end) {
    begin = i;
    piece = piece_at(longer, i, defines);
  }
  return {begin, piece};
}

}  // namespace

std::string without_texts(std::string_view source) {
  std::string out;
  bool defines = false;
  for (size_t i = 0; i < source.size();) {
    auto [end, colour] = piece_at(source, i, defines);
    if (colour == Colour::kString)
      out.append(end - i, 'x');
    else if (colour == Colour::kComment)
      out.append(end - i, ' ');
    else
      out += source.substr(i, end - i);
    i = end;
  }
  return out;
}

std::optional<size_t> open_string(std::string_view source) {
  auto [begin, piece] = last_piece(source);
  if (piece.colour != Colour::kString) return std::nullopt;
  size_t quote = source.find_first_of("'\"", begin);
  bool triple = source.substr(quote, 3) == std::string(3, source[quote]);
  return quote + (triple ? 3 : 1);
}

bool ends_inside_text(std::string_view source) {
  Colour colour = last_piece(source).second.colour;
  return colour == Colour::kString || colour == Colour::kComment;
}

}  // namespace glint::render
