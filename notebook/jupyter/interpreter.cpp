#include "notebook/jupyter/interpreter.h"

#include <utility>
#include <zmq.hpp>

#include "notebook/jupyter/forms.h"
#include "notebook/jupyter/signals.h"

namespace glint::notebook {
namespace {

using Json = nl::json;

/// Of a cursor that is not given: behind all.
size_t place_of(int cursor, const std::string& code) {
  return cursor < 0 ? code.size() : static_cast<size_t>(cursor);
}

Json data_of(const Forms& forms) {
  return json_of<Json>(forms, [](const std::string& text) { return text; });
}

Json error_of(const Raised& raised) {
  return {{"status", "error"},
          {"ename", raised.type},
          {"evalue", raised.text},
          {"traceback", raised.traceback}};
}

Json expressions_of(const std::map<std::string, ExpressionReply>& replies) {
  Json all = Json::object();
  for (const auto& [name, reply] : replies) {
    all[name] =
        reply.raised
            ? error_of(*reply.raised)
            : Json{{"status", "ok"}, {"data", data_of(reply.forms)}, {"metadata", Json::object()}};
  }
  return all;
}

/// What may run the script's code, so that Ctrl-C ends it.
template <class F>
auto interruptible(const F& run) {
  forget_interrupt();
  const InterruptsAre through(InterruptsAre::kLetThrough);
  return run();
}

}  // namespace

Json Interpreter::execute_request_impl(int number, const std::string& code, bool silent,
                                       bool store_history, Json user_expressions,
                                       bool allow_stdin) {
  ExecuteRequest request{code, static_cast<uint32_t>(number), silent, store_history, {}};
  if (user_expressions.is_object())
    for (const auto& [name, expression] : user_expressions.items())
      if (expression.is_string()) request.expressions[name] = expression;
  number_ = number;
  takes_input_ = allow_stdin;
  ExecuteReply ended = interruptible([&] { return host_.execute(request, *this); });
  if (ended.raised) {
    if (!silent)
      publish_execution_error(ended.raised->type, ended.raised->text, ended.raised->traceback);
    Json reply = error_of(*ended.raised);
    reply["user_expressions"] = Json::object();
    reply["payload"] = Json::array();
    return reply;
  }
  Json payload = Json::array();
  if (ended.exits) payload.push_back({{"source", "ask_exit"}, {"keepkernel", false}});
  return {{"status", "ok"},
          {"payload", std::move(payload)},
          {"user_expressions", expressions_of(ended.expressions)}};
}

Json Interpreter::complete_request_impl(const std::string& code, int cursor) {
  const CompleteReply found =
      interruptible([&] { return host_.complete(code, place_of(cursor, code)); });
  return {{"status", "ok"},
          {"matches", found.matches},
          {"cursor_start", found.begin},
          {"cursor_end", found.end},
          {"metadata", Json::object()}};
}

Json Interpreter::inspect_request_impl(const std::string& code, int cursor, int) {
  const auto found = interruptible([&] { return host_.inspect(code, place_of(cursor, code)); });
  return {{"status", "ok"},
          {"found", found.has_value()},
          {"data", found ? data_of(*found) : Json::object()},
          {"metadata", Json::object()}};
}

Json Interpreter::is_complete_request_impl(const std::string& code) {
  IsCompleteReply answer = host_.is_complete(code);
  Json reply = {{"status", answer.status}};
  if (answer.status == "incomplete") reply["indent"] = answer.indent;
  return reply;
}

Json Interpreter::kernel_info_request_impl() {
  const std::string version = host_.version();
  return {{"status", "ok"},
          {"implementation", "glint"},
          {"implementation_version", version},
          {"banner", "Glint " + version + " - a glass-box tensor compiler"},
          {"debugger", false},
          {"help_links", Json::array()},
          {"language_info",
           {{"name", "python"},
            {"version", "3.11"},
            {"mimetype", "text/x-python"},
            {"file_extension", ".py"},
            {"pygments_lexer", "python"},
            {"codemirror_mode", {{"name", "python"}, {"version", 3}}},
            {"nbconvert_exporter", "python"}}}};
}

void Interpreter::shutdown_request_impl() {
  pthread_kill(cells_, SIGINT);
  get_control_messenger().send_to_shell(Json{{"request", "end"}});
}

Json Interpreter::internal_request_impl(const Json&) {
  host_.end();
  return {{"status", "ok"}};
}

void Interpreter::write(bool is_error, const std::string& text) {
  InterruptsAre held(InterruptsAre::kHeldBack);
  publish_stream(is_error ? "stderr" : "stdout", text);
}

void Interpreter::show(const Forms& forms, const ShownAs& as) {
  InterruptsAre held(InterruptsAre::kHeldBack);
  Json transient = Json::object();
  if (!as.id.empty()) transient["display_id"] = as.id;
  if (as.updates)
    update_display_data(data_of(forms), Json::object(), std::move(transient));
  else
    display_data(data_of(forms), Json::object(), std::move(transient));
}

void Interpreter::clear(bool waits) {
  InterruptsAre held(InterruptsAre::kHeldBack);
  clear_output(waits);
}

void Interpreter::show_result(const Forms& forms) {
  InterruptsAre held(InterruptsAre::kHeldBack);
  publish_execution_result(number_, data_of(forms), Json::object());
}

std::optional<std::string> Interpreter::read_line(const std::string& prompt) {
  std::optional<std::string> line;
  if (!takes_input_) return line;
  register_input_handler([&line](const std::string& typed) { line = typed; });
  try {
    input_request(prompt, false);
  } catch (const zmq::error_t&) {
    // Ctrl-C has ended the reading.
  }
  register_input_handler(nullptr);
  return line;
}

}  // namespace glint::notebook
