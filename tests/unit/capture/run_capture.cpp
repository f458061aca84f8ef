#include "run_capture.h"

#include "runtime/session/session.h"

namespace glint {
namespace {

constexpr const char* kPrelude = R"py(
import torch
from torch._dynamo.utils import counters
def start():
    torch._dynamo.reset()
    counters.clear()
def graphs():
    return counters["stats"]["unique_graphs"]
counters.clear()
)py";

std::string text_of(Session& session, Stage stage) {
  const Artifact* artifact = session.log().latest(stage);
  std::string text;
  if (!artifact) return text;
  for (const StageLine& line : artifact->lines()) text += line.text + "\n";
  return text;
}

}  // namespace

Recorded run_capture(const std::string& script) {
  Session session({});
  Recorded made;
  made.exit_code = session.run_text("<test>", kPrelude + script);
  made.why = session.why_recompiled();
  made.guards = text_of(session, Stage::kGuards);
  made.graph = text_of(session, Stage::kGraph);
  made.breaks = text_of(session, Stage::kBreaks);
  return made;
}

}  // namespace glint
