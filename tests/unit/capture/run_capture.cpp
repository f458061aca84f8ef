#include "run_capture.h"

#include <unistd.h>

#include <cstdio>

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

/// What is written to standard error while it lives.
class ErrorText {
 public:
  ErrorText() : file_(std::tmpfile()), before_(dup(STDERR_FILENO)) {
    std::fflush(stderr);
    dup2(fileno(file_), STDERR_FILENO);
  }
  ~ErrorText() {
    restore();
    std::fclose(file_);
  }
  ErrorText(const ErrorText&) = delete;
  ErrorText& operator=(const ErrorText&) = delete;

  std::string text() {
    restore();
    std::rewind(file_);
    std::string text;
    for (int c = std::fgetc(file_); c != EOF; c = std::fgetc(file_)) text += static_cast<char>(c);
    return text;
  }

 private:
  void restore() {
    if (before_ < 0) return;
    std::fflush(stderr);
    dup2(before_, STDERR_FILENO);
    close(before_);
    before_ = -1;
  }

  std::FILE* file_;
  int before_;
};

}  // namespace

Recorded run_capture(const std::string& script,
                     const std::function<void(runtime::Interpreter&)>& prepare) {
  ErrorText errors;
  Session session({});
  if (prepare) prepare(runtime::Interpreter::current());
  Recorded made;
  made.exit_code = session.run_text("<test>", kPrelude + script);
  made.errors = errors.text();
  if (made.exit_code != 0) std::fputs(made.errors.c_str(), stderr);
  made.why = session.why_recompiled();
  made.guards = text_of(session, Stage::kGuards);
  made.graph = text_of(session, Stage::kGraph);
  made.memory = text_of(session, Stage::kMemory);
  made.breaks = text_of(session, Stage::kBreaks);
  for (const Artifact& artifact : session.log().artifacts()) {
    if (artifact.stage != Stage::kBreaks) continue;
    for (const StageLine& line : artifact.lines()) made.all_breaks += line.text + "\n";
  }
  return made;
}

}  // namespace glint
