// `_re`: regular expressions that PCRE2 matches, for library/re, which turns Python's patterns into
// PCRE2's.
//
//     program = _re.compile("(\\w+)=(\\d+)", 0)
//     program.search("lr=3", 0, 4, 0)              ((0, 4, 0, 2, 3, 4), ("lr=3", "lr", "3"))
//     program.matches("a=1 b=2", 0, 7, False, 9)   what `search` gives, of up to 9 matches in turn
//     program.replaced("a=1 b=2", [2, ":", 1], 0)  ("1:a 2:b", 2)
//
// Places are code points (bytes, where the text is one of bytes); a group that took no part is at
// (-1, -1) and is None.
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <limits>
#include <memory>

#include "core/support/interruption.h"
#include "runtime/interpreter/builtins.h"
#include "runtime/interpreter/builtins_utf8.h"
#include "runtime/interpreter/modules_library.h"

namespace glint::runtime {
namespace {

/// What a pattern is compiled with, as library/re has them.
enum RegexFlag : int64_t {
  kIgnoreCase = 2,
  kMultiline = 8,
  kDotAll = 16,
  kAscii = 256,
  kBytes = 512
};
/// Where a match may begin and end.
enum class Anchor : int64_t { kSearch, kMatch, kFullMatch };

template <auto kFree>
struct Freed {
  template <class T>
  void operator()(T* pointer) const {
    kFree(pointer);
  }
};
using Code = std::unique_ptr<pcre2_code, Freed<pcre2_code_free_8>>;
using CompileContext = std::unique_ptr<pcre2_compile_context, Freed<pcre2_compile_context_free_8>>;
using MatchContext = std::unique_ptr<pcre2_match_context, Freed<pcre2_match_context_free_8>>;
using MatchData = std::unique_ptr<pcre2_match_data, Freed<pcre2_match_data_free_8>>;

struct ProgramObject final : NativeDataObject {
  explicit ProgramObject(ClassObject* of) : NativeDataObject(of) {}
  Code code;
  bool of_bytes = false;
  /// Of the last search, for the next one: making them takes longer than most matches.
  MatchData spare_data;
  MatchContext spare_context;
};

ProgramObject& self_of(NativeCall& call) {
  return *static_cast<ProgramObject*>(call[0].object());
}

/// Matches in a text, one behind the other. Between the ends that it was given, it sees what lies
/// before the first (for `^` and what looks behind), and nothing of what lies behind the last.
class Matches {
 public:
  /// Undefined text: an exception is pending.
  Matches(NativeCall& call, size_t text_at)
      : call_(call),
        program_(self_of(call)),
        data_(std::move(program_.spare_data)),
        context_(std::move(program_.spare_context)) {
    if (!take_text(call[text_at])) return;
    end_ = text_.size();
    if (!data_) data_.reset(pcre2_match_data_create_from_pattern(program_.code.get(), nullptr));
    if (!context_) context_.reset(pcre2_match_context_create(nullptr));
    valid_ = data_ && context_;
    if (!valid_) call.raise("MemoryError", "");
  }
  Matches(const Matches&) = delete;
  Matches& operator=(const Matches&) = delete;
  ~Matches() {
    program_.spare_data = std::move(data_);
    program_.spare_context = std::move(context_);
  }
  bool valid() const { return valid_; }

  /// Narrows it to arguments [begin, end), in code points; false if one of them is no int.
  bool narrow(size_t begin_at, size_t end_at) {
    int64_t begin = 0, end = 0;
    if (!int_argument(call_, begin_at, begin) || !int_argument(call_, end_at, end)) return false;
    end_ = byte_of(end);
    next_ = byte_of(begin);
    return true;
  }

  /// The last match, of an earlier search, was empty: there is no empty one at the beginning.
  void go_on_behind_empty() { was_empty_ = true; }

  /// Finds the next one. False: there is none, or it raised.
  bool find(Anchor anchor) {
    if (next_ > end_) return false;
    const uint32_t behind_empty = was_empty_ ? PCRE2_NOTEMPTY_ATSTART : 0;
    // Strings are UTF-8 already, but for surrogates, which are encoded as all else is.
    const int found = match(PCRE2_NO_UTF_CHECK | behind_empty | options_of(anchor));
    if (found == PCRE2_ERROR_NOMATCH) return false;
    if (found < 0) return raise(found), false;
    const size_t* places = pcre2_get_ovector_pointer(data_.get());
    was_empty_ = places[0] == places[1];
    next_ = places[1];
    return true;
  }

