// What a cell prints, on its way to the front end.
//
//     print("a"); print("b")      two messages, at once
//     for i in range(100000): print(i)
//                                 some hundreds: what comes faster than the front end can draw is
//                                 put together
//
// Standard output and error keep their order. What is left over goes out when the cell flushes,
// reads a line, shows something or ends.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "notebook/host.h"
#include "runtime/interpreter/interpreter.h"

namespace glint::notebook {

class CellOutput final : public runtime::OutputSink {
 public:
  /// From now on what is written goes there; null: nowhere.
  void set_client(Client* client);
  /// Of the cell at work; null: none, or a silent one.
  Client* client() const { return client_; }

  int write_out(std::string_view text) override;
  void write_error(std::string_view text) override;
  int write_value(const runtime::Value& value, const std::string& text) override;
  int flush() override;
  std::string read_line() override { return ask(""); }
  /// The front end shows the prompt beside what is typed.
  std::string ask(const std::string& prompt) override;

 private:
  using Clock = std::chrono::steady_clock;

  void write(bool is_error, std::string_view text);
  /// Whether one more message may go out now.
  bool may_send();

  Client* client_ = nullptr;
  std::string waiting_;
  bool waiting_is_error_ = false;
  int credit_ = 0;  ///< messages that may go out at once
  Clock::time_point credited_ = {};
};

}  // namespace glint::notebook
