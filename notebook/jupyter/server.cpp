#include "notebook/jupyter/server.h"

#include <chrono>
#include <thread>
#include <utility>
#include <xeus/xguid.hpp>

namespace glint::notebook {
namespace {

using Json = nl::json;

/// As long as messages that were sent together may take to arrive.
constexpr std::chrono::milliseconds kArrival(50);
constexpr const char* kUser = "kernel";

std::string type_of(const Json& header) {
  return header.is_object() ? header.value("msg_type", "") : "";
}

}  // namespace

Server::Server(zmq::context_t& context, const xeus::xconfiguration& configuration,
               nl::json::error_handler_t errors)
    : xserver_shell_main(context, configuration, errors), session_(xeus::new_xguid()) {}

void Server::send_control_impl(xeus::xmessage message) {
  if (type_of(message.header()) == "interrupt_reply") pthread_kill(cells_, SIGINT);
  Json content = message.content();
  if (content.is_object() && !content.contains("status")) content["status"] = "ok";
  xserver_shell_main::send_control_impl({message.identities(),
                                         message.header(),
                                         message.parent_header(),
                                         message.metadata(),
                                         std::move(content),
                                         {}});
}

void Server::publish_impl(xeus::xpub_message message, xeus::channel channel) {
  bool ends = channel == xeus::channel::SHELL && type_of(message.header()) == "status" &&
              message.content().value("execution_state", "") == "idle";
  xserver_shell_main::publish_impl(std::move(message), channel);
  if (!ends) return;
  for (xeus::xmessage& each : std::exchange(put_off_, {})) notify_shell_listener(std::move(each));
}

void Server::abort_queue_impl(const listener&, long) {
  std::this_thread::sleep_for(kArrival);
  auto abort = [this](xeus::xmessage request) {
    if (type_of(request.header()) == "execute_request")
      answer_aborted(request);
    else
      put_off_.push_back(std::move(request));
  };
  xserver_shell_main::abort_queue_impl(abort, 0);
}

void Server::answer_aborted(const xeus::xmessage& request) {
  publish_state("busy", request.header());
  send_shell({request.identities(),
              xeus::make_header("execute_reply", kUser, session_),
              request.header(),
              Json::object(),
              Json{{"status", "aborted"}},
              {}});
  publish_state("idle", request.header());
}

void Server::publish_state(const std::string& state, const Json& request) {
  xserver_shell_main::publish_impl({"kernel.status",
                                    xeus::make_header("status", kUser, session_),
                                    request,
                                    Json::object(),
                                    Json{{"execution_state", state}},
                                    {}},
                                   xeus::channel::SHELL);
}

}  // namespace glint::notebook
