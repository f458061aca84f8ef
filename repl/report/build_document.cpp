#include "repl/report/build_document.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "core/support/interruption.h"
#include "passes/listings.h"
#include "repl/report/drawing.h"
#include "repl/report/line_keys.h"
#include "repl/report/links.h"
#include "repl/report/pass_changes.h"
#include "repl/report/region_keys.h"

namespace glint::report {
namespace {

class Builder {
 public:
  explicit Builder(const Records& records) : records_(records) {}

  Document build() {
    document_.title = records_.title;
    document_.failure = records_.failure;
    document_.failure_keys = links_.spans(records_.failure.places);
    for (const Artifact& artifact : records_.log.artifacts())
      if (is_shown(artifact)) find_values(artifact);
    for (uint32_t region = 0; region < values_.size(); ++region)
      name_region(values_[region], region, links_);
    for (const Artifact& artifact : records_.log.artifacts())
      if (is_shown(artifact)) add_panel(artifact);
    std::ranges::stable_sort(document_.panels, [](const Panel& a, const Panel& b) {
      return std::pair(a.region, a.stage) < std::pair(b.region, b.stage);
    });
    add_sources();
    document_.keys = links_.nest(records_.sources);
    return std::move(document_);
  }

 private:
  static bool is_of_source(const Artifact& artifact) {
    return artifact.stage <= Stage::kProgram || artifact.compile == 0;
  }

  bool is_shown(const Artifact& artifact) const {
    if (is_of_source(artifact)) return !records_.is_library(artifact.definition.source);
    std::string_view name = artifact.function;
    auto is_asked = [&](std::string_view function) {
      return records_.whose.has(function, artifact.definition, artifact.compile);
    };
    // `f.backward` and `f.joint` belong to f.
    const size_t last = name.rfind('.');
    return is_asked(name) || (last != std::string_view::npos && is_asked(name.substr(0, last)));
  }

  /// The region of an artifact; made when it is seen first.
  uint32_t region_of(const Artifact& artifact) {
    if (is_of_source(artifact)) return kNone;
    auto [found, is_new] =
        regions_.try_emplace({artifact.compile, artifact.function, artifact.begin.line,
                              artifact.begin.column, artifact.region},
                             static_cast<uint32_t>(values_.size()));
    if (!is_new) return found->second;
    values_.emplace_back();
    document_.regions.push_back({.title = artifact.title(),
                                 .function = artifact.function,
                                 .place = region_title(artifact.function, artifact.begin, 1),
                                 .entry = artifact.region});
    return found->second;
  }

  void find_values(const Artifact& artifact) {
    const uint32_t region = region_of(artifact);
    if (region == kNone) return;
    if (const auto* listing = artifact.lines.target<passes::GraphListing>())
      values_[region].graph = listing->graph;
    if (const auto* listing = artifact.lines.target<passes::PassListing>())
      values_[region].log = listing->log;
  }

  void add_panel(const Artifact& artifact) {
    interruption::check();
    Panel panel{.stage = artifact.stage, .title = artifact.title(), .region = region_of(artifact)};
    if (panel.region == kNone)
      for (StageLine& line : artifact.lines())
        panel.lines.push_back({std::move(line.text), links_.spans(line.origins)});
    else
      fill_of_region(panel, artifact);
    document_.panels.push_back(std::move(panel));
  }

  void fill_of_region(Panel& panel, const Artifact& artifact) {
    const RegionValues& values = values_[panel.region];
    if (panel.stage == Stage::kPasses && values.log) {
      panel.passes = pass_changes(*values.log, panel.region, links_);
      return;
    }
    const std::vector<std::string> kernels = values.kernel_names();
    LineKeys keys(links_, panel.stage, panel.region, kernels);
    for (StageLine& line : artifact.lines()) {
      std::vector<KeyId> about = keys.keys_of(line);
      panel.lines.push_back({std::move(line.text), std::move(about)});
    }
    if (panel.stage == Stage::kFusion && values.log) link_decisions(panel, *values.log);
    if (panel.stage == Stage::kGraph) draw(panel, values);
    if (panel.stage == Stage::kMemory && values.schedule() != nullptr)
      panel.memory = memory_plan(*values.schedule(), panel.region, links_);
  }

  /// The last lines of `:fusion` are its decisions, each about two nodes.
  void link_decisions(Panel& panel, const passes::PassLog& log) {
    if (!log.fused_graph || panel.lines.size() < log.decisions.size()) return;
    const size_t first = panel.lines.size() - log.decisions.size();
    for (size_t i = 0; i < log.decisions.size(); ++i) {
      const passes::FusionDecision& decision = log.decisions[i];
      panel.lines[first + i].about = {
          links_.node(panel.region, (*log.fused_graph)[decision.producer].name),
          links_.node(panel.region, (*log.fused_graph)[decision.consumer].name)};
    }
  }

  void draw(Panel& panel, const RegionValues& values) {
    Groups groups;
    if (values.schedule() != nullptr) groups = groups_of(*values.schedule());
    if (values.fused() != nullptr)
      panel.drawings.push_back(
          draw_graph("after the passes", *values.fused(), groups, panel.region, links_));
    if (values.captured() != nullptr)
      panel.drawings.push_back(
          draw_graph("as captured", *values.captured(), {}, panel.region, links_));
  }

  void add_sources() {
    std::set<SourceId> used;
    if (records_.script != SourceId::kNone) used.insert(records_.script);
    for (const Key& key : links_.keys())
      if (key.kind == KeyKind::kSpan) used.insert(key.span.source);
    for (SourceId id : used) {
      SourceText text{.id = id,
                      .name = std::string(records_.sources.name(id)),
                      .library = records_.is_library(id),
                      .lines = {}};
      for (uint32_t line = 1; line <= records_.sources.line_count(id); ++line)
        text.lines.emplace_back(records_.sources.line(id, line));
      document_.sources.push_back(std::move(text));
    }
    std::ranges::stable_sort(document_.sources, {}, &SourceText::library);
  }

  const Records& records_;
  Document document_;
  Links links_;
  std::map<std::tuple<uint32_t, std::string, uint32_t, uint32_t, uint32_t>, uint32_t> regions_;
  std::vector<RegionValues> values_;
};

}  // namespace

Document build_document(const Records& records) {
  return Builder(records).build();
}

}  // namespace glint::report