  uint32_t groups() const { return pcre2_get_ovector_count(data_.get()); }
  bool took_part(uint32_t group) const { return place(group, false) != PCRE2_UNSET; }
  size_t begin(uint32_t group) const { return place(group, false); }
  size_t end(uint32_t group) const { return place(group, true); }
  std::string_view bytes(uint32_t group) const {
    return text_.substr(begin(group), end(group) - begin(group));
  }

  std::string_view text() const { return text_.substr(0, end_); }
  Value value_of(std::string_view part) const {
    if (program_.of_bytes) return Value(make_ref<BytesObject>(std::string(part)));
    return Value(make_text(part));
  }
  Value text_of(uint32_t group) const {
    return took_part(group) ? value_of(bytes(group)) : Value::none();
  }
  /// The code point at a byte, counted from the place that was asked for last.
  int64_t index_of(size_t byte) {
    if (each_is_a_byte_) return static_cast<int64_t>(byte);
    known_index_ += byte >= known_byte_
                        ? count_code_points(text_.substr(known_byte_, byte - known_byte_))
                        : -count_code_points(text_.substr(byte, known_byte_ - byte));
    known_byte_ = byte;
    return known_index_;
  }

 private:
  size_t place(uint32_t group, bool end) const {
    return pcre2_get_ovector_pointer(data_.get())[2 * group + (end ? 1 : 0)];
  }

  bool take_text(const Value& text) {
    const auto* str = text.try_as<StrObject>();
    const auto* bytes = text.try_as<BytesObject>();
    if (!str && !bytes)
      return call_.raise("TypeError", fmt::format("expected string or bytes-like object, got '{}'",
                                                  type_name(text))),
             false;
    if (program_.of_bytes != (bytes != nullptr))
      return call_.raise("TypeError", program_.of_bytes
                                          ? "cannot use a bytes pattern on a string-like object"
                                          : "cannot use a string pattern on a bytes-like object"),
             false;
    text_ = str ? str->view() : std::string_view(bytes->data);
    each_is_a_byte_ = bytes || str->ascii();
    return true;
  }

  size_t byte_of(int64_t index) const {
    if (index <= 0) return 0;
    if (each_is_a_byte_) return std::min(static_cast<size_t>(index), text_.size());
    return byte_offset(text_, static_cast<size_t>(index));
  }

  static uint32_t options_of(Anchor anchor) {
    switch (anchor) {
      case Anchor::kSearch:
        return 0;
      case Anchor::kMatch:
        return PCRE2_ANCHORED;
      case Anchor::kFullMatch:
        return PCRE2_ANCHORED | PCRE2_ENDANCHORED;
    }
    return 0;
  }

  /// Python sets no limit to the ways that are tried. Here there is one, and it grows: between two
  /// of them Ctrl-C is heard.
  int match(uint32_t options) {
    constexpr uint32_t kFirst = 10'000'000, kMost = std::numeric_limits<uint32_t>::max();
    for (uint32_t limit = kFirst;; limit = limit > kMost / 4 ? kMost : limit * 4) {
      pcre2_set_match_limit(context_.get(), limit);
      const int found = match_once(options);
      const bool tries_again = found == PCRE2_ERROR_MATCHLIMIT && limit < kMost;
      if (!tries_again || interruption::requested()) return found;
    }
  }

  int match_once(uint32_t options) {
    const auto run = [&](uint32_t with) {
      return pcre2_match(program_.code.get(), reinterpret_cast<PCRE2_SPTR>(text_.data()), end_,
                         next_, options | with, data_.get(), context_.get());
    };
    const int found = run(0);
    // The machine code has a small stack; without it PCRE2 takes memory as it needs it.
    return found == PCRE2_ERROR_JIT_STACKLIMIT ? run(PCRE2_NO_JIT) : found;
  }

  void raise(int error) {
    if (call_.interpreter.raise_interrupt()) return;
    if (error == PCRE2_ERROR_NOMEMORY || error == PCRE2_ERROR_HEAPLIMIT) {
      call_.raise("MemoryError", "");
      return;
    }
    PCRE2_UCHAR message[256];
    pcre2_get_error_message(error, message, sizeof message);
    call_.raise("RuntimeError", reinterpret_cast<const char*>(message));
  }

