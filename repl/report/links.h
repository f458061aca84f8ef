// Gives out keys: one for each stretch of source, node, kernel and statement, however often it is
// named.
//
//     Links links;
//     KeyId mul = links.node(0, "mul");
//     links.add_from(mul, links.span(where));
//
// When all are known, `nest` finds for each span the innermost one around it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/support/source_map.h"
#include "repl/report/document.h"

namespace glint::report {

class Links {
 public:
  /// Of a place in a source; `kNone` for nowhere.
  KeyId span(const Span& where);
  std::vector<KeyId> spans(const std::vector<Span>& places);
  KeyId node(uint32_t region, const std::string& name);
  /// A node that somebody has named already; `kNone` otherwise.
  KeyId known_node(uint32_t region, const std::string& name) const;
  KeyId kernel(uint32_t region, const std::string& name);
  KeyId statement(uint32_t region, const std::string& kernel, uint32_t number);
  /// `key` was made of `origin`; nothing where one is `kNone`, or both are the same.
  void add_from(KeyId key, KeyId origin);

  const std::vector<Key>& keys() const { return keys_; }
  /// Fills `within`, and counts the spans' columns in UTF-16 units. No keys are given out after it.
  std::vector<Key> nest(const SourceMap& sources);

 private:
  KeyId add(Key key);

  using Place = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t, uint32_t>;
  std::vector<Key> keys_;
  std::map<Place, KeyId> spans_;
  std::map<std::tuple<KeyKind, uint32_t, std::string>, KeyId> named_;
};

/// How many UTF-16 units stand before a byte of a line.
uint32_t utf16_column(std::string_view line, uint32_t column);

}  // namespace glint::report
