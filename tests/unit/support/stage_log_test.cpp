// What the stage log keeps: the last compiles of each function, not of each name.
#include "core/support/stage_log.h"

#include <catch2/catch.hpp>
#include <set>

namespace glint {
namespace {

Span line(uint32_t number) {
  return {SourceId{1}, number, 1, number, 9};
}

void compile(StageLog& log, const Span& definition, const void* owner = nullptr) {
  log.add({.stage = Stage::kGraph,
           .function = "<lambda>",
           .definition = definition,
           .compile = log.begin_compile(owner),
           .lines = {}});
}

size_t kept_of(const StageLog& log, const Span& definition) {
  std::set<uint32_t> compiles;
  for (const Artifact& artifact : log.artifacts())
    if (artifact.definition == definition) compiles.insert(artifact.compile);
  return compiles.size();
}

TEST_CASE("of functions of one name each keeps its stages", "[stage_log]") {
  StageLog log;
  for (uint32_t i = 1; i <= 3 * StageLog::kKeptCompiles; ++i) compile(log, line(i));
  for (uint32_t i = 1; i <= 3 * StageLog::kKeptCompiles; ++i) CHECK(kept_of(log, line(i)) == 1);
  for (uint32_t i = 0; i < 2 * StageLog::kKeptCompiles; ++i) compile(log, line(1));
  CHECK(kept_of(log, line(1)) == StageLog::kKeptCompiles);
  CHECK(kept_of(log, line(2)) == 1);
}

TEST_CASE("of closures of one function each keeps its stages, up to a number", "[stage_log]") {
  StageLog log;
  std::vector<char> owners(2 * StageLog::kKeptOfDefinition);
  for (size_t i = 0; i < StageLog::kKeptOfDefinition; ++i) compile(log, line(1), &owners[i]);
  CHECK(kept_of(log, line(1)) == StageLog::kKeptOfDefinition);
  for (const char& owner : owners) compile(log, line(1), &owner);
  CHECK(kept_of(log, line(1)) == StageLog::kKeptOfDefinition);
  for (size_t i = 0; i < 20; ++i) compile(log, line(2), &owners[0]);
  CHECK(kept_of(log, line(2)) == StageLog::kKeptCompiles);
}

TEST_CASE("of a stretch that is kept nothing is forgotten, in that log", "[stage_log]") {
  StageLog log, other;
  compile(log, line(1));
  const uint32_t since = log.keep();
  CHECK(since == 2);
  for (int i = 0; i < 20; ++i) {
    compile(log, line(1));
    compile(other, line(1));
  }
  CHECK(kept_of(log, line(1)) == 20);
  CHECK(kept_of(other, line(1)) == StageLog::kKeptCompiles);
  log.forget();
  compile(log, line(1));
  CHECK(kept_of(log, line(1)) == 20);  // it forgets one for one from here on
}

}  // namespace
}  // namespace glint
