// What tests of a session begin with: entries that run to their end, and a look at a text.
#pragma once

#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/session/session.h"

namespace glint {

inline void run(Session& session, const std::vector<const char*>& entries) {
  int exit_code = 0;
  for (const char* entry : entries) {
    INFO(entry);
    REQUIRE(session.run_entry(entry, exit_code) == EntryOutcome::kDone);
  }
}

inline bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace glint
