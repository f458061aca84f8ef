#include "repl/report/pass_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "repl/report/line_keys.h"

namespace glint::report {
namespace {

constexpr size_t kContext = 3;

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
  /// For each line before, its place after; `kNone` for those that went.
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

/// Leaves `kContext` unchanged lines on both sides of a change.
std::vector<ChangedLine> with_context(std::vector<ChangedLine> all) {
  std::vector<bool> kept(all.size(), false);
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i].mark == ' ') continue;
    const size_t begin = i - std::min(i, kContext);
    const size_t end = std::min(all.size(), i + kContext + 1);
    for (size_t k = begin; k < end; ++k) kept[k] = true;
  }
  std::vector<ChangedLine> lines;
  for (size_t i = 0; i < all.size();) {
    if (kept[i]) {
      lines.push_back(std::move(all[i++]));
      continue;
    }
    const size_t begin = i;
    while (i < all.size() && !kept[i]) ++i;
    lines.push_back(
        {{fmt::format("{} line{} unchanged", i - begin, i - begin == 1 ? "" : "s"), {}}, '@'});
  }
  return lines;
}

std::vector<StageLine> value_lines(const passes::PassRecord& record) {
  if (record.graph) return graph_lines(*record.graph);
  if (record.schedule) return schedule_lines(*record.schedule);
  return {};
}

/// What a pass had before it: the last value of its kind.
std::vector<StageLine> lines_before(const passes::PassLog& log, size_t at) {
  const bool is_schedule = log.passes[at].schedule != nullptr;
  for (size_t i = at; i-- > 0;) {
    const passes::PassRecord& record = log.passes[i];
    if (is_schedule ? record.schedule != nullptr : record.graph != nullptr)
      return value_lines(record);
  }
  return !is_schedule && log.captured ? graph_lines(*log.captured) : std::vector<StageLine>();
}

/// The node that a line of a graph or a kernel names last, or first where it defines one.
std::vector<KeyId> keys_of(const StageLine& line, bool is_schedule, LineKeys& keys) {
  if (!is_schedule) return keys.keys_of(line);
  const size_t last = line.text.rfind(" %");
  if (last == std::string::npos) return keys.keys_of(line);
  return keys.keys_of({line.text.substr(last), line.origins});
}

}  // namespace

std::vector<ChangedLine> changed_lines(const std::vector<StageLine>& before,
                                       const std::vector<StageLine>& after) {
  const std::vector<std::string> old_texts = compared_lines(before);
  const std::vector<std::string> new_texts = compared_lines(after);
  const Matcher matcher(old_texts, new_texts);
  std::vector<ChangedLine> all;
  size_t next = 0;
  for (size_t i = 0; i < before.size(); ++i) {
    const uint32_t partner = matcher.partners()[i];
    if (partner == kNone) {
      all.push_back({before[i], '-'});
      continue;
    }
    while (next < partner) all.push_back({after[next++], '+'});
    all.push_back({after[next++], ' '});
  }
  while (next < after.size()) all.push_back({after[next++], '+'});
  return with_context(std::move(all));
}

std::vector<PassChange> pass_changes(const passes::PassLog& log, uint32_t region, Links& links) {
  std::vector<PassChange> changes;
  const std::vector<std::string> no_kernels;
  for (size_t i = 0; i < log.passes.size(); ++i) {
    const passes::PassRecord& record = log.passes[i];
    changes.push_back({.name = std::string(record.name),
                       .before = record.before,
                       .after = record.after,
                       .changed = record.changed,
                       .milliseconds = record.milliseconds});
    PassChange& change = changes.back();
    for (const passes::RuleHit& hit : record.rules)
      change.rules.push_back(fmt::format("{}: {}   ->   {}", hit.rule, hit.before, hit.after));
    if (!record.changed || (!record.graph && !record.schedule)) continue;
    const std::vector<StageLine> before = lines_before(log, i);
    // Lowering makes all of its schedule: the stage of kernels shows it.
    if (record.schedule && before.empty()) continue;
    LineKeys keys(links, Stage::kPasses, region, no_kernels);
    const bool is_schedule = record.schedule != nullptr;
    for (ChangedLine& line : changed_lines(before, value_lines(record)))
      change.lines.push_back(
          {line.line.text,
           line.mark == '@' ? std::vector<KeyId>() : keys_of(line.line, is_schedule, keys),
           line.mark});
  }
  return changes;
}

}  // namespace glint::report
