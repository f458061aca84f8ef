// A session as a notebook's kernel: cells, completion, questions and history, without a protocol.
//
//     Notebook notebook({.history_file = ""});
//     notebook.execute({.code = "1 + 1", .number = 1}, client);    client.show_result({"2"})
//     notebook.complete("torch.rel", 9)                            relu, relu_, from 6 to 9
//
// It is another lens over the session and the table of commands, as the REPL is.
#pragma once

#include <string>

#include "notebook/cell.h"
#include "notebook/cell_history.h"
#include "notebook/cell_output.h"
#include "notebook/host.h"
#include "repl/commands.h"
#include "runtime/session/session.h"

namespace glint::notebook {

struct NotebookOptions {
  std::string history_file = {};    ///< empty: the cells are kept in memory only
  bool compile_everything = false;  ///< as the command line's `--compile`
};

class Notebook final : public Host {
 public:
  explicit Notebook(const NotebookOptions& options);

  std::string version() override;
  ExecuteReply execute(const ExecuteRequest& request, Client& client) override;
  CompleteReply complete(const std::string& code, size_t cursor) override;
  std::optional<Forms> inspect(const std::string& code, size_t cursor) override;
  IsCompleteReply is_complete(const std::string& code) override;
  std::vector<HistoryEntry> history(const HistoryRequest& request) override;
  void end() override;

  Session& session() { return session_; }

 private:
  std::vector<Piece> pieces(const std::string& code) const;
  /// What the piece raised, if it did.
  CellOutcome run(const Piece& piece);
  CommandContext commands();
  void show(const Listing& listing);
  /// A graph's picture below its text.
  void draw(const Listing& graph);
  ExpressionReply evaluate(const std::string& expression);

  CellOutput output_;
  Session session_;
  CellHistory history_;
  Watches watches_;
};

}  // namespace glint::notebook
