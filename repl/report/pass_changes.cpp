#include "repl/report/pass_changes.h"

#include <fmt/format.h>

#include "core/support/interruption.h"
#include "repl/report/line_keys.h"
#include "repl/report/matching_lines.h"
#include "repl/report/statement_ties.h"

namespace glint::report {
namespace {

constexpr size_t kContext = 3;

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

/// The pass that left what this one had before it, of the same kind; `kNone` where none did.
uint32_t pass_before(const passes::PassLog& log, uint32_t at) {
  const bool is_schedule = log.passes[at].schedule != nullptr;
  for (uint32_t i = at; i-- > 0;)
    if (is_schedule ? log.passes[i].schedule != nullptr : log.passes[i].graph != nullptr) return i;
  return kNone;
}

std::vector<StageLine> lines_before(const passes::PassLog& log, uint32_t at, uint32_t before) {
  if (before != kNone) return value_lines(log.passes[before]);
  const bool is_schedule = log.passes[at].schedule != nullptr;
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
  const std::vector<uint32_t> partners = matching_lines(before, after);
  std::vector<ChangedLine> all;
  uint32_t next = 0;
  auto add_next = [&](char mark) {
    all.push_back({after[next], mark, next});
    ++next;
  };
  for (uint32_t i = 0; i < before.size(); ++i) {
    if (partners[i] == kNone) {
      all.push_back({before[i], '-', i});
      continue;
    }
    while (next < partners[i]) add_next('+');
    add_next(' ');
  }
  while (next < after.size()) add_next('+');
  return with_context(std::move(all));
}

std::vector<PassChange> pass_changes(const passes::PassLog& log, uint32_t region, Links& links) {
  std::vector<PassChange> changes;
  const StatementTies ties(log, region, links);
  const std::vector<std::string> no_kernels;
  for (uint32_t i = 0; i < log.passes.size(); ++i) {
    interruption::check();
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
    const uint32_t pass_ahead = pass_before(log, i);
    const std::vector<StageLine> before = lines_before(log, i, pass_ahead);
    // Lowering makes all of its schedule: the stage of kernels shows it.
    if (record.schedule && before.empty()) continue;
    LineKeys keys(links, Stage::kPasses, region, no_kernels);
    auto about = [&](const ChangedLine& line) -> std::vector<KeyId> {
      if (line.mark == '@') return {};
      const KeyId statement = ties.of(line.mark == '-' ? pass_ahead : i, line.at);
      if (statement != kNone) return {statement};
      return keys_of(line.line, record.schedule != nullptr, keys);
    };
    for (const ChangedLine& line : changed_lines(before, value_lines(record)))
      change.lines.push_back({line.line.text, about(line), line.mark});
  }
  return changes;
}

}  // namespace glint::report
