#include "core/support/source_map.h"

namespace glint {

SourceId SourceMap::add(std::string name, std::string text) {
  auto source = std::make_unique<Source>();
  source->name = std::move(name);
  source->text = std::move(text);
  source->line_starts.push_back(0);
  for (uint32_t i = 0; i < source->text.size(); ++i) {
    char c = source->text[i];
    bool lone_return = c == '\r' && (i + 1 == source->text.size() || source->text[i + 1] != '\n');
    if (c == '\n' || lone_return) source->line_starts.push_back(i + 1);
  }
  sources_.push_back(std::move(source));
  return static_cast<SourceId>(sources_.size());
}

SourceId SourceMap::add_library(std::string name, std::string text) {
  const SourceId id = add(std::move(name), std::move(text));
  sources_.back()->is_library = true;
  return id;
}

bool SourceMap::is_library(SourceId id) const {
  const Source* source = find(id);
  return source && source->is_library;
}

const SourceMap::Source* SourceMap::find(SourceId id) const {
  auto index = static_cast<uint32_t>(id);
  return index == 0 || index > sources_.size() ? nullptr : sources_[index - 1].get();
}

std::string_view SourceMap::name(SourceId id) const {
  const Source* source = find(id);
  return source ? std::string_view(source->name) : "<unknown>";
}

std::string_view SourceMap::text(SourceId id) const {
  const Source* source = find(id);
  return source ? std::string_view(source->text) : std::string_view();
}

uint32_t SourceMap::line_count(SourceId id) const {
  const Source* source = find(id);
  return source ? static_cast<uint32_t>(source->line_starts.size()) : 0;
}

std::string_view SourceMap::line(SourceId id, uint32_t line) const {
  const Source* source = find(id);
  if (!source || line == 0 || line > source->line_starts.size()) return {};
  uint32_t begin = source->line_starts[line - 1];
  size_t end = line < source->line_starts.size() ? source->line_starts[line] : source->text.size();
  while (end > begin && (source->text[end - 1] == '\n' || source->text[end - 1] == '\r')) --end;
  return std::string_view(source->text).substr(begin, end - begin);
}

std::string SourceMap::text_of(const Span& span) const {
  std::string_view text = line(span.source, span.line);
  if (span.column >= text.size()) return {};
  if (span.end_line == span.line) {
    return std::string(text.substr(span.column, span.end_column - span.column));
  }
  return std::string(text.substr(span.column)) + "...";
}

}  // namespace glint
