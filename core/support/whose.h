// Whose stages are asked for, where a name alone does not say it.
//
// Two lambdas have one name; two closures of a function, two modules of a class have one
// definition, too, and differ in the compiles that are theirs. A name alone stands for all of that
// name; where a variable was named, its value says which function it is
// (runtime/session/whose.cpp).
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "core/support/stage_log.h"

namespace glint {

struct Whose {
  std::string name = {};           ///< qualified, or its last parts; empty: everybody's
  Span definition = {};            ///< of the function; nowhere: whatever has the name
  std::set<uint32_t> others = {};  ///< compiles that are not meant

  Whose() = default;
  template <class Text>
    requires std::convertible_to<Text, std::string_view>
  Whose(const Text& text) : name(std::string_view(text)) {}  // NOLINT: a name says whose

  bool has(std::string_view function, const Span& at, uint32_t compile) const {
    return is_named(function, name) && (!definition.known() || at == definition) &&
           !others.contains(compile);
  }
  bool has(const Artifact& artifact) const {
    return has(artifact.function, artifact.definition, artifact.compile);
  }
};

/// The newest artifact of a stage; null when there is none.
inline const Artifact* latest(const StageLog& log, Stage stage, const Whose& whose) {
  const auto& all = log.artifacts();
  auto found = std::find_if(all.rbegin(), all.rend(), [&](const Artifact& artifact) {
    return artifact.stage == stage && whose.has(artifact);
  });
  return found == all.rend() ? nullptr : &*found;
}

}  // namespace glint
