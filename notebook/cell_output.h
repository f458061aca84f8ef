// What a cell prints, on its way to the front end.
//
//     print("a"); print("b")      two messages, at once
//     for i in range(100000): print(i)
//                                 some hundreds: what comes faster than the front end can draw is
//                                 put together
//
// Standard output and error keep their order. What is left over goes out when the cell flushes,
// sleeps, compiles, reads a line, shows something or ends; and a tenth of a second later at the
// latest, once the script gets to its next call or turn of a loop.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "notebook/host.h"
#include "runtime/interpreter/interpreter.h"
#include "runtime/session/display.h"

namespace glint::notebook {

class CellOutput final : public runtime::OutputSink, public Display {
 public:
  /// One lives at a time.
  CellOutput();
  ~CellOutput() override;
  CellOutput(const CellOutput&) = delete;
  CellOutput& operator=(const CellOutput&) = delete;

  /// From now on what is written goes there; null: nowhere.
  void set_client(Client* client);
  /// Of the cell at work; null: none, or a silent one.
  Client* client() const { return client_; }

  int write_out(std::string_view text) override;
  void write_error(std::string_view text) override;
  int write_value(const runtime::Value& value, const std::string& text) override;
  int flush() override;
  std::string read_line() override { return ask(""); }
  void show(const Shown& shown) override;
  void clear(bool waits) override;
  /// The front end shows the prompt beside what is typed.
  std::string ask(const std::string& prompt) override;

 private:
  using Clock = std::chrono::steady_clock;

  void write(bool is_error, std::string_view text);
  /// Whether one more message may go out now.
  bool may_send();
  /// Asks for what has waited too long, on a thread of its own.
  void watch();

  Client* client_ = nullptr;
  std::string waiting_;
  bool waiting_is_error_ = false;
  int credit_ = 0;  ///< messages that may go out at once
  Clock::time_point credited_ = {};

  std::mutex mutex_;  ///< of the two below
  std::condition_variable changed_;
  bool held_back_ = false;  ///< something has begun to wait
  bool ends_ = false;
  std::thread watcher_;
};

}  // namespace glint::notebook
