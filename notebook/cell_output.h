// What a cell prints, on its way to the front end.
//
//     print(0, end=" "); print(1)      one message: front ends show each as a block of its own
//     for i in range(100000): print(i)
//                                      some tens
//
// Text waits for more, a tenth of a second at most: whatever the script is at, a thread of its own
// sends it then. It goes at once when the cell flushes, reads a line, shows something or ends.
// Standard output and error keep their order.
//
// The front end is told things by one thread at a time, under `mutex_`: while a line is read (on a
// channel of its own) nothing waits.
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
  int write_error(std::string_view text) override;
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
  /// What waits; under the lock.
  void send();
  /// Sends what has waited long enough, on a thread of its own.
  void watch();

  std::mutex mutex_;                 ///< of all below
  std::condition_variable changed_;  ///< something has begun to wait, or it ends
  Client* client_ = nullptr;         ///< changes on the thread of the cells alone
  std::string waiting_;
  Clock::time_point waits_since_ = {};
  bool waiting_is_error_ = false;
  bool ends_ = false;
  std::thread watcher_;
};

}  // namespace glint::notebook
