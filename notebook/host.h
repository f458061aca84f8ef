// What a notebook's kernel asks of Glint, and what Glint tells it: the border between the program
// and the plugin that speaks Jupyter's protocol (notebook/jupyter).
//
//     frontend -> plugin -> Host::execute(request, client) -> Session
//                        <- Client::write, Client::show
//
// A SIGINT on the thread that calls `execute` ends the cell with a KeyboardInterrupt.
//
// The plugin is loaded at run time, so that no other start of the program pays for its libraries.
// Nothing but the standard library's types crosses, and no exception does.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace glint::notebook {

/// By MIME type, what shows something.
using Forms = std::map<std::string, std::string>;

/// What is shown under a name can be changed later.
struct ShownAs {
  std::string id;        ///< empty: it has none
  bool updates = false;  ///< what was shown under the name is this from now on
};

/// The front end of the cell at work.
class Client {
 public:
  virtual ~Client() = default;
  virtual void write(bool is_error, const std::string& text) = 0;
  virtual void show(const Forms& forms, const ShownAs& as) = 0;
  /// What the cell has given so far goes; `waits`: once there is something new.
  virtual void clear(bool waits) = 0;
  /// The value of the cell's last expression.
  virtual void show_result(const Forms& forms) = 0;
  /// A line that the user types, without its newline; nothing where the front end takes no input,
  /// or Ctrl-C came.
  virtual std::optional<std::string> read_line(const std::string& prompt) = 0;
};

struct Raised {
  std::string type;
  std::string text;
  std::vector<std::string> traceback;  ///< its lines, in ANSI's colours
};

struct ExecuteRequest {
  std::string code;
  uint32_t number = 0;  ///< the cell's, from 1
  bool silent = false;
  bool store_history = true;
  std::map<std::string, std::string> expressions = {};  ///< to evaluate behind it, by name
};
struct ExpressionReply {
  Forms forms;
  std::optional<Raised> raised;
};
struct ExecuteReply {
  std::optional<Raised> raised;
  std::map<std::string, ExpressionReply> expressions;
  bool exits = false;     ///< `exit()` was called
  std::string exit_text;  ///< what with, `3`; empty where that means that all is well
};

/// Positions count characters, not bytes.
struct CompleteReply {
  std::vector<std::string> matches;
  size_t begin = 0;
  size_t end = 0;
};
struct IsCompleteReply {
  std::string status;  ///< `complete`, `incomplete` or `invalid`
  std::string indent;  ///< what the next line begins with
};

struct HistoryRequest {
  std::string kind;  ///< `tail`, `range` or `search`
  int64_t most = 0;  ///< of `tail` and `search`; 0: all
  int64_t session = 0;
  int64_t start = 0;
  std::optional<int64_t> stop = {};
  std::string pattern = {};
  bool unique = false;
};
struct HistoryEntry {
  int64_t session = 0;
  int64_t line = 0;
  std::string code;
};

class Host {
 public:
  virtual ~Host() = default;
  virtual std::string version() = 0;
  virtual ExecuteReply execute(const ExecuteRequest& request, Client& client) = 0;
  virtual CompleteReply complete(const std::string& code, size_t cursor) = 0;
  /// What Shift-Tab shows; nothing where nothing is known.
  virtual std::optional<Forms> inspect(const std::string& code, size_t cursor) = 0;
  virtual IsCompleteReply is_complete(const std::string& code) = 0;
  virtual std::vector<HistoryEntry> history(const HistoryRequest& request) = 0;
  /// The script's variables go.
  virtual void end() = 0;
};

/// A function of the plugin: serves the front end that the connection file names, until it says
/// goodbye. The exit code; a message about what is wrong goes to standard error.
using RunKernel = int (*)(Host& host, const char* connection_file);
inline constexpr const char* kRunKernel = "glint_run_kernel";

/// Its other one: runs the cells of the notebook `from`, and writes it with what they gave to `to`.
/// 1 where a cell raised (those behind it did not run), 2 where a file is not what it should be.
using ExecuteNotebook = int (*)(Host& host, const char* from, const char* to);
inline constexpr const char* kExecuteNotebook = "glint_execute_notebook";

}  // namespace glint::notebook
