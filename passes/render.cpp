#include "passes/render.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "passes/fuse.h"

namespace glint::passes {

namespace {

std::vector<StageLine> value_lines(const PassRecord& record) {
  if (record.graph) return graph_lines(*record.graph);
  if (record.schedule) return schedule_lines(*record.schedule);
  return {};
}

/// The lines of the longest common subsequence are kept; others are removed or added.
std::vector<StageLine> diff(const std::vector<StageLine>& before,
                            const std::vector<StageLine>& after) {
  size_t n = before.size(), m = after.size();
  std::vector<std::vector<uint32_t>> length(n + 1, std::vector<uint32_t>(m + 1, 0));
  for (size_t i = n; i-- > 0;)
    for (size_t j = m; j-- > 0;)
      length[i][j] = before[i].text == after[j].text ? length[i + 1][j + 1] + 1
                                                     : std::max(length[i + 1][j], length[i][j + 1]);
  std::vector<StageLine> lines;
  size_t i = 0, j = 0;
  while (i < n || j < m) {
    if (i < n && j < m && before[i].text == after[j].text) {
      ++i, ++j;
    } else if (i < n && (j == m || length[i + 1][j] >= length[i][j + 1])) {
      lines.push_back({"- " + before[i].text, before[i].origins});
      ++i;
    } else {
      lines.push_back({"+ " + after[j].text, after[j].origins});
      ++j;
    }
  }
  return lines;
}

/// Runs of blanks count as one: columns move when a neighbour grows.
std::vector<StageLine> squeezed(std::vector<StageLine> lines) {
  for (StageLine& line : lines) {
    size_t indent = line.text.find_first_not_of(' ');
    std::string text;
    for (size_t i = 0; i < line.text.size(); ++i)
      if (i < indent || line.text[i] != ' ' || text.empty() || text.back() != ' ')
        text += line.text[i];
    line.text = std::move(text);
  }
  return lines;
}

std::vector<StageLine> diff_of(const PassLog& log, size_t at) {
  const PassRecord& record = log.passes[at];
  // Groups have no text of their own: `:fusion` and `:kernels` show them.
  if (!record.graph && !record.schedule) return {};
  std::vector<StageLine> before;
  for (size_t i = at; i-- > 0 && before.empty();)
    if (bool(log.passes[i].schedule) == bool(record.schedule)) before = value_lines(log.passes[i]);
  if (before.empty() && record.schedule) return {};  // lowering makes all of it
  if (before.empty() && log.captured) before = graph_lines(*log.captured);
  return diff(squeezed(std::move(before)), squeezed(value_lines(record)));
}

void append_rules(const PassRecord& record, std::vector<StageLine>& lines) {
  std::map<std::string_view, std::vector<const RuleHit*>> by_rule;
  for (const RuleHit& hit : record.rules) by_rule[hit.rule].push_back(&hit);
  for (const auto& [rule, hits] : by_rule) {
    const std::source_location& born = hits.front()->birthplace;
    auto file = std::filesystem::path(born.file_name()).filename().string();
    lines.push_back({fmt::format("{} fired {} time{}   passes/{}:{}", rule, hits.size(),
                                 hits.size() == 1 ? "" : "s", file, born.line()),
                     {}});
    for (const RuleHit* hit : hits)
      lines.push_back({fmt::format("  {}   ->   {}", hit->before, hit->after), {}});
  }
}

/// What the pass was given and what it made: `5 nodes -> 1 kernel`.
std::string sizes_of(const PassRecord& record) {
  return record.before == record.after && !record.changed ? record.after
                                                          : record.before + " -> " + record.after;
}

std::string remark(const PassRecord& record) {
  if (!record.rules.empty())
    return fmt::format("{} rule{} fired", record.rules.size(), record.rules.size() == 1 ? "" : "s");
  return record.changed ? "" : "unchanged";
}

}  // namespace

std::vector<StageLine> pass_lines(const PassLog& log, const PassLineOptions& options) {
  std::vector<StageLine> lines;
  if (log.captured)
    lines.push_back({fmt::format("   {:<22} {} node{}", "capture", log.captured->call_count(),
                                 log.captured->call_count() == 1 ? "" : "s"),
                     {}});
  size_t width = 0;
  for (const PassRecord& record : log.passes) width = std::max(width, sizes_of(record).size());
  for (size_t i = 0; i < log.passes.size(); ++i) {
    const PassRecord& record = log.passes[i];
    std::string text = fmt::format("   {:<22} {:<{}}   {:<14}", record.name, sizes_of(record),
                                   width, remark(record));
    if (options.times) text += fmt::format(" {:>6.3f} ms", record.milliseconds);
    text.erase(text.find_last_not_of(' ') + 1);
    lines.push_back({std::move(text), {}});
    if (!options.open || !record.changed) continue;
    for (StageLine& line : diff_of(log, i))
      lines.push_back({"        " + line.text, std::move(line.origins)});
    std::vector<StageLine> rules;
    append_rules(record, rules);
    for (StageLine& line : rules) lines.push_back({"        " + line.text, {}});
  }
  return lines;
}

std::vector<StageLine> diff_lines(const PassLog& log, std::string_view pass) {
  for (size_t i = 0; i < log.passes.size(); ++i)
    if (log.passes[i].name == pass) return diff_of(log, i);
  return {};
}

std::vector<StageLine> rule_lines(const PassLog& log) {
  std::vector<StageLine> lines;
  for (const PassRecord& record : log.passes) append_rules(record, lines);
  return lines;
}

/// `product + bias + gelu_tanh`: what a library's product does on its own.
std::string epilogue_text(const Node& node) {
  std::string text = "product";
  if (node.find("bias")) text += " + bias";
  if (const Argument* activation = node.find("activation"))
    text += " + " + *activation->get_if<std::string>();
  return text;
}

std::vector<StageLine> fusion_lines(const PassLog& log) {
  std::vector<StageLine> lines;
  if (!log.fused_graph) return lines;
  const Graph& graph = *log.fused_graph;
  size_t width = 0;
  std::vector<std::string> pairs;
  auto name = [&](NodeId id) {
    const Node& node = graph[id];
    // The operator tells more than the name, unless several nodes share it.
    auto same = std::count_if(graph.nodes.begin(), graph.nodes.end(),
                              [&](const Node& other) { return other.target == node.target; });
    return same == 1 ? node.target.text() : "%" + node.name;
  };
  for (const FusionDecision& decision : log.decisions) {
    pairs.push_back(name(decision.producer) + " + " + name(decision.consumer));
    width = std::max(width, pairs.back().size());
  }
  for (const Node& node : graph.nodes) {
    if (node.target == "mm_epilogue") width = std::max(width, epilogue_text(node).size());
  }
  for (const Node& node : graph.nodes) {
    if (node.target != "mm_epilogue") continue;
    lines.push_back({fmt::format("{:<{}}   yes   the library's call does it on each part of the "
                                 "result, while that is in cache",
                                 epilogue_text(node), width),
                     node.origins});
  }
  for (size_t i = 0; i < log.decisions.size(); ++i) {
    const FusionDecision& decision = log.decisions[i];
    std::vector<Span> origins = graph[decision.producer].origins;
    const auto& others = graph[decision.consumer].origins;
    origins.insert(origins.end(), others.begin(), others.end());
    lines.push_back({fmt::format("{:<{}}   {:<3}   {}", pairs[i], width,
                                 decision.fused ? "yes" : "no", reason_text(decision)),
                     std::move(origins)});
  }
  if (lines.empty()) lines.push_back({"nothing to fuse: no call reads another's result", {}});
  return lines;
}

std::vector<StageLine> kernel_stage_lines(const Schedule& schedule) {
  return schedule_lines(schedule);
}

}  // namespace glint::passes
