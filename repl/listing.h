// What the log has of a function, under headings: `glint show`, `:graph f`.
//
//     == graph f
//     graph f(%x: f32[3]) -> f32[3] { ... }
//
//     == graph f, entry 2
//     graph f(%x: f32[s0]) -> f32[s0] { ... }
//
// First its tokens, syntax tree and register code, each cut to the function; then region by region,
// in the order in which they were compiled, each with its stages in order. Where an entry at the
// REPL defined the function anew, only the newest definition counts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "repl/render/languages.h"
#include "runtime/session/session.h"

namespace glint {

struct Listing {
  std::string title;  ///< `graph f, entry 2`
  std::string text;
  std::string function = {};  ///< whose it is; empty where the lines are not a stage's
  std::vector<StageLine> lines = {};
  uint32_t compile = 0;  ///< see `Artifact`
  render::Language language = render::Language::kNone;
  SourceId main = SourceId::kNone;  ///< the text that the function stands in
};

/// An artifact under its heading, `graph f`; `colours`: its text is for a terminal that has them.
Listing listing_of(const Artifact& artifact, const SourceMap& sources, bool colours);

struct ListingRequest {
  std::vector<Stage> stages = {};  ///< empty: all
  /// Of no name: all functions, with the tokens and the tree of `file`.
  Whose whose = {};
  std::string file = {};
  /// Of regions with one title only the newest: the others are of code that was forgotten since, or
  /// of other functions of that name, where no variable says which is meant.
  bool newest_only = false;
  /// Instead of the function's own artifacts those of its joint graphs.
  bool joint = false;
  bool colours = false;  ///< see `listing_of`
};

std::vector<Listing> listings(Session& session, const ListingRequest& request);

/// Each under its heading; one alone, at the REPL, needs none.
std::string with_headings(const std::vector<Listing>& listings, bool even_one);

/// Names of what the log has: of all script functions, or of those with a compiled region.
std::vector<std::string> logged_functions(Session& session, bool compiled);

}  // namespace glint
