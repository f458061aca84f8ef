#include "repl/report/matching_lines.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "repl/report/document.h"

namespace glint::report {
namespace {

/// A line as it is compared: no number in front, blanks counted as one.
std::string compared(const std::string& text) {
  std::string out;
  size_t begin = text.find_first_not_of(' ');
  if (begin == std::string::npos) return out;
  const size_t behind = text.find_first_not_of("0123456789", begin);
  if (behind != std::string::npos && behind > begin && text[behind] == ' ') begin = behind;
  for (size_t i = begin; i < text.size(); ++i)
    if (text[i] != ' ' || (!out.empty() && out.back() != ' ')) out += text[i];
  return out;
}

/// Finds which lines of two texts are the same ones.
class Matcher {
 public:
  Matcher(const std::vector<std::string>& before, const std::vector<std::string>& after)
      : before_(before), after_(after), partner_(before.size(), kNone) {
    match({0, before.size(), 0, after.size()});
  }
  const std::vector<uint32_t>& partners() const { return partner_; }

 private:
  struct Part {
    size_t before, before_end, after, after_end;
  };

  void pair(size_t before, size_t after) { partner_[before] = static_cast<uint32_t>(after); }

  void match(Part part) {
    while (part.before < part.before_end && part.after < part.after_end &&
           before_[part.before] == after_[part.after])
      pair(part.before++, part.after++);
    while (part.before < part.before_end && part.after < part.after_end &&
           before_[part.before_end - 1] == after_[part.after_end - 1])
      pair(--part.before_end, --part.after_end);
    if (part.before == part.before_end || part.after == part.after_end) return;
    const std::vector<std::pair<size_t, size_t>> fixed = fixed_points(part);
    if (fixed.empty()) return;
    for (const auto& [before, after] : fixed) {
      match({part.before, before, part.after, after});
      pair(before, after);
      part.before = before + 1;
      part.after = after + 1;
    }
    match(part);
  }

  /// The longest rising run of lines that stand once on both sides.
  std::vector<std::pair<size_t, size_t>> fixed_points(const Part& part) const {
    struct Places {
      uint32_t before = 0, after = 0;
      size_t at_after = 0;
    };
    std::unordered_map<std::string_view, Places> places;
    for (size_t i = part.before; i < part.before_end; ++i) ++places[before_[i]].before;
    for (size_t j = part.after; j < part.after_end; ++j) {
      Places& found = places[after_[j]];
      ++found.after;
      found.at_after = j;
    }
    std::vector<std::pair<size_t, size_t>> once;
    for (size_t i = part.before; i < part.before_end; ++i)
      if (const Places& found = places[before_[i]]; found.before == 1 && found.after == 1)
        once.emplace_back(i, found.at_after);
    return rising(once);
  }

  /// The longest subsequence whose second parts rise.
  static std::vector<std::pair<size_t, size_t>> rising(
      const std::vector<std::pair<size_t, size_t>>& pairs) {
    std::vector<size_t> ends;  // by length: the place of the pair with the least second part
    std::vector<size_t> previous(pairs.size(), kNone);
    for (size_t i = 0; i < pairs.size(); ++i) {
      auto at = std::ranges::lower_bound(ends, pairs[i].second, {},
                                         [&](size_t k) { return pairs[k].second; });
      if (at != ends.begin()) previous[i] = *(at - 1);
      if (at == ends.end())
        ends.push_back(i);
      else
        *at = i;
    }
    std::vector<std::pair<size_t, size_t>> run;
    for (size_t i = ends.empty() ? kNone : ends.back(); i != kNone; i = previous[i])
      run.push_back(pairs[i]);
    std::ranges::reverse(run);
    return run;
  }

  const std::vector<std::string>& before_;
  const std::vector<std::string>& after_;
  std::vector<uint32_t> partner_;
};

std::vector<std::string> compared_lines(const std::vector<StageLine>& lines) {
  std::vector<std::string> texts;
  for (const StageLine& line : lines) texts.push_back(compared(line.text));
  return texts;
}

}  // namespace

std::vector<uint32_t> matching_lines(const std::vector<StageLine>& before,
                                     const std::vector<StageLine>& after) {
  const std::vector<std::string> old_texts = compared_lines(before);
  const std::vector<std::string> new_texts = compared_lines(after);
  return Matcher(old_texts, new_texts).partners();
}

}  // namespace glint::report
