// A user's strings in what is said of a call: what they hold does nothing to the terminal.
#include <catch2/catch.hpp>

#include "core/support/control_characters.h"
#include "runtime/interpreter/interpreter.h"
#include "runtime/session/session.h"

namespace glint {
namespace {

class Recorded final : public runtime::OutputSink {
 public:
  int write_out(std::string_view) override { return 0; }
  int write_error(std::string_view text) override {
    error += text;
    return 0;
  }
  std::string read_line() override { return ""; }

  std::string error;
};

bool has_controls(const std::string& text) {
  return text.find('\x1b') != std::string::npos || text.find('\a') != std::string::npos;
}

TEST_CASE("control characters are escaped, and nothing else") {
  CHECK(with_controls_escaped("a\x1b[31m\tb\n\x7f") == "a\\x1b[31m\tb\n\\x7f");
  CHECK(with_controls_escaped("\u009b31m\u0080\u00a0é\u0100") == "\\x9b31m\\x80\u00a0é\u0100");
  CHECK(with_controls_escaped("\xc2") == "\xc2");
}

TEST_CASE("control characters in a key are escaped where a miss is told of") {
  Recorded output;
  Session session({.arguments = {""}, .output = &output});
  int exit_code = 0;
  for (const char* entry : {"import torch", R"(key = "\x1b]0;evil\x07'")",
                            "@torch.compile(dynamic=False)\ndef f(d): return d[key] * 2\n",
                            "for n in range(1, 11): r = f({key: torch.ones(n)})\n"})
    REQUIRE(session.run_entry(entry, exit_code) == EntryOutcome::kDone);
  const std::string why = session.why_recompiled();
  INFO(why);
  CHECK(why.find(R"(d["\x1b]0;evil\x07'"] was float32)") != std::string::npos);
  CHECK_FALSE(has_controls(why));
  INFO(output.error);
  CHECK(output.error.find("FB005") != std::string::npos);
  CHECK_FALSE(has_controls(output.error));
}

}  // namespace
}  // namespace glint
