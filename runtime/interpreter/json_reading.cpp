// `json.loads` of what most texts are: objects, lists, texts and numbers without mistakes.
//
//     {"id": 7, "box": [0.5, 2e3], "name": "caf\u00e9"}
//
// A value is read by its first character. Whatever is not plain gives up for the whole text: a
// mistake, NaN, an int of more than 18 digits, half of a surrogate pair, and what nests deeper than
// 200 levels, since reading follows the nesting.
#include "runtime/interpreter/json_reading.h"

#include <charconv>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "runtime/interpreter/builtins_utf8.h"
#include "runtime/interpreter/containers.h"

namespace glint::runtime {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

class Reader {
 public:
  explicit Reader(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

  bool whole(Value& out) {
    if (!value(out, 0)) return false;
    skip();
    return at_ == end_;
  }

 private:
  static constexpr int kDeepest = 200;

  void skip() {
    while (at_ < end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\t' || *at_ == '\r')) ++at_;
  }
  /// The next character, which is passed by if it is this one.
  bool take(char wanted) {
    if (at_ == end_ || *at_ != wanted) return false;
    ++at_;
    return true;
  }
  bool word(std::string_view word, Value known, Value& out) {
    if (!std::string_view(at_, static_cast<size_t>(end_ - at_)).starts_with(word)) return false;
    at_ += word.size();
    out = std::move(known);
    return true;
  }

  bool value(Value& out, int depth) {
    skip();
    if (at_ == end_ || depth > kDeepest) return false;
    switch (*at_) {
      case '{':
        return object(out, depth + 1);
      case '[':
        return list(out, depth + 1);
      case 't':
        return word("true", Value(true), out);
      case 'f':
        return word("false", Value(false), out);
      case 'n':
        return word("null", Value::none(), out);
      case '"': {
        std::string text;
        if (!string(text)) return false;
        out = Value(make_str(std::move(text)));
        return true;
      }
      default:
        return number(out);
    }
  }

  bool list(Value& out, int depth) {
    std::vector<Value> items;
    ++at_;
    skip();
    if (!take(']')) {
      do {
        if (!value(items.emplace_back(), depth)) return false;
        skip();
      } while (take(','));
      if (!take(']')) return false;
    }
    out = Value(make_list(std::move(items)));
    return true;
  }

  bool object(Value& out, int depth) {
    Ref<DictObject> items = make_dict();
    ++at_;
    skip();
    if (!take('}')) {
      do {
        skip();
        std::string key;
        if (at_ == end_ || *at_ != '"' || !string(key)) return false;
        skip();
        Value item;
        if (!take(':') || !value(item, depth)) return false;
        items->set(make_str(std::move(key)), std::move(item));
        skip();
      } while (take(','));
      if (!take('}')) return false;
    }
    out = Value(std::move(items));
    return true;
  }

  bool string(std::string& out) {
    ++at_;
    for (;;) {
      const char* begin = at_;
      while (at_ < end_ && *at_ != '"' && *at_ != '\\' && static_cast<unsigned char>(*at_) >= 0x20)
        ++at_;
      out.append(begin, at_);
      if (take('"')) return true;
      if (!take('\\') || at_ == end_) return false;
      const char named = *at_++;
      if (!escape(named, out)) return false;
    }
  }

  bool escape(char c, std::string& out) {
    constexpr std::string_view kNames = "\"\\/bfnrt", kMeant = "\"\\/\b\f\n\r\t";
    if (size_t known = kNames.find(c); known != std::string_view::npos) {
      out += kMeant[known];
      return true;
    }
    uint32_t code = 0;
    if (c != 'u' || !four_digits(code)) return false;
    if (code >= 0xd800 && code < 0xe000) {
      uint32_t low = 0;
      if (code >= 0xdc00 || !take('\\') || !take('u') || !four_digits(low)) return false;
      if (low < 0xdc00 || low >= 0xe000) return false;
      code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    append_code_point(out, code);
    return true;
  }

  bool four_digits(uint32_t& code) {
    if (end_ - at_ < 4) return false;
    const auto [behind, error] = std::from_chars(at_, at_ + 4, code, 16);
    const bool all = error == std::errc() && behind == at_ + 4;
    at_ = behind;
    return all;
  }

  bool digits() {
    const char* begin = at_;
    while (at_ < end_ && is_digit(*at_)) ++at_;
    return at_ > begin;
  }

  bool number(Value& out) {
    const char* begin = at_;
    take('-');
    const char* first = at_;
    if (!take('0') && !digits()) return false;
    constexpr int kMostDigits = 18;
    bool is_float = false;
    const int64_t count = at_ - first;
    if (take('.')) is_float = digits();
    if (at_[-1] == '.') return false;
    if (at_ < end_ && (*at_ == 'e' || *at_ == 'E')) {
      ++at_;
      if (!take('-')) take('+');
      if (!digits()) return false;
      is_float = true;
    }
    if (is_float) {
      double found = 0;
      if (std::from_chars(begin, at_, found).ec != std::errc()) return false;
      out = Value(found);
      return true;
    }
    int64_t found = 0;
    if (count > kMostDigits || std::from_chars(begin, at_, found).ec != std::errc()) return false;
    out = Value(found);
    return true;
  }

  const char* at_;
  const char* end_;
};

}  // namespace

std::optional<Value> read_plain_json(std::string_view text) {
  Value found;
  if (!Reader(text).whole(found)) return std::nullopt;
  return found;
}

}  // namespace glint::runtime
