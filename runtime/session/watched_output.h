// What a script writes, as far as the REPL must know of it: where the cursor stands behind it, and
// the values of expressions that were typed.
//
//     print("a", end="")     the line is open: a prompt that begins at the first column erases it
//     print("a")             it is not
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "runtime/interpreter/interpreter.h"
#include "runtime/session/typed_entries.h"

namespace glint {

/// Writes where the interpreter has written so far, and looks at the last character.
class WatchedOutput final : public runtime::OutputSink {
 public:
  WatchedOutput(runtime::Interpreter& interpreter, TypedEntries& typed)
      : interpreter_(interpreter), typed_(typed), real_(interpreter.output()) {
    interpreter.set_output(this);
  }
  ~WatchedOutput() override { interpreter_.set_output(&real_); }
  WatchedOutput(const WatchedOutput&) = delete;
  WatchedOutput& operator=(const WatchedOutput&) = delete;

  int write_out(std::string_view text) override {
    look_at(text);
    return real_.write_out(text);
  }
  int write_error(std::string_view text) override {
    look_at(text);
    return real_.write_error(text);
  }
  void write_traceback(std::string_view text) override {
    look_at(text);
    real_.write_traceback(paint_ ? paint_(text) : std::string(text));
  }
  int write_value(const runtime::Value& value, const std::string& text) override {
    open_ = false;
    typed_.note_shown(value);
    return real_.write_value(value, text);
  }
  int flush() override { return real_.flush(); }
  int lost() const override { return real_.lost(); }
  /// The line ends on the screen with the Enter that ends it.
  std::string read_line() override {
    std::string line = real_.read_line();
    if (line.ends_with('\n')) open_ = false;
    return line;
  }
  std::string ask(const std::string& prompt) override {
    look_at(prompt);
    std::string line = real_.ask(prompt);
    if (line.ends_with('\n')) open_ = false;
    return line;
  }
  /// What gives a traceback its colours from now on.
  void paint_tracebacks(std::function<std::string(std::string_view)> paint) {
    paint_ = std::move(paint);
  }
  /// Whether the line that was written last is not ended; from then on it counts as ended.
  bool take_open_line() { return std::exchange(open_, false); }

 private:
  void look_at(std::string_view text) {
    if (!text.empty()) open_ = text.back() != '\n';
  }

  runtime::Interpreter& interpreter_;
  TypedEntries& typed_;
  runtime::OutputSink& real_;
  std::function<std::string(std::string_view)> paint_;
  bool open_ = false;
};

}  // namespace glint
