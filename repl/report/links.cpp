#include "repl/report/links.h"

#include <fmt/format.h>

#include <algorithm>

namespace glint::report {

KeyId Links::add(Key key) {
  keys_.push_back(std::move(key));
  return static_cast<KeyId>(keys_.size() - 1);
}

KeyId Links::span(const Span& where) {
  if (!where.known() || where.line == 0) return kNone;
  const Place place = {static_cast<uint32_t>(where.source), where.line, where.column,
                       where.end_line, where.end_column};
  auto [found, is_new] = spans_.try_emplace(place, kNone);
  if (is_new) found->second = add({.kind = KeyKind::kSpan, .span = where});
  return found->second;
}

std::vector<KeyId> Links::spans(const std::vector<Span>& places) {
  std::vector<KeyId> keys;
  for (const Span& place : places) {
    const KeyId key = span(place);
    if (key != kNone && std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
  }
  return keys;
}

KeyId Links::node(uint32_t region, const std::string& name) {
  auto [found, is_new] = named_.try_emplace({KeyKind::kNode, region, name}, kNone);
  if (is_new) found->second = add({.kind = KeyKind::kNode, .name = "%" + name, .region = region});
  return found->second;
}

KeyId Links::known_node(uint32_t region, const std::string& name) const {
  auto found = named_.find({KeyKind::kNode, region, name});
  return found == named_.end() ? kNone : found->second;
}

KeyId Links::kernel(uint32_t region, const std::string& name) {
  auto [found, is_new] = named_.try_emplace({KeyKind::kKernel, region, name}, kNone);
  if (is_new) found->second = add({.kind = KeyKind::kKernel, .name = name, .region = region});
  return found->second;
}

KeyId Links::statement(uint32_t region, const std::string& kernel, uint32_t number) {
  std::string name = fmt::format("{} {}", kernel, number);
  auto [found, is_new] = named_.try_emplace({KeyKind::kStatement, region, name}, kNone);
  if (is_new) found->second = add({.kind = KeyKind::kStatement, .name = name, .region = region});
  return found->second;
}

void Links::add_from(KeyId key, KeyId origin) {
  if (key == kNone || origin == kNone || key == origin) return;
  std::vector<KeyId>& from = keys_[key].from;
  if (std::ranges::find(from, origin) == from.end()) from.push_back(origin);
}

namespace {

std::pair<uint32_t, uint32_t> begin_of(const Span& span) {
  return {span.line, span.column};
}
std::pair<uint32_t, uint32_t> end_of(const Span& span) {
  return {span.end_line, span.end_column};
}

/// By source and beginning; of those that begin together the widest first.
bool is_outer(const Span& a, const Span& b) {
  if (a.source != b.source) return a.source < b.source;
  if (begin_of(a) != begin_of(b)) return begin_of(a) < begin_of(b);
  return end_of(a) > end_of(b);
}

}  // namespace

std::vector<Key> Links::nest(const SourceMap& sources) {
  std::vector<KeyId> order;
  for (KeyId id = 0; id < keys_.size(); ++id)
    if (keys_[id].kind == KeyKind::kSpan) order.push_back(id);
  std::ranges::sort(order,
                    [&](KeyId a, KeyId b) { return is_outer(keys_[a].span, keys_[b].span); });
  std::vector<KeyId> open;
  for (KeyId id : order) {
    const Span& span = keys_[id].span;
    while (!open.empty() && (keys_[open.back()].span.source != span.source ||
                             end_of(keys_[open.back()].span) < end_of(span)))
      open.pop_back();
    if (!open.empty()) keys_[id].within = open.back();
    open.push_back(id);
  }
  for (KeyId id : order) {
    Span& span = keys_[id].span;
    span.column = utf16_column(sources.line(span.source, span.line), span.column);
    span.end_column = utf16_column(sources.line(span.source, span.end_line), span.end_column);
  }
  return std::move(keys_);
}

uint32_t utf16_column(std::string_view line, uint32_t column) {
  uint32_t units = 0;
  for (size_t i = 0; i < std::min<size_t>(column, line.size()); ++i) {
    const auto byte = static_cast<unsigned char>(line[i]);
    if ((byte & 0xc0U) == 0x80) continue;
    units += byte >= 0xf0 ? 2 : 1;
  }
  return units;
}

}  // namespace glint::report
