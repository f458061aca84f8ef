// The border between the program and the plugin that serves a report on the loopback address: the
// plugin sees this header and nothing else of the program.
//
//     browser  -- GET /TOKEN/ -->  plugin  -- page() -->  program
#pragma once

#include <cstdint>
#include <string>

namespace glint::explore {

class Host {
 public:
  virtual ~Host() = default;
  /// What stands before every path: who does not know it gets nothing.
  virtual std::string token() = 0;
  /// The server listens on this port of 127.0.0.1.
  virtual void listens(int port) = 0;
  /// The page as it is now, and the number that differs when it has changed. Any thread asks.
  virtual std::string page() = 0;
  virtual uint64_t version() = 0;
};

/// The plugin's one function: serves until the process ends. `port` 0: one that is free. Gives an
/// exit code; a message about what is wrong goes to standard error.
using Serve = int (*)(Host& host, int port);
inline constexpr const char* kServe = "glint_explore";

}  // namespace glint::explore
