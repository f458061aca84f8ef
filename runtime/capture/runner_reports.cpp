// What a capture says: stages and guards to the stage log, warnings, the files that repeat what
// failed, and the exceptions of `torch._dynamo.exc`.
//
//     glint: FB002 `f` runs eagerly: cpu: no register is left;
//            repro: glint ir --run repro_f_1.glint

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "core/support/environment.h"
#include "passes/listings.h"
#include "runtime/capture/listings.h"
#include "runtime/capture/runner.h"
#include "runtime/interpreter/protocol.h"
#include "runtime/interpreter/torch_modules.h"

namespace glint::capture {

using namespace runtime;  // NOLINT: the interpreter's object structs, by their names
using runtime::Value;

Artifact Runner::artifact_of(const Region& region, Stage stage,
                             std::function<std::vector<StageLine>()> lines) {
  return {stage,         region.function, region.definition, region.compile,
          region.number, region.begin,    std::move(lines)};
}

void Runner::summarise(const Region& region) {
  if (region.stopped) summary_->breaks.push_back({*region.stopped, region.stopped_in});
  for (size_t i = 0; i < region.guards->guards().size(); ++i) {
    const Guard& guard = region.guards->guards()[i];
    if (!is_shown(guard)) continue;
    summary_->guards.push_back({std::string(guard_kind_table()[size_t(guard.kind)].name),
                                region.guard_sources[i], expectation(guard)});
  }
  for (const JournalEntry& entry : region.journal) summary_->journal.push_back(entry.text);
}

int64_t Runner::configured(std::string_view name, int64_t otherwise) {
  Value* module = interpreter_.modules().find("torch._dynamo.config");
  auto* settings = module ? module->try_as<ModuleObject>() : nullptr;
  Value* value = settings ? settings->dict->find(name) : nullptr;
  return value && value->is_integral() ? value->as_int() : otherwise;
}

void Runner::raise_compile_error(std::string_view name, const std::string& message) {
  TracerScope untraced(interpreter_, nullptr);
  Value module = interpreter_.import_module("torch._dynamo.exc");
  Value cls = module.defined() ? get_attribute(interpreter_, module, name) : Value();
  if (auto* exception = cls.try_as<ClassObject>())
    interpreter_.raise(Ref<ClassObject>(exception), {Value(make_str(message))});
}

std::string Runner::unsupported_text(const Diagnostic& stopped, const std::string& function) const {
  const DiagnosticInfo& about = info(stopped.id);
  std::string text = fmt::format(
      "{} {}\n  Explanation: {}\n  Hint: {}\n\n For more details about this graph break: "
      "glint doc {}\n",
      about.code, about.title, stopped.detail, about.advice, about.code);
  if (!context_.sources || !stopped.span.known()) return text;
  std::string_view line = context_.sources->line(stopped.span.source, stopped.span.line);
  size_t indent = line.find_first_not_of(" \t");
  if (indent != std::string_view::npos) line.remove_prefix(indent);
  return text + fmt::format("\nfrom user code:\n   File \"{}\", line {}, in {}\n    {}\n",
                            context_.sources->name(stopped.span.source), stopped.span.line,
                            function, line);
}

void Runner::warn_once(DiagnosticId id, const std::string& text, const std::string& about) {
  if (!warned_.insert({id, about}).second || !context_.warn) return;
  context_.warn(fmt::format("glint: {} {}", info(id).code, text));
}

std::string Runner::repro_of(const Graph& graph) const {
  std::error_code ignored;
  std::string folder = environment::cache_folder();
  std::filesystem::create_directories(folder, ignored);
  std::string path = fmt::format("{}/repro_{}_{}.glint", folder, graph.name, compiles_);
  std::ofstream file(path);
  file << print(graph);
  file.close();
  return file ? fmt::format("repro: glint ir --run {}", path)
              : fmt::format("no repro: `{}` cannot be written", folder);
}

void Runner::report_anomaly_mode(CompileRecord& record, const program::Code& code) {
  if (record.told_of_anomaly_mode) return;
  record.told_of_anomaly_mode = true;
  const DiagnosticInfo& about = info(DiagnosticId::kFallbackAnomaly);
  std::string text = fmt::format("`{}` runs eagerly: {}", code.qualified_name, about.title);
  last_recompile_ = fmt::format("{} {}", about.code, text);
  older_misses_.clear();
  if (record.wrapped) warn_once(DiagnosticId::kFallbackAnomaly, text, code.qualified_name);
  if (!context_.log) return;
  Artifact told;
  told.stage = Stage::kBreaks;
  told.function = code.qualified_name;
  told.definition = code.span;
  told.lines = [&about, text = std::move(text)] {
    return std::vector<StageLine>{{fmt::format("{} {}", about.code, about.title), {}},
                                  {"  " + text, {}},
                                  {fmt::format("  {}", about.advice), {}}};
  };
  context_.log->add(std::move(told));
}

void Runner::report_limit(const CompileRecord& record, const Region& newest,
                          const std::string& function, int64_t limit) {
  std::string counted = fmt::format("`{}` was compiled {} times and runs eagerly from now on; {}",
                                    function, limit, last_recompile_);
  last_recompile_ += fmt::format("; it was compiled {} times and runs eagerly from now on", limit);
  // Where nobody asked for it, it runs as it should, and only who looks wants to know.
  if (record.wrapped) warn_once(DiagnosticId::kFallbackRecompileLimit, counted, function);
  if (!context_.log) return;
  const DiagnosticInfo& about = info(DiagnosticId::kFallbackRecompileLimit);
  add_artifact(newest, Stage::kBreaks,
               {{fmt::format("{} {}", about.code, about.title), {}},
                {"  " + counted, {}},
                {fmt::format("  {}", about.advice), {}}});
}

namespace {

/// What `passes` says of an IR that breaks a rule.
constexpr std::string_view kUnsound = "is not sound";

/// What the warning about a compile that failed is called.
DiagnosticId fallback_of(std::string_view message) {
  if (message.find(kUnsound) != std::string_view::npos) return DiagnosticId::kFallbackVerifier;
  if (message.starts_with("passes: ")) return DiagnosticId::kFallbackPass;
  return DiagnosticId::kFallbackBackend;
}

}  // namespace

void Runner::fall_back(const std::string& function, const std::string& message,
                       const Graph& graph) {
  fall_back(function, fallback_of(message), message, graph);
}

void Runner::fall_back(const std::string& function, DiagnosticId id, const std::string& message,
                       const Graph& graph) {
  warn_once(id, fmt::format("`{}` runs eagerly: {}; {}", function, message, repro_of(graph)));
}

std::vector<StageLine> Runner::time_lines(const Region& region, double since_capture) const {
  std::vector<StageTime> times;
  double total = since_capture;
  for (const Artifact& artifact : context_.log->artifacts()) {
    if (artifact.definition.source != region.definition.source || artifact.milliseconds == 0.0)
      continue;
    if (artifact.stage == Stage::kAst) times.push_back({"parse", artifact.milliseconds});
    if (artifact.stage == Stage::kProgram) times.push_back({"lower", artifact.milliseconds});
  }
  for (const StageTime& time : times) total += time.milliseconds;
  double rest = since_capture;
  for (const StageTime& time : region.trail.times) {
    times.push_back(time);
    if (!time.part) rest -= time.milliseconds;
  }
  times.push_back({"guards, records", std::max(rest, 0.0)});
  return TimeListing{.title = region_title(region.function, region.begin, region.number),
                     .span = "from the text to the first result",
                     .times = std::move(times),
                     .total = total}();
}

void Runner::add_artifact(const Region& region, Stage stage, std::vector<StageLine> lines) {
  context_.log->add(artifact_of(region, stage, [lines = std::move(lines)] { return lines; }));
}

void Runner::log_joint(const Region& region) {
  if (!region.joint) return;
  Artifact shown = artifact_of(region, Stage::kGraph,
                               passes::GraphListing{.graph = {region.joint, &region.joint->graph},
                                                    .part = passes::GraphPart::kJoint});
  shown.function += kJointSuffix;
  context_.log->add(std::move(shown));
}

Diagnostic Runner::break_by(const Region& region, const std::string& obstacle) {
  return {DiagnosticId::kBreakUnsupportedValue,
          region.stopped ? region.stopped->span : region.definition,
          fmt::format("{} is alive where the region ends, so that it is not kept: {}", obstacle,
                      region.raises() ? "other calls are captured anew"
                                      : "the function runs eagerly from here on")};
}

void Runner::log_region(const Region& region, const std::string& obstacle) {
  std::vector<StageLine> guards;
  constexpr size_t kWidestSource = 32;
  size_t width = 12;
  for (const std::string& source : region.guard_sources)
    width = std::max(width, std::min(source.size(), kWidestSource) + 2);
  const size_t count = shown_guards(region.guards->guards());
  const size_t number_width = std::max<size_t>(std::to_string(count).size() + 1, 3);
  for (size_t i = 0; i < count; ++i) {
    const Guard& guard = region.guards->guards()[i];
    std::string source = region.guard_sources[i];
    source.resize(std::max(width, source.size() + 2), ' ');
    guards.push_back({fmt::format("  g{:<{}}{:<10}{}{}", i, number_width,
                                  guard_kind_table()[static_cast<size_t>(guard.kind)].name, source,
                                  guard.kind == GuardKind::kRelation ? "" : expectation(guard)),
                      {guard.span}});
  }
  for (const JournalEntry& entry : region.journal)
    guards.push_back({"  journal: " + entry.text, {entry.span}});
  std::string end = region.stopped
                        ? fmt::format("  ends early: {} {}; {}", info(region.stopped->id).code,
                                      info(region.stopped->id).title, region.stopped->detail)
                        : "  ends at the return, no break";
  guards.push_back({end, {}});
  context_.log->add(
      artifact_of(region, Stage::kGuards,
                  GuardListing{.title = region_title(region.function, region.begin, region.number),
                               .guards = std::move(guards),
                               .recompiled = region.number > 1 ? misses() : "",
                               .hits = region.hits}));
  auto add_break = [&](BreakListing listing) {
    context_.log->add(artifact_of(region, Stage::kBreaks, std::move(listing)));
  };
  if (region.stopped)
    add_break({.what = *region.stopped,
               .inside = region.stopped_in == region.function ? "" : region.stopped_in});
  const bool is_told = region.stopped && region.stopped->id == DiagnosticId::kBreakUnsupportedValue;
  if (!obstacle.empty() && !is_told)
    add_break({.what = break_by(region, obstacle), .ends_region = false});
}

}  // namespace glint::capture
