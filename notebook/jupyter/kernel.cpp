// The plugin's one function: puts the kernel together, and serves until it is told to end.
#include <exception>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <xeus/xeus_context.hpp>
#include <xeus/xhistory_manager.hpp>
#include <xeus/xkernel.hpp>
#include <xeus/xkernel_configuration.hpp>

#include "notebook/host.h"
#include "notebook/jupyter/interpreter.h"
#include "notebook/jupyter/server.h"

namespace glint::notebook {
namespace {

using Json = nl::json;

/// The host keeps the cells; this only asks it.
class HistoryOfHost final : public xeus::xhistory_manager {
 public:
  explicit HistoryOfHost(Host& host) : host_(host) {}

 private:
  void configure_impl() override {}
  void store_inputs_impl(int, int, const std::string&, const std::string&) override {}

  Json get_tail_impl(int most, bool, bool output) const override {
    return found({.kind = "tail", .most = most}, output);
  }
  Json get_range_impl(int session, int start, int stop, bool, bool output) const override {
    return found({.kind = "range", .session = session, .start = start, .stop = stop}, output);
  }
  Json search_impl(const std::string& pattern, bool, bool output, int most,
                   bool unique) const override {
    return found({.kind = "search", .most = most, .pattern = pattern, .unique = unique}, output);
  }

  Json found(const HistoryRequest& request, bool output) const {
    Json entries = Json::array();
    for (const HistoryEntry& entry : host_.history(request)) {
      Json code = output ? Json::array({entry.code, nullptr}) : Json(entry.code);
      entries.push_back(Json::array({entry.session, entry.line, std::move(code)}));
    }
    return {{"status", "ok"}, {"history", std::move(entries)}};
  }

  Host& host_;
};

std::unique_ptr<xeus::xserver> make_server(xeus::xcontext& context,
                                           const xeus::xconfiguration& configuration,
                                           Json::error_handler_t errors) {
  return std::make_unique<Server>(context.get_wrapped_context<zmq::context_t>(), configuration,
                                  errors);
}

/// What is wrong with a connection file's ports; empty if nothing. The sockets' library takes the
/// last 16 bits of a number for a port.
std::string wrong_port(const char* connection_file) {
  const Json connection = Json::parse(std::ifstream(connection_file));
  for (const char* name : {"shell_port", "control_port", "iopub_port", "stdin_port", "hb_port"}) {
    const Json& port = connection.at(name);
    const bool is_port = port.is_number_unsigned() && port.get<uint64_t>() <= 65535;
    if (!is_port) return std::string("`") + name + "` is " + port.dump() + ", which is no port";
  }
  return "";
}

int complain(const std::string& message) {
  std::cerr << "glint: the kernel cannot run: " << message << '\n';
  return 2;
}

int run(Host& host, const char* connection_file) {
  try {
    if (std::string wrong = wrong_port(connection_file); !wrong.empty()) return complain(wrong);
    xeus::xkernel kernel(xeus::load_configuration(connection_file), xeus::get_user_name(),
                         xeus::make_context<zmq::context_t>(), std::make_unique<Interpreter>(host),
                         make_server, std::make_unique<HistoryOfHost>(host), nullptr,
                         xeus::make_null_debugger, Json::object(), Json::error_handler_t::replace);
    kernel.start();
    return 0;
  } catch (const std::exception& fault) {
    return complain(fault.what());
  }
}

}  // namespace
}  // namespace glint::notebook

extern "C" __attribute__((visibility("default"))) int glint_run_kernel(glint::notebook::Host& host,
                                                                       const char* file) {
  return glint::notebook::run(host, file);
}
