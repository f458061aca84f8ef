#include "notebook/cell_output.h"

#include <optional>

#include "core/support/signals_blocked.h"
#include "runtime/session/cell.h"

namespace glint::notebook {
namespace {

/// More text than this goes out in any case.
constexpr size_t kMostWaiting = 1U << 16U;
/// Text does not wait for longer.
constexpr std::chrono::milliseconds kLongestWait(100);

}  // namespace

CellOutput::CellOutput() {
  SignalsBlocked blocked;
  watcher_ = std::thread([this] { watch(); });
}

CellOutput::~CellOutput() {
  {
    std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_one();
  watcher_.join();
}

void CellOutput::watch() {
  std::unique_lock lock(mutex_);
  while (!ends_) {
    const Clock::time_point due = waits_since_ + kLongestWait;
    if (waiting_.empty())
      changed_.wait(lock);
    else if (Clock::now() < due)
      changed_.wait_until(lock, due);
    else
      send();
  }
}

void CellOutput::set_client(Client* client) {
  std::lock_guard lock(mutex_);
  send();
  client_ = client;
}

void CellOutput::write(bool is_error, std::string_view text) {
  std::lock_guard lock(mutex_);
  if (is_error != waiting_is_error_) send();
  waiting_is_error_ = is_error;
  if (waiting_.empty()) {
    waits_since_ = Clock::now();
    changed_.notify_one();
  }
  waiting_ += text;
  if (waiting_.size() > kMostWaiting) send();
}

void CellOutput::send() {
  if (client_ && !waiting_.empty()) client_->write(waiting_is_error_, waiting_);
  waiting_.clear();
}

int CellOutput::write_out(std::string_view text) {
  write(false, text);
  return 0;
}
int CellOutput::write_error(std::string_view text) {
  write(true, text);
  return 0;
}

int CellOutput::write_value(const runtime::Value& value, const std::string& text) {
  if (!client_) return 0;
  runtime::Interpreter& interpreter = runtime::Interpreter::current();
  MimeForms forms = forms_of(interpreter, value);
  forms["text/plain"] = text;
  if (interpreter.raised()) return 0;
  std::lock_guard lock(mutex_);
  send();
  client_->show_result(forms);
  return 0;
}

void CellOutput::show(const Shown& shown) {
  std::lock_guard lock(mutex_);
  send();
  if (client_) client_->show(shown.forms, {shown.id, shown.updates});
}

void CellOutput::clear(bool waits) {
  std::lock_guard lock(mutex_);
  send();
  if (client_) client_->clear(waits);
}

int CellOutput::flush() {
  std::lock_guard lock(mutex_);
  send();
  return 0;
}

std::string CellOutput::ask(const std::string& prompt) {
  flush();
  std::optional<std::string> line = client_ ? client_->read_line(prompt) : std::nullopt;
  return line ? *line + "\n" : std::string();
}

}  // namespace glint::notebook
