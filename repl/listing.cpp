#include "repl/listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "core/support/typed_source.h"
#include "passes/listings.h"
#include "repl/render/narrow.h"
#include "repl/render/text.h"
#include "runtime/capture/region_gradients.h"

namespace glint {
namespace {

bool is_of_region(Stage stage) {
  return stage > Stage::kProgram;
}

bool is_before(uint32_t line, uint32_t column, uint32_t other_line, uint32_t other_column) {
  return line < other_line || (line == other_line && column < other_column);
}

/// The tokens between the function's first and its last character.
std::vector<StageLine> tokens_of(std::vector<StageLine> lines, const Span& definition) {
  std::erase_if(lines, [&](const StageLine& line) {
    const Span& at = line.origins.front();
    return !is_before(definition.line, definition.column, at.end_line, at.end_column) ||
           !is_before(at.line, at.column, definition.end_line, definition.end_column);
  });
  return lines;
}

/// The function's node and what is indented below it.
std::vector<StageLine> tree_of(const std::vector<StageLine>& lines, const Span& definition) {
  auto indent = [](const StageLine& line) { return line.text.find_first_not_of(' '); };
  auto begin = std::ranges::find_if(
      lines, [&](const StageLine& line) { return line.origins.front() == definition; });
  if (begin == lines.end()) return {};
  auto end = std::find_if(begin + 1, lines.end(),
                          [&](const StageLine& line) { return indent(line) <= indent(*begin); });
  std::vector<StageLine> part(begin, end);
  size_t outer = indent(part.front());
  for (StageLine& line : part) line.text.erase(0, outer);
  // What it is to its parent, `body: `, is no part of it.
  std::string& first = part.front().text;
  size_t label = first.find(": ");
  if (label < first.find(' ')) first.erase(0, label + 2);
  return part;
}

/// An artifact, or a part of one.
Listing listing_of(const Artifact& artifact, std::string_view title, std::vector<StageLine> lines,
                   const SourceMap& sources, bool colours) {
  const render::Language language = render::language_of(artifact.stage);
  std::string text = render::text_of(lines, &sources,
                                     {.main = artifact.definition.source,
                                      .has_colours = colours,
                                      .width = render::fitting_width(),
                                      .language = language});
  std::string_view stage = stage_table()[static_cast<size_t>(artifact.stage)].name;
  return {.title = fmt::format("{} {}", stage, title),
          .text = std::move(text),
          .function = artifact.function,
          .lines = std::move(lines),
          .compile = artifact.compile,
          .language = language,
          .main = artifact.definition.source};
}

/// Collects listings; of a stage that nobody asked for, nothing.
class Collector {
 public:
  Collector(Session& session, const std::vector<Stage>& stages, bool colours)
      : session_(session), stages_(stages), colours_(colours) {}

  void add(const Artifact& artifact) { add(artifact, artifact.title(), artifact.lines); }
  template <class Lines>
  void add(const Artifact& artifact, const std::string& title, Lines&& lines) {
    Stage stage = artifact.stage;
    bool wanted = stages_.empty() || std::ranges::find(stages_, stage) != stages_.end();
    if (!wanted) return;
    found.push_back(listing_of(artifact, title, lines(), session_.sources(), colours_));
  }

  std::vector<Listing> found;

