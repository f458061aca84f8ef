// Sources: where, seen from a region's entry, an outside value is found again.
//
//     self.layers[2].weight        attribute(item(attribute(local self, "layers"), 2), "weight")
//     x.shape[0]                   size(local x, 0)
//
// Capture runs over real values and keeps, beside each register, the source that the value in it
// came from. A guard names a source; on a later call the guard program loads the source again and
// compares. Sources are interned: the same path is the same id, so a path is loaded once a check.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace glint::capture {

enum class SourceId : uint32_t { kNone = 0xffffffffu };
constexpr size_t index(SourceId id) {
  return static_cast<size_t>(id);
}

enum class SourceKind : uint8_t {
  kLocal,      ///< register `position` of the entry frame
  kCell,       ///< what cell `position` of the entry frame holds
  kGlobal,     ///< module variable `name` of the entry frame's function
  kObject,     ///< object `position` that the region keeps alive (a class, a function it inlines)
  kGlobalOf,   ///< module variable `name` of the module or function that the parent is
  kCellOf,     ///< what cell `position` of the function that the parent is holds
  kAttribute,  ///< entry `name` of the parent's own attributes; of a class: also of its bases
  kItem,       ///< item `position` of the parent, a list or tuple
  kEntry,      ///< the value under the string key `name` of the parent, a dict
  kKeyed,  ///< the value under a tensor, which source `position` leads to, of the parent, a dict
  kSize,   ///< size `position` of the parent, a tensor
  kSelf,   ///< the object that the parent, a bound method, is bound to
  kFunctionOf,      ///< the function that the parent, a bound method, calls
  kDefault,         ///< default value `position` of the parent, a function
  kBound,           ///< start, stop or step (0, 1, 2) of the parent, a slice
  kOwnDict,         ///< the `__dict__` of the parent
  kGradient,        ///< the `grad` of the parent, a tensor
  kKeywordDefault,  ///< default value of keyword-only parameter `name` of the parent, a function
};

struct Source {
  SourceKind kind;
  SourceId parent = SourceId::kNone;
  uint32_t position = 0;
  std::string name = {};
};

/// The sources of one region, parents before children.
class SourceTable {
 public:
  SourceId local(uint32_t index, std::string_view name);
  SourceId cell(uint32_t index, std::string_view name);
  SourceId global(std::string_view name);
  SourceId object(uint32_t index, std::string_view name);
  SourceId child(SourceId parent, SourceKind kind, std::string_view name);
  SourceId child(SourceId parent, SourceKind kind, uint32_t position, std::string_view name = {});

  size_t size() const { return sources_.size(); }
  /// How many others a source is reached through: 2 for `self.layers[2]`.
  uint32_t depth(SourceId id) const { return depths_[index(id)]; }
  /// Of all.
  uint32_t deepest() const { return deepest_; }
  const Source& operator[](SourceId id) const { return sources_[index(id)]; }
  /// As the user would write it: `self.layers[2].weight`.
  std::string text(SourceId id) const;

 private:
  SourceId intern(Source source);

  std::vector<Source> sources_;
  std::vector<uint32_t> depths_;
  uint32_t deepest_ = 0;
  std::map<std::tuple<SourceKind, SourceId, uint32_t, std::string>, SourceId> ids_;
};

}  // namespace glint::capture
