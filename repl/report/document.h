// The report as data: sources, stages line by line, and the keys that tie them together.
//
//     source        torch.relu(x * y)                       key 4  span 5:19 to 5:24, in key 3
//     graph         %mul  = multiply %x, %y                 key 9  node %mul        from 4
//     kernels       3    c = multiply a, b                  key 12 statement 3      from 9
//     asm           vmulps zmm1, zmm1, zmmword ptr [rcx]           about 12
//
// A key is something that lines of several stages are about: a stretch of source, a graph node, a
// kernel, one of its statements. `from` leads upwards, to what it was made of; read backwards it
// leads to what became of it. A line names the keys that it is about, and nothing else: whoever
// points at a line finds all related lines of all stages by following keys, in both directions.
// `json.h` writes it; the page in `page/` draws it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/support/span.h"
#include "core/support/stage_log.h"

namespace glint::report {

using KeyId = uint32_t;
inline constexpr uint32_t kNone = ~0u;

enum class KeyKind : uint8_t { kSpan, kNode, kKernel, kStatement };

struct Key {
  KeyKind kind = KeyKind::kSpan;
  std::string name = {};    ///< `%mul`, `multiply_relu`, `multiply_relu 3`; of a span nothing
  Span span = {};           ///< of a span; columns count UTF-16 units, as a page's strings do
  KeyId within = kNone;     ///< of a span: the innermost other one around it
  uint32_t region = kNone;  ///< of all others
  std::vector<KeyId> from = {};
};

struct Line {
  std::string text;
  std::vector<KeyId> about = {};
  char mark = ' ';  ///< of a change: `-`, `+`; `@` where unchanged lines were left out
};

/// One pass: a row, and what it changed.
struct PassChange {
  std::string name;
  std::string before, after;  ///< `5 nodes`, `1 kernel`
  bool changed = false;
  double milliseconds = 0.0;
  std::vector<std::string> rules = {};
  std::vector<Line> lines = {};
};

struct DrawnNode {
  KeyId key = kNone;
  std::string name;
  std::string target;  ///< the operator; empty for parameters and constants
  std::string type;
  uint32_t group = kNone;
  std::string module = {};  ///< `Net.layers.0.linear`; empty outside of modules
};
struct DrawnEdge {
  uint32_t from = 0, to = 0;  ///< places in `nodes`
  std::string type;           ///< of the value that goes along it
};
struct DrawnGroup {
  std::string name;
  bool library = false;
};
/// A graph as boxes: nodes in an order that runs, edges between them, the kernels that they became.
struct Drawing {
  std::string title;
  std::vector<DrawnNode> nodes;
  std::vector<DrawnEdge> edges;
  std::vector<DrawnGroup> groups;
};

struct SlotTenant {
  std::string name;
  KeyId key = kNone;
  uint32_t first = 0, last = 0;  ///< steps
  bool leaves = false;
};
struct SlotRow {
  std::string bytes;
  std::string role;  ///< `workspace`, `output`, `update`
  std::vector<SlotTenant> tenants;
};
struct MemoryPlan {
  std::vector<std::string> steps;
  std::vector<SlotRow> slots;
};

/// One artifact of the stage log.
struct Panel {
  Stage stage = Stage::kProgram;
  std::string title;
  uint32_t region = kNone;  ///< none: of the source, not of a compile
  std::vector<Line> lines = {};
  std::vector<PassChange> passes = {};  ///< of Stage::kPasses
  std::vector<Drawing> drawings = {};   ///< of Stage::kGraph
  MemoryPlan memory = {};               ///< of Stage::kMemory
};

struct Region {
  std::string title;     ///< `f from 11:12, entry 2`
  std::string function;  ///< `f`
  std::string place;     ///< `f from 11:12`: what its other entries share
  uint32_t entry = 1;
};

struct SourceText {
  SourceId id = SourceId::kNone;
  std::string name;
  bool library = false;
  std::vector<std::string> lines;
};

/// How far a script came that ended with an exception.
struct Failure {
  std::string text = {};          ///< the traceback as it was printed; empty: it did not fail
  std::vector<Span> places = {};  ///< innermost first
};

struct Document {
  std::string title;
  Failure failure = {};
  std::vector<KeyId> failure_keys = {};
  std::vector<SourceText> sources = {};
  std::vector<Key> keys = {};
  std::vector<Region> regions = {};
  std::vector<Panel> panels = {};
};

}  // namespace glint::report
