// The sockets, as xeus serves them, with what Jupyter's protocol asks for besides.
//
//     interrupt_request     a SIGINT for the thread that runs cells
//     a cell that raises    the cells that wait behind it are answered with `aborted`
#pragma once

#include <csignal>
#include <string>
#include <vector>
#include <xeus/xserver_shell_main.hpp>

namespace glint::notebook {

class Server final : public xeus::xserver_shell_main {
 public:
  Server(zmq::context_t& context, const xeus::xconfiguration& configuration,
         nl::json::error_handler_t errors);

 private:
  void send_control_impl(xeus::xmessage message) override;
  void publish_impl(xeus::xpub_message message, xeus::channel channel) override;
  void abort_queue_impl(const listener& listener, long polling_interval) override;

  /// Answers a request that is not carried out.
  void answer_aborted(const xeus::xmessage& request);
  void publish_state(const std::string& state, const nl::json& request);

  pthread_t cells_ = pthread_self();  ///< the thread that runs them
  std::string session_;
  /// What waited behind the cell that raised, and is no cell.
  std::vector<xeus::xmessage> put_off_;
};

}  // namespace glint::notebook
