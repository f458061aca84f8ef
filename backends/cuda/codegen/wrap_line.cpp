#include "backends/cuda/codegen/wrap_line.h"

#include <algorithm>
#include <optional>

namespace glint::cuda {
namespace {

/// Operators before which a line may be broken, loosest first, by how loosely they bind.
struct Sign {
  std::string_view text;
  int rank;
};
constexpr Sign kSigns[] = {{" ? ", 3}, {" : ", 3},  {" || ", 3}, {" && ", 4}, {" | ", 5},
                           {" & ", 5}, {" == ", 6}, {" != ", 6}, {" < ", 6},  {" <= ", 6},
                           {" > ", 6}, {" >= ", 6}, {" << ", 7}, {" >> ", 7}, {" + ", 8},
                           {" - ", 8}, {" * ", 9},  {" / ", 9},  {" % ", 9}};
constexpr int kSemicolonRank = 0;
constexpr int kCommaRank = 1;
/// Behind a `=` where the rest fits then; else rather behind a comma within what is assigned.
constexpr int kAssignmentRank = 2;
constexpr int kRanks = 10;  ///< of one depth
constexpr size_t kContinuation = 4;
/// What is behind a break that is further to the right than this stands too narrow.
constexpr size_t kFurthest = 60;

struct Break {
  size_t at = 0;      ///< where the rest begins
  int rank = 0;       ///< the lowest is best
  size_t indent = 0;  ///< of the rest
};

bool is_space(char c) {
  return c == ' ';
}

/// Goes through a line, and knows which parentheses each place is in.
class Breaks {
 public:
  Breaks(std::string_view line, size_t width, bool is_rest) : line_(line), width_(width) {
    begin_ = std::min(line.find_first_not_of(' '), line.size());
    const auto begins_with = [&](const Sign& sign) { return has(begin_, sign.text.substr(1)); };
    const bool goes_on = is_rest || closes_others() || std::ranges::any_of(kSigns, begins_with);
    outside_ = begin_ + (goes_on ? 0 : kContinuation);
  }

  std::optional<Break> best() {
    for (size_t at = begin_; at < line_.size() && at <= width_ + 1; ++at) look_at(at);
    return best_;
  }

 private:
  bool has(size_t at, std::string_view text) const { return line_.substr(at).starts_with(text); }

  /// Whether parentheses end here that a line before has opened.
  bool closes_others() const {
    int depth = 0;
    for (const char c : line_) {
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (depth < 0) return true;
    }
    return false;
  }

  /// A `<` of a template has no space before it, and its `>` neither.
  bool opens(size_t at) const {
    const char c = line_[at];
    if (c == '(' || c == '[' || c == '{') return true;
    return c == '<' && at > begin_ && !is_space(line_[at - 1]) && line_[at - 1] != '<' &&
           !has(at, "<<") && !has(at, "<=");
  }
  bool closes(size_t at) const {
    const char c = line_[at];
    if (c == ')' || c == ']' || c == '}') return true;
    return c == '>' && !open_.empty() && line_[open_.back()] == '<' && !is_space(line_[at - 1]);
  }

  void look_at(size_t at) {
    if (opens(at)) {
      open_.push_back(at);
    } else if (closes(at)) {
      if (open_.empty())
        --depth_;
      else
        open_.pop_back();
      look_behind_condition(at);
    } else if ((line_[at] == ',' || line_[at] == ';') && has(at + 1, " ")) {
      consider(at + 2, line_[at] == ';' ? kSemicolonRank : kCommaRank, indent());
    } else if (has(at, " = ")) {
      look_behind_assignment(at + 3);
    } else {
      for (const Sign& sign : kSigns)
        if (has(at, sign.text) && at > begin_) consider(at + 1, sign.rank, indent());
    }
  }

  void look_behind_assignment(size_t at) {
    if (depth() == 0 && assigned_ == 0) assigned_ = at;
    const size_t further = begin_ + kContinuation;
    const bool fits = further + line_.size() - at <= width_;
    consider(at, fits ? kAssignmentRank : kAssignmentRank + kRanks, further);
  }

