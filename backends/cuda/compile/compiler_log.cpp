#include "backends/cuda/compile/compiler_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "backends/cuda/device/device.h"

namespace glint::cuda {
namespace {

constexpr std::string_view kBlanks = " \t";
constexpr std::string_view kMargin = "    ";

std::string_view severity_name(Severity severity) {
  constexpr std::array<std::string_view, 3> kNames = {"error", "warning", "note"};
  return kNames[static_cast<size_t>(severity)];
}

/// Of `warning #177-D`; nothing of what is none.
std::optional<Severity> severity_named(std::string_view words) {
  const std::string_view name = words.substr(0, words.find(" #"));
  if (name == "error" || name == "catastrophic error") return Severity::kError;
  if (name == "warning" || name == "Warning") return Severity::kWarning;
  if (name == "note") return Severity::kNote;
  return std::nullopt;
}

/// The number at the front of a text; 0 where there is none.
uint32_t leading_number(std::string_view text) {
  uint32_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::string_view take_line(std::string_view& text) {
  const size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

std::string_view without_indent(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
  return line;
}

void append_quoted(std::string& quote, std::string_view line) {
  quote += fmt::format("\n{}{}", kMargin, line);
}

class LogReader {
 public:
  explicit LogReader(std::string_view source) : source_(source) {}

  std::vector<Diagnostic> read(std::string_view log) {
    while (!log.empty()) line(take_line(log));
    close();
    return std::move(found_);
  }

 private:
  void line(std::string_view line) {
    if (line.empty()) {
      close();
    } else if (kBlanks.find(line.front()) != std::string_view::npos) {
      continue_with(line);
    } else if (auto begun = begin_of(line)) {
      close();
      begin(std::move(*begun));
    } else {
      close();
    }
  }

  void begin(Diagnostic diagnostic) {
    const bool is_note = diagnostic.severity == Severity::kNote;
    if (is_note && found_.empty()) return;
    std::vector<Diagnostic>& to = is_note ? found_.back().notes : found_;
    to.push_back(std::move(diagnostic));
    open_ = &to.back();
  }

  /// What ends a diagnostic's lines. The last of them that was not told apart is nobody's quote.
  void close() {
    if (open_ != nullptr && !held_.empty()) append_quoted(open_->quote, without_indent(held_));
    open_ = nullptr;
    held_ = {};
    instantiates_ = false;
  }

  std::optional<Diagnostic> begin_of(std::string_view line) const {
    if (auto located = located_line(line)) return located;
    if (auto at_end = line_at_end(line)) return at_end;
    return unlocated_line(line);
  }

  /// `glint.cu(3): error: ...`, also behind a word: `warning: glint.cu(3): Warning: ...`.
  std::optional<Diagnostic> located_line(std::string_view line) const {
    constexpr std::string_view kWord = "warning: ";
    if (line.starts_with(kWord)) line.remove_prefix(kWord.size());
    const size_t close = line.find("): ");
    const size_t open = line.rfind('(', close);
    if (close == std::string_view::npos || open == std::string_view::npos) return std::nullopt;
    const std::string_view number = line.substr(open + 1, close - open - 1);
    if (number.empty() || number.find_first_not_of("0123456789") != std::string_view::npos)
      return std::nullopt;
    auto made = judged(line.substr(close + 3));
    if (!made) return std::nullopt;
    made->line = leading_number(number);
    if (line.substr(0, open) != kSourceName) made->header = line.substr(0, open);
    return made;
  }

  /// `error: what`
  static std::optional<Diagnostic> judged(std::string_view text) {
    const size_t colon = text.find(": ");
    if (colon == std::string_view::npos) return std::nullopt;
    const std::optional<Severity> severity = severity_named(text.substr(0, colon));
    if (!severity) return std::nullopt;
    return Diagnostic{0, *severity, std::string(text.substr(colon + 2))};
  }

  /// `At end of source: error: what`, of older releases `error at end of source: what`.
  std::optional<Diagnostic> line_at_end(std::string_view line) const {
    constexpr std::string_view kAtEnd = "At end of source: ";
    constexpr std::string_view kErrorAtEnd = "error at end of source: ";
    std::optional<Diagnostic> made;
    if (line.starts_with(kAtEnd)) made = judged(line.substr(kAtEnd.size()));
    if (line.starts_with(kErrorAtEnd))
      made = Diagnostic{0, Severity::kError, std::string(line.substr(kErrorAtEnd.size()))};
    if (!made) return std::nullopt;
    made->message = "at end of source: " + made->message;
    made->line = 1;
    std::string_view rest = source_.substr(0, source_.find_last_not_of(" \t\r\n") + 1);
    std::string_view last = take_line(rest);
    for (; !rest.empty(); last = take_line(rest)) ++made->line;
    if (!last.empty()) append_quoted(made->quote, without_indent(last));
    return made;
  }

  /// `ptxas error   : Entry function 'f' uses ...` and `nvrtc: error: ...`.
  static std::optional<Diagnostic> unlocated_line(std::string_view line) {
    const bool warns = line.starts_with("ptxas warning");
    const bool is_known =
        warns || line.starts_with("ptxas error") || line.starts_with("nvrtc: error: ");
    if (!is_known) return std::nullopt;
    const size_t begin = line.find(": ", line.starts_with("nvrtc") ? 6 : 0);
    return Diagnostic{0, warns ? Severity::kWarning : Severity::kError,
                      std::string(line.substr(begin == std::string_view::npos ? 0 : begin + 2))};
  }

  /// A line below a diagnostic's first one: where a template was asked for, a line of the source
  /// with a caret in the next one, or more about it.
  void continue_with(std::string_view line) {
    if (open_ == nullptr) return;
    instantiates_ |= line.find(" detected during") != std::string_view::npos;
    if (instantiates_) {
      note_instantiation(line);
      return;
    }
    if (without_indent(line) != "^") {
      if (!held_.empty()) append_quoted(open_->quote, without_indent(held_));
      held_ = line;
      return;
    }
    const size_t indent = std::min(held_.find_first_not_of(kBlanks), held_.size());
    append_quoted(open_->quote, held_.substr(indent));
    append_quoted(open_->quote, line.substr(std::min(indent, line.size() - 1)));
    held_ = {};
  }

  /// `instantiation of class "A<T> [with T=int]" at line 3 of glint.cu`; the file is left out where
  /// it is the diagnostic's. The last of several is the outermost.
  void note_instantiation(std::string_view line) {
    constexpr std::string_view kPlace = " at line ";
    const size_t place = line.rfind(kPlace);
    if (place == std::string_view::npos) return;
    const std::string_view at = line.substr(place + kPlace.size());
    const size_t of = at.find(" of ");
    const std::string_view file =
        of == std::string_view::npos ? std::string_view(open_->header) : at.substr(of + 4);
    if (file.empty() || file == kSourceName) open_->instantiated_at = leading_number(at);
  }

  std::string_view source_;
  std::vector<Diagnostic> found_;
  Diagnostic* open_ = nullptr;  ///< whose lines come
  std::string_view held_;       ///< its last one, until the next says whether it is of the source
  bool instantiates_ = false;
};

}  // namespace

std::vector<Diagnostic> parse_log(std::string_view log, std::string_view source) {
  return LogReader(source).read(log);
}

std::string print(const Diagnostic& diagnostic) {
  if (diagnostic.line == 0) return diagnostic.message;
  std::string text = fmt::format(
      "{}:{}: {}: {}{}", diagnostic.header.empty() ? kSourceName : diagnostic.header,
      diagnostic.line, severity_name(diagnostic.severity), diagnostic.message, diagnostic.quote);
  if (diagnostic.instantiated_at != 0)
    text += fmt::format("\n  detected during instantiation at {}:{}", kSourceName,
                        diagnostic.instantiated_at);
  for (const Diagnostic& note : diagnostic.notes) text += "\n" + print(note);
  return text;
}

}  // namespace glint::cuda
