#include "repl/report/trace_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "repl/report/json.h"

namespace glint::report {
namespace {

std::string members(std::string_view kind, std::string_view name, size_t track) {
  return fmt::format(R"({{"ph":"{}","name":{},"pid":1,"tid":{})", kind, json_string(name),
                     track + 1);
}

/// The places in the script, each once, innermost first.
std::string source_text(const std::vector<Span>& origins, const SourceMap& sources) {
  std::vector<std::string> places;
  for (const Span& span : origins) {
    if (!span.known()) continue;
    std::string_view line = sources.line(span.source, span.line);
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    std::string place = fmt::format("{}:{}: {}", sources.name(span.source), span.line, line);
    if (std::ranges::find(places, place) == places.end()) places.push_back(std::move(place));
  }
  std::string text;
  for (const std::string& place : places) text += (text.empty() ? "" : "\n") + place;
  return text;
}

std::string arguments_text(const profile::Event& event, const SourceMap& sources) {
  std::string text;
  auto add = [&](std::string_view key, std::string_view value) {
    text += fmt::format("{}{}:{}", text.empty() ? "" : ",", json_string(key), json_string(value));
  };
  for (const auto& [key, value] : event.arguments) add(key, value);
  if (const std::string source = source_text(event.origins, sources); !source.empty())
    add("source", source);
  return text;
}

std::string event_text(const profile::Event& event, size_t track, int64_t start,
                       const SourceMap& sources) {
  const double at = static_cast<double>(event.start - start) * 1e-3;
  if (event.is_counter)
    return members("C", event.name, track) +
           fmt::format(R"(,"ts":{:.3f},"args":{{"bytes":{}}}}})", at, event.duration);
  return members("X", event.name, track) +
         fmt::format(R"(,"cat":"{}","ts":{:.3f},"dur":{:.3f},"args":{{{}}}}})", event.category, at,
                     static_cast<double>(event.duration) * 1e-3, arguments_text(event, sources));
}

/// In the order in which they began; of those that began together, the longest first.
std::vector<const profile::Event*> in_order(const std::vector<profile::Event>& events) {
  std::vector<const profile::Event*> order;
  for (const profile::Event& event : events) order.push_back(&event);
  std::ranges::stable_sort(order, [](const profile::Event* a, const profile::Event* b) {
    if (a->start != b->start) return a->start < b->start;
    if (a->is_counter != b->is_counter) return a->is_counter;
    return a->duration > b->duration;
  });
  return order;
}

}  // namespace

std::string trace_events(const profile::Recording& recording, const SourceMap& sources) {
  std::string text = R"({"displayTimeUnit":"ns","traceEvents":[)"
                     "\n";
  text += members("M", "process_name", 0) + R"(,"args":{"name":"glint"}})";
  for (size_t i = 0; i < recording.tracks.size(); ++i) {
    const profile::Track& track = recording.tracks[i];
    text += ",\n" + members("M", "thread_name", i) +
            fmt::format(R"(,"args":{{"name":{}}}}})", json_string(track.name));
    for (const profile::Event* event : in_order(track.events))
      text += ",\n" + event_text(*event, i, recording.start, sources);
  }
  return text +
         fmt::format("\n],\"otherData\":{{\"events left out\":\"{}\"}}}}\n", recording.left_out);
}

}  // namespace glint::report
