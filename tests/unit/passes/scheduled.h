// A graph's text as the schedule that the passes make of it, which is sound.
#pragma once

#include <catch2/catch.hpp>

#include <string_view>

#include "passes/pipeline.h"

namespace glint::passes {

/// For a device, or for the processor.
inline Schedule scheduled(std::string_view text, bool on_device) {
  const auto graph = parse_graph(text);
  REQUIRE(graph.ok());
  PassLog log;
  Schedule schedule = run_pipeline(*graph, {.verify_calls = true, .on_device = on_device}, log);
  CHECK(!verify_schedule(schedule));
  return schedule;
}

}  // namespace glint::passes
