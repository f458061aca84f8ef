#include "runtime/capture/script_places.h"

namespace glint::capture {

using runtime::Frame;

namespace {

const Span& span_at_work(const Frame& frame) {
  return frame.program().instructions[frame.position()].span;
}

/// The innermost frame of the script that stands behind a frame of the library; null: none does.
const Frame* caller_in_script(const Frame& frame, uint32_t outermost, const SourceMap& sources) {
  for (const Frame* each = frame.caller; each && each->depth >= outermost; each = each->caller) {
    if (!each->code) continue;
    const Span& call = span_at_work(*each);
    if (call.known() && !sources.is_library(call.source)) return each;
  }
  return nullptr;
}

}  // namespace

void ScriptPlaces::move_to(const Frame& frame, uint32_t outermost, const SourceMap* sources) {
  const Span& own = span_at_work(frame);
  const bool in_library = sources && sources->is_library(own.source);
  const Frame* caller = in_library ? caller_in_script(frame, outermost, *sources) : nullptr;
  spans.assign(1, caller ? span_at_work(*caller) : own);
  if (caller) spans.push_back(own);
  function = (caller ? *caller : frame).program().qualified_name;
}

}  // namespace glint::capture