  /// `if (...) statement` has its statement on a line of its own.
  void look_behind_condition(size_t at) {
    const bool is_condition = has(begin_, "if (") || has(begin_, "else if (");
    if (!is_condition || depth() != 0 || !has(at + 1, " ") || has(at + 1, " {")) return;
    if (line_.find(" ? ") < at || has_condition_) return;
    has_condition_ = true;
    best_ = Break{at + 2, -1, begin_ + 2};
  }

  int depth() const { return depth_ + static_cast<int>(open_.size()); }

  void consider(size_t at, int rank, size_t indent) {
    // What stands before the break has to fit, without the space there.
    if (at > width_ + 1 || at <= begin_ || is_in_template()) return;
    const int whole = depth() * kRanks + rank;
    if (best_ && best_->rank < whole) return;
    best_ = Break{at, whole, indent};
  }

  bool is_in_template() const {
    return std::ranges::any_of(open_, [&](size_t each) { return line_[each] == '<'; });
  }

  size_t indent() const {
    if (!open_.empty()) return open_.back() < kFurthest ? open_.back() + 1 : begin_ + kContinuation;
    const bool is_assigned = depth_ == 0 && assigned_ > 0 && assigned_ < kFurthest;
    return is_assigned ? assigned_ : outside_;
  }

  std::string_view line_;
  size_t width_;
  size_t begin_ = 0;          ///< of the text
  size_t outside_ = 0;        ///< the indent of what is in no parentheses
  size_t assigned_ = 0;       ///< where what is assigned begins; 0: nowhere yet
  std::vector<size_t> open_;  ///< places of open parentheses
  int depth_ = 0;             ///< below 0 behind those that were opened on a line before
  bool has_condition_ = false;
  std::optional<Break> best_;
};

/// A line of comment, broken between words.
std::vector<std::string> wrapped_comment(std::string_view line, size_t width) {
  std::vector<std::string> lines;
  const std::string begin(line.substr(0, line.find("//") + 3));
  while (line.size() > width) {
    const size_t space = line.rfind(' ', width);
    if (space == std::string_view::npos || space < begin.size()) break;
    lines.emplace_back(line.substr(0, space));
    line.remove_prefix(space + 1);
    const std::string rest = begin + std::string(line);
    if (rest.size() <= width) {
      lines.push_back(rest);
      return lines;
    }
    const std::vector<std::string> others = wrapped_comment(rest, width);
    lines.insert(lines.end(), others.begin(), others.end());
    return lines;
  }
  lines.emplace_back(line);
  return lines;
}

/// `is_rest`: of a line that was broken.
std::vector<std::string> wrapped_code(std::string_view line, size_t width, bool is_rest) {
  if (line.size() <= width) return {std::string(line)};
  const std::optional<Break> found = Breaks(line, width, is_rest).best();
  if (!found) return {std::string(line)};
  std::string_view head = line.substr(0, found->at);
  head = head.substr(0, head.find_last_not_of(' ') + 1);
  std::vector<std::string> lines = {std::string(head)};
  const std::string rest = std::string(found->indent, ' ') + std::string(line.substr(found->at));
  for (std::string& each : wrapped_code(rest, width, true)) lines.push_back(std::move(each));
  return lines;
}

}  // namespace

std::vector<std::string> wrapped_line(std::string_view line, size_t width) {
  const size_t begin = std::min(line.find_first_not_of(' '), line.size());
  if (line.substr(begin).starts_with("//")) return wrapped_comment(line, width);
  const size_t comment = line.find("  // ");
  if (line.size() <= width || comment == std::string_view::npos)
    return wrapped_code(line, width, false);
  const std::string above = std::string(begin, ' ') + std::string(line.substr(comment + 2));
  std::vector<std::string> lines = wrapped_comment(above, width);
  for (std::string& each : wrapped_code(line.substr(0, comment), width, false))
    lines.push_back(std::move(each));
  return lines;
}

std::string wrapped_text(std::string_view text) {
  std::string wrapped;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const bool is_second_empty = end == 0 && (wrapped.empty() || wrapped.ends_with("\n\n"));
    if (!is_second_empty)
      for (const std::string& each : wrapped_line(text.substr(0, end))) wrapped += each + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return wrapped;
}

}  // namespace glint::cuda
