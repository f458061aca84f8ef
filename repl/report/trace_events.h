// A profile as trace events, the JSON that Perfetto and Chrome's viewer open.
//
//     {"traceEvents": [
//       {"ph": "M", "name": "thread_name", "pid": 1, "tid": 1, "args": {"name": "script"}},
//       {"ph": "X", "name": "multiply_relu_sum", "cat": "kernel", "pid": 1, "tid": 1, "ts": 12.5,
//        "dur": 3.25, "args": {"nodes": "%mul %relu %sum", "source": "demo.py:5: x * y"}},
//       {"ph": "C", "name": "tensor memory", ..., "args": {"bytes": 4096}}]}
//
// Times are microseconds since the recording began. Events of a thread nest.
#pragma once

#include <string>

#include "core/support/profile.h"
#include "core/support/source_map.h"

namespace glint::report {

std::string trace_events(const profile::Recording& recording, const SourceMap& sources);

}  // namespace glint::report
