// What calls leave behind besides their results: `:bench` repeats a call thousands of times, which
// nobody wants of one that prints or appends to a list.
//
//     SilentOutput silent(interpreter);                      what is written is dropped, but
//     counted uint64_t before = state_of({main, function, x});
//     ... the call ...
//     bool quiet = state_of({main, function, x}) == before && !silent.wrote();
//
// Seen are variables, attributes, items of lists, dicts and sets, tensors written in place and
// gradients, as far as they can be reached. Not seen is what lies outside the program: files, say.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "runtime/interpreter/interpreter.h"

namespace glint {

/// A number that differs when something reachable from the roots has changed. Modules on the way
/// are not looked into.
uint64_t state_of(std::span<const runtime::Value> roots);

/// While it lives, what the script writes is dropped.
class SilentOutput final : public runtime::OutputSink {
 public:
  explicit SilentOutput(runtime::Interpreter& interpreter)
      : interpreter_(interpreter), real_(interpreter.output()) {
    interpreter.set_output(this);
  }
  ~SilentOutput() override { interpreter_.set_output(&real_); }
  SilentOutput(const SilentOutput&) = delete;
  SilentOutput& operator=(const SilentOutput&) = delete;

  int write_out(std::string_view text) override {
    wrote_ |= !text.empty();
    return 0;
  }
  int write_error(std::string_view text) override {
    wrote_ |= !text.empty();
    return 0;
  }
  std::string read_line() override { return real_.read_line(); }
  bool wrote() const { return wrote_; }

 private:
  runtime::Interpreter& interpreter_;
  runtime::OutputSink& real_;
  bool wrote_ = false;
};

}  // namespace glint