  NativeCall& call_;
  ProgramObject& program_;
  MatchData data_;
  MatchContext context_;
  std::string_view text_;
  size_t next_ = 0, end_ = 0;
  bool was_empty_ = false, each_is_a_byte_ = false, valid_ = false;
  size_t known_byte_ = 0;
  int64_t known_index_ = 0;
};

// ---- Natives -----------------------------------------------------------------------------------

/// `((begin, end, ...), (text, ...))`, of the whole match and each group.
Value match_value(Matches& matches) {
  std::vector<Value> places, texts;
  places.reserve(size_t{2} * matches.groups());
  texts.reserve(matches.groups());
  for (uint32_t group = 0; group < matches.groups(); ++group) {
    const bool there = matches.took_part(group);
    places.push_back(int_value(there ? matches.index_of(matches.begin(group)) : -1));
    places.push_back(int_value(there ? matches.index_of(matches.end(group)) : -1));
    texts.push_back(matches.text_of(group));
  }
  std::vector<Value> both;
  both.push_back(Value(make_tuple(std::move(places))));
  both.push_back(Value(make_tuple(std::move(texts))));
  return Value(make_tuple(std::move(both)));
}

Value search(NativeCall& call) {
  Matches matches(call, 1);
  int64_t anchor = 0;
  if (!matches.valid() || !matches.narrow(2, 3) || !int_argument(call, 4, anchor)) return Value();
  if (matches.find(static_cast<Anchor>(anchor))) return match_value(matches);
  return call.interpreter.raised() ? Value() : Value::none();
}

Value next_matches(NativeCall& call) {
  Matches matches(call, 1);
  int64_t most = 0;
  if (!matches.valid() || !matches.narrow(2, 3) || !int_argument(call, 5, most)) return Value();
  if (truth(call.interpreter, call[4]) == 1) matches.go_on_behind_empty();
  std::vector<Value> found;
  while (static_cast<int64_t>(found.size()) < most && matches.find(Anchor::kSearch))
    found.push_back(match_value(matches));
  return call.interpreter.raised() ? Value() : Value(make_list(std::move(found)));
}

/// What `findall` has of a match: its text, or that of its group, or a tuple of its groups'.
Value found_value(const Matches& matches) {
  const auto text = [&](uint32_t group) {
    return matches.took_part(group) ? matches.text_of(group) : matches.value_of({});
  };
  if (matches.groups() <= 2) return text(matches.groups() - 1);
  std::vector<Value> groups;
  for (uint32_t group = 1; group < matches.groups(); ++group) groups.push_back(text(group));
  return Value(make_tuple(std::move(groups)));
}

Value find_all(NativeCall& call) {
  Matches matches(call, 1);
  if (!matches.valid() || !matches.narrow(2, 3)) return Value();
  std::vector<Value> found;
  while (matches.find(Anchor::kSearch)) found.push_back(found_value(matches));
  return call.interpreter.raised() ? Value() : Value(make_list(std::move(found)));
}

Value split(NativeCall& call) {
  Matches matches(call, 1);
  int64_t most = 0;
  if (!matches.valid() || !int_argument(call, 2, most)) return Value();
  std::vector<Value> parts;
  size_t from = 0;
  for (int64_t made = 0; (most == 0 || made < most) && matches.find(Anchor::kSearch); ++made) {
    parts.push_back(matches.value_of(matches.text().substr(from, matches.begin(0) - from)));
    for (uint32_t group = 1; group < matches.groups(); ++group)
      parts.push_back(matches.text_of(group));
    from = matches.end(0);
  }
  parts.push_back(matches.value_of(matches.text().substr(from)));
  return call.interpreter.raised() ? Value() : Value(make_list(std::move(parts)));
}

/// A replacement's parts: texts, and the numbers of groups.
bool append_replacement(NativeCall& call, const std::vector<Value>& parts, const Matches& matches,
                        std::string& out) {
  for (const Value& part : parts) {
    if (part.is_int()) {
      const auto group = static_cast<uint32_t>(part.as_int());
      if (matches.took_part(group)) out += matches.bytes(group);
    } else if (const auto* str = part.try_as<StrObject>()) {
      out += str->view();
    } else if (const auto* bytes = part.try_as<BytesObject>()) {
      out += bytes->data;
    } else {
      call.raise("TypeError", fmt::format("expected str instance, {} found", type_name(part)));
      return false;
    }
  }
  return true;
}

/// `(text, count)`: each match replaced by the parts, or by what a function makes of the match.
Value replaced(NativeCall& call) {
  Matches matches(call, 1);
  int64_t most = 0;
  if (!matches.valid() || !int_argument(call, 3, most)) return Value();
  const auto* fixed = call[2].try_as<ListObject>();
  std::string out;
  size_t from = 0;
  int64_t made = 0;
  for (; (most == 0 || made < most) && matches.find(Anchor::kSearch); ++made) {
    out += matches.text().substr(from, matches.begin(0) - from);
    from = matches.end(0);
    if (fixed) {
      if (!append_replacement(call, fixed->items, matches, out)) return Value();
      continue;
    }
    const Value made_text = call.interpreter.call(call[2], {match_value(matches)});
    if (made_text.is_undefined()) return Value();
    if (!made_text.is_none() && !append_replacement(call, {made_text}, matches, out))
      return Value();
  }
  if (call.interpreter.raised()) return Value();
  out += matches.text().substr(from);
  std::vector<Value> both;
  both.push_back(matches.value_of(out));
  both.push_back(int_value(made));
  return Value(make_tuple(std::move(both)));
}

Value compile(NativeCall& call) {
  std::string_view pattern;
  int64_t flags = 0;
  if (!text_argument(call, 0, pattern) || !int_argument(call, 1, flags)) return Value();
  uint32_t options = PCRE2_NEVER_BACKSLASH_C;
  if (flags & kIgnoreCase) options |= PCRE2_CASELESS;
  if (flags & kMultiline) options |= PCRE2_MULTILINE;
  if (flags & kDotAll) options |= PCRE2_DOTALL;
  if (!(flags & kBytes)) options |= PCRE2_UTF | PCRE2_NO_UTF_CHECK;
  if (!(flags & (kBytes | kAscii))) options |= PCRE2_UCP;
  const CompileContext context(pcre2_compile_context_create(nullptr));
  pcre2_set_newline(context.get(), PCRE2_NEWLINE_LF);
  auto program = make_ref<ProgramObject>(call.function->data.as<ClassObject>());
  int error = 0;
  size_t place = 0;
  program->code.reset(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()), pattern.size(),
                                    options, &error, &place, context.get()));
  if (!program->code) {
    PCRE2_UCHAR message[256];
    pcre2_get_error_message(error, message, sizeof message);
    return call.raise("ValueError", reinterpret_cast<const char*>(message));
  }
  // Where this machine lets nobody write code, PCRE2 interprets.
  pcre2_jit_compile(program->code.get(), PCRE2_JIT_COMPLETE);
  program->of_bytes = flags & kBytes;
  return Value(std::move(program));
}

constexpr Effects kCallsBack{.pure = true, .reads_value = true, .calls_back = true};
constexpr NativeDefinition kMethods[] = {
    {"search(self, text, pos, endpos, anchor, /)", search, kPure, "one match, or None"},
    {"matches(self, text, pos, endpos, behind_empty, most, /)", next_matches, kPure,
     "so many matches, if there are"},
    {"findall(self, text, pos, endpos, /)", find_all, kPure, "the texts of all matches"},
    {"split(self, text, maxsplit, /)", split, kPure, "what lies between the matches"},
    {"replaced(self, text, by, count, /)", replaced, kCallsBack,
     "the text with its matches replaced, and how many were"},
};
constexpr NativeDefinition kFunctions[] = {
    {"compile(pattern, flags, /)", compile, kPure, "a program for a pattern of PCRE2's"},
};

}  // namespace

void fill_re(Interpreter& in, ModuleObject& module) {
  in.add_functions(module, kFunctions);
  Ref<ClassObject> cls = in.new_class("Program", in.classes().object, kNativeDataKind, "_re");
  in.add_methods(*cls, kMethods);
  module.dict->find("compile")->as<NativeFunctionObject>()->data = Value(std::move(cls));
}

}  // namespace glint::runtime
