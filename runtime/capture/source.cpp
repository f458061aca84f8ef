#include "runtime/capture/source.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/interpreter/builtins_utf8.h"

namespace glint::capture {

SourceId SourceTable::intern(Source source) {
  auto next = static_cast<SourceId>(sources_.size());
  // The name of a local, a cell or an object is only for messages; its number says which it is.
  bool named = source.kind != SourceKind::kLocal && source.kind != SourceKind::kCell &&
               source.kind != SourceKind::kObject;
  auto [entry, added] = ids_.try_emplace(
      {source.kind, source.parent, source.position, named ? source.name : std::string()}, next);
  if (added) {
    depths_.push_back(source.parent == SourceId::kNone ? 0 : depth(source.parent) + 1);
    deepest_ = std::max(deepest_, depths_.back());
    sources_.push_back(std::move(source));
  }
  return entry->second;
}

SourceId SourceTable::local(uint32_t index, std::string_view name) {
  return intern({SourceKind::kLocal, SourceId::kNone, index, std::string(name)});
}
SourceId SourceTable::cell(uint32_t index, std::string_view name) {
  return intern({SourceKind::kCell, SourceId::kNone, index, std::string(name)});
}
SourceId SourceTable::global(std::string_view name) {
  return intern({SourceKind::kGlobal, SourceId::kNone, 0, std::string(name)});
}
SourceId SourceTable::object(uint32_t index, std::string_view name) {
  return intern({SourceKind::kObject, SourceId::kNone, index, std::string(name)});
}
SourceId SourceTable::child(SourceId parent, SourceKind kind, std::string_view name) {
  return intern({kind, parent, 0, std::string(name)});
}
SourceId SourceTable::child(SourceId parent, SourceKind kind, uint32_t position,
                            std::string_view name) {
  return intern({kind, parent, position, std::string(name)});
}

std::string SourceTable::text(SourceId id) const {
  if (id == SourceId::kNone) return "<computed>";
  const Source& source = (*this)[id];
  switch (source.kind) {
    case SourceKind::kLocal:
    case SourceKind::kCell:
    case SourceKind::kGlobal:
    case SourceKind::kObject:
    case SourceKind::kGlobalOf:
      return source.name;
    case SourceKind::kCellOf:
      return source.name.empty() ? text(source.parent) : source.name;
    case SourceKind::kAttribute:
      return fmt::format("{}.{}", text(source.parent), source.name);
    case SourceKind::kItem:
      return fmt::format("{}[{}]", text(source.parent), source.position);
    case SourceKind::kEntry:
      return fmt::format("{}[{}]", text(source.parent), runtime::text_repr(source.name));
    case SourceKind::kKeyed:
      return fmt::format("{}[{}]", text(source.parent), text(SourceId(source.position)));
    case SourceKind::kSize:
      return fmt::format("{}.shape[{}]", text(source.parent), source.position);
    case SourceKind::kSelf:
      return fmt::format("{}.__self__", text(source.parent));
    case SourceKind::kFunctionOf:
      return fmt::format("{}.__func__", text(source.parent));
    case SourceKind::kDefault:
      return fmt::format("{}.__defaults__[{}]", text(source.parent), source.position);
    case SourceKind::kBound: {
      constexpr std::string_view kNames[] = {"start", "stop", "step"};
      return fmt::format("{}.{}", text(source.parent), kNames[source.position]);
    }
    case SourceKind::kOwnDict:
      return fmt::format("{}.__dict__", text(source.parent));
    case SourceKind::kGradient:
      return fmt::format("{}.grad", text(source.parent));
    case SourceKind::kKeywordDefault:
      return fmt::format("{}.__kwdefaults__[{}]", text(source.parent),
                         runtime::text_repr(source.name));
  }
  return {};
}

}  // namespace glint::capture