 private:
  Session& session_;
  const std::vector<Stage>& stages_;
  const bool colours_;
};

/// Tokens, tree and code of a function.
void add_source_stages(Collector& collector, const StageLog& log, const Artifact& code) {
  for (const Artifact& whole : log.artifacts()) {
    bool fits = whole.definition.source == code.definition.source;
    if (!fits || (whole.stage != Stage::kTokens && whole.stage != Stage::kAst)) continue;
    bool is_module = code.function == "<module>";
    collector.add(whole, code.function, [&] {
      if (is_module) return whole.lines();
      return whole.stage == Stage::kTokens ? tokens_of(whole.lines(), code.definition)
                                           : tree_of(whole.lines(), code.definition);
    });
  }
  collector.add(code);
}

/// The name of the function whose joint graph it is, of `f.joint`; nothing of other artifacts.
std::optional<std::string_view> owner_of_joint(const Artifact& artifact) {
  std::string_view name = artifact.function;
  if (!passes::is_joint(artifact)) return std::nullopt;
  return name.substr(0, name.size() - capture::kJointSuffix.size());
}

/// Whether a graph has both marks.
bool holds_backward(const Artifact& graph) {
  std::vector<StageLine> lines = graph.lines();
  auto has = [&](std::string_view mark) {
    return std::ranges::any_of(lines, [&](const StageLine& line) { return line.text == mark; });
  };
  return has("forward:") && has("backward:");
}

bool is_joint_of(const Artifact& artifact, const Whose& whose) {
  if (std::optional<std::string_view> owner = owner_of_joint(artifact))
    return whose.has(*owner, artifact.definition, artifact.compile);
  return artifact.stage == Stage::kGraph && whose.has(artifact) && holds_backward(artifact);
}

/// Drops the forward graphs whose joint graphs are there too.
void drop_cut_apart(std::vector<const Artifact*>& graphs) {
  std::set<std::pair<std::string_view, uint32_t>> joint;
  for (const Artifact* each : graphs)
    if (auto owner = owner_of_joint(*each)) joint.emplace(*owner, each->compile);
  std::erase_if(graphs, [&](const Artifact* each) {
    return joint.contains({each->function, each->compile});
  });
}

/// Drops the artifacts of a region for which a newer compile has one of the same title.
void keep_newest(std::vector<const Artifact*>& artifacts) {
  std::map<std::string, uint32_t> newest;
  for (const Artifact* each : artifacts) newest[each->title()] = each->compile;
  std::erase_if(artifacts,
                [&](const Artifact* each) { return each->compile < newest[each->title()]; });
}

/// The artifacts of regions, each region's together.
std::vector<const Artifact*> by_region(std::vector<const Artifact*> artifacts) {
  auto same_region = [](const Artifact* a, const Artifact* b) {
    return a->compile == b->compile && a->region == b->region && a->function == b->function &&
           a->begin == b->begin;
  };
  std::vector<const Artifact*> ordered;
  while (!artifacts.empty()) {
    const Artifact* first = artifacts.front();
    auto rest =
        std::stable_partition(artifacts.begin(), artifacts.end(),
                              [&](const Artifact* each) { return same_region(each, first); });
    std::stable_sort(artifacts.begin(), rest, [](auto* a, auto* b) { return a->stage < b->stage; });
    ordered.insert(ordered.end(), artifacts.begin(), rest);
    artifacts.erase(artifacts.begin(), rest);
  }
  return ordered;
}

}  // namespace

Listing listing_of(const Artifact& artifact, const SourceMap& sources, bool colours) {
  return listing_of(artifact, artifact.title(), artifact.lines(), sources, colours);
}

std::vector<Listing> listings(Session& session, const ListingRequest& request) {
  const auto& [stages, whose, file, newest_only, joint, colours] = request;
  const StageLog& log = session.log();
  Collector collector(session, stages, colours);
  std::string script = std::filesystem::absolute(file.empty() ? "." : file).string();
  std::map<std::string, SourceId, std::less<>> newest;
  for (const Artifact& artifact : log.artifacts())
    if (artifact.stage == Stage::kProgram) newest[artifact.function] = artifact.definition.source;
  auto is_current = [&](const Artifact& artifact) {
    SourceId source = artifact.definition.source;
    if (whose.definition.known() || !is_typed(session.sources().name(source))) return true;
    auto known = newest.find(artifact.function);
    return known == newest.end() || known->second == source;
  };
  std::vector<const Artifact*> regions;
  for (const Artifact& artifact : log.artifacts()) {
    bool whole_file = whose.name.empty() && artifact.function == file;
    if (!is_of_region(artifact.stage) && whole_file && !joint) collector.add(artifact);
    bool named = joint ? is_joint_of(artifact, whose) : whose.has(artifact);
    if (!named || !is_current(artifact)) continue;
    if (is_of_region(artifact.stage)) regions.push_back(&artifact);
    if (artifact.stage != Stage::kProgram || joint) continue;
    if (!whose.name.empty())
      add_source_stages(collector, log, artifact);
    else if (session.sources().name(artifact.definition.source) == script)
      collector.add(artifact);
  }
  if (joint) drop_cut_apart(regions);
  if (newest_only) keep_newest(regions);
  for (const Artifact* artifact : by_region(std::move(regions))) collector.add(*artifact);
  return std::move(collector.found);
}

std::string with_headings(const std::vector<Listing>& listings, bool even_one) {
  if (listings.size() == 1 && !even_one) return listings[0].text;
  std::string text;
  for (const Listing& each : listings)
    text += fmt::format("{}{}{}", text.empty() ? "" : "\n", render::heading(each.title), each.text);
  return text;
}

std::vector<std::string> logged_functions(Session& session, bool compiled) {
  std::vector<std::string> names;
  const StageLog& log = session.log();
  for (const Artifact& artifact : log.artifacts()) {
    bool fits = compiled ? artifact.stage == Stage::kGraph
                         : artifact.stage == Stage::kProgram && artifact.function != "<module>";
    bool known = std::ranges::find(names, artifact.function) != names.end();
    // A joint graph is no function.
    if (fits && !known && !passes::is_joint(artifact)) names.push_back(artifact.function);
  }
  return names;
}

}  // namespace glint
