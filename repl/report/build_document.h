// The stage log as a document: the same records that `glint show` prints, tied together by keys.
//
// Two kinds of artifacts: those of the source (tokens, syntax tree, register code), of which each
// line is about a stretch of text, and those of a compile, of which the lines are about nodes,
// kernels and statements. Steps:
//
//   1. the compiles: each artifact behind capture belongs to a region, by function, place, compile;
//   2. what there is: the nodes of every graph of a region, the kernels and statements of its
//      schedule, each with what it was made of;
//   3. the lines: each artifact's recipe makes them, line_keys.h says what they are about;
//   4. the sources that any key lies in, with the spans nested.
//
// A node that a pass made comes from the captured node whose place or composite call it shares, so
// that nothing is computed here that the passes have not said.
#pragma once

#include <functional>
#include <string>

#include "core/support/source_map.h"
#include "core/support/stage_log.h"
#include "core/support/whose.h"
#include "repl/report/document.h"

namespace glint::report {

struct Records {
  const StageLog& log;
  const SourceMap& sources;
  /// Whether a source is a module of Glint's own, whose tokens and code are left out.
  std::function<bool(SourceId)> is_library;
  std::string title;
  Whose whose = {};  ///< only the compiles of this one and of its gradients
  Failure failure = {};
  SourceId script = SourceId::kNone;  ///< shown though nothing points into it
};

Document build_document(const Records& records);

}  // namespace glint::report
