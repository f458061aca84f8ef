// Serves the page on 127.0.0.1, by cpp-httplib.
//
//     GET /TOKEN/          the page
//     GET /TOKEN/version   a number, which the page asks for again and again
//
// Anything else is refused alike, with 404: another path, another method, and a request whose Host
// is not this server's, which is how a page from elsewhere would come here by a name that it made
// to mean 127.0.0.1.

#include <httplib.h>
#include <sys/socket.h>

#include <iostream>

#include "repl/explore/host.h"

namespace glint::explore {
namespace {

/// Headers alone, and few connections: nobody sends a body.
constexpr size_t kMostBody = 0;
constexpr size_t kThreads = 4;

void refuse(httplib::Response& response) {
  response.status = 404;
  response.set_content("not found\n", "text/plain");
}

bool is_ours(const httplib::Request& request, int port) {
  const std::string host = request.get_header_value("Host");
  const std::string end = ":" + std::to_string(port);
  return host == "127.0.0.1" + end || host == "localhost" + end;
}

void answer(httplib::Server& server, Host& host, const int& port) {
  const std::string root = "/" + host.token() + "/";
  server.set_pre_routing_handler(
      [&host, &port, root](const httplib::Request& request, httplib::Response& response) {
        response.set_header("Cache-Control", "no-store");
        response.set_header("Referrer-Policy", "no-referrer");
        response.set_header("X-Content-Type-Options", "nosniff");
        const bool reads = request.method == "GET" || request.method == "HEAD";
        if (!reads || !is_ours(request, port))
          refuse(response);
        else if (request.path == root)
          response.set_content(host.page(), "text/html; charset=utf-8");
        else if (request.path == root + "version")
          response.set_content(std::to_string(host.version()), "text/plain");
        else
          refuse(response);
        return httplib::Server::HandlerResponse::Handled;
      });
}

int serve(Host& host, int port) {
  httplib::Server server;
  server.new_task_queue = [] { return new httplib::ThreadPool(kThreads); };
  server.set_payload_max_length(kMostBody);
  // A port is free again as soon as its server has ended. Never SO_REUSEPORT, which cpp-httplib
  // would choose by itself: another process must not take the port over.
  server.set_socket_options([](socket_t socket) {
    const int yes = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
  });
  const bool bound = port == 0 ? (port = server.bind_to_any_port("127.0.0.1")) > 0
                               : server.bind_to_port("127.0.0.1", port);
  if (!bound) {
    std::cerr << "glint: nothing can be served at this port of 127.0.0.1\n";
    return 2;
  }
  answer(server, host, port);
  host.listens(port);
  return server.listen_after_bind() ? 0 : 2;
}

}  // namespace
}  // namespace glint::explore

extern "C" __attribute__((visibility("default"))) int glint_explore(glint::explore::Host& host,
                                                                    int port) {
  return glint::explore::serve(host, port);
}
