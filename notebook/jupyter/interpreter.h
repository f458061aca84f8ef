// Jupyter's requests as calls of the host, and what it answers as Jupyter's replies.
//
//     execute_request {"code": "1 + 1"}   ->   Host::execute   ->   execute_result, execute_reply
//
// Ctrl-C is held back but while a cell runs, and while a message goes out.
#pragma once

#include <csignal>
#include <string>
#include <vector>
#include <xeus/xinterpreter.hpp>

#include "notebook/host.h"

namespace glint::notebook {

class Interpreter final : public xeus::xinterpreter, private Client {
 public:
  explicit Interpreter(Host& host) : host_(host) {}

 private:
  using Json = nl::json;

  void configure_impl() override {}
  Json execute_request_impl(int number, const std::string& code, bool silent, bool store_history,
                            Json user_expressions, bool allow_stdin) override;
  Json complete_request_impl(const std::string& code, int cursor) override;
  Json inspect_request_impl(const std::string& code, int cursor, int detail) override;
  Json is_complete_request_impl(const std::string& code) override;
  Json kernel_info_request_impl() override;
  /// On the thread of the control channel: the cell at work ends, and then the script.
  void shutdown_request_impl() override;
  /// What `shutdown_request_impl` asks of the thread that runs cells.
  Json internal_request_impl(const Json& message) override;

  void write(bool is_error, const std::string& text) override;
  void show(const Forms& forms, const ShownAs& as) override;
  void clear(bool waits) override;
  void show_result(const Forms& forms) override;
  std::optional<std::string> read_line(const std::string& prompt) override;

  Host& host_;
  pthread_t cells_ = pthread_self();  ///< the thread that runs them
  int number_ = 0;                    ///< of the cell at work
  bool takes_input_ = false;
};

}  // namespace glint::notebook
