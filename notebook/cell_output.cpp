#include "notebook/cell_output.h"

#include <algorithm>
#include <csignal>
#include <optional>

#include "runtime/interpreter/late_output.h"
#include "runtime/session/cell.h"

namespace glint::notebook {
namespace {

/// Many short outputs are shown at once; then so many a second as a front end can draw.
constexpr int kMostCredit = 200;
constexpr std::chrono::milliseconds kCreditEvery(5);
/// More text than this goes out in any case.
constexpr size_t kMostWaiting = 1U << 16U;

/// Text does not wait for longer.
constexpr std::chrono::milliseconds kLongestWait(100);

CellOutput* at_work = nullptr;

}  // namespace

CellOutput::CellOutput() {
  at_work = this;
  runtime::late_output::show_now = [] { at_work->flush(); };
  // Ctrl-C is for the thread that runs cells.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  watcher_ = std::thread([this] { watch(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

CellOutput::~CellOutput() {
  runtime::late_output::show_now = nullptr;
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
    changed_.wait(lock, [this] { return held_back_ || ends_; });
    changed_.wait_for(lock, kLongestWait, [this] { return ends_; });
    held_back_ = false;
    if (!ends_) runtime::late_output::ask();
  }
}

void CellOutput::set_client(Client* client) {
  flush();
  client_ = client;
  credit_ = kMostCredit;
  credited_ = Clock::now();
}

bool CellOutput::may_send() {
  const Clock::time_point now = Clock::now();
  const auto earned = (now - credited_) / kCreditEvery;
  if (earned > 0) {
    credit_ = static_cast<int>(std::min<int64_t>(kMostCredit, credit_ + earned));
    credited_ = now;
  }
  if (credit_ == 0) return false;
  --credit_;
  return true;
}

void CellOutput::write(bool is_error, std::string_view text) {
  if (is_error != waiting_is_error_) flush();
  waiting_is_error_ = is_error;
  const bool is_first = waiting_.empty();
  waiting_ += text;
  if (waiting_.size() > kMostWaiting || may_send()) {
    flush();
  } else if (is_first) {
    std::lock_guard lock(mutex_);
    held_back_ = true;
    changed_.notify_one();
  }
}

int CellOutput::write_out(std::string_view text) {
  write(false, text);
  return 0;
}
void CellOutput::write_error(std::string_view text) {
  write(true, text);
}

int CellOutput::write_value(const runtime::Value& value, const std::string& text) {
  flush();
  if (!client_) return 0;
  runtime::Interpreter& interpreter = runtime::Interpreter::current();
  MimeForms forms = forms_of(interpreter, value);
  forms["text/plain"] = text;
  if (!interpreter.raised()) client_->show_result(forms);
  return 0;
}

void CellOutput::show(const Shown& shown) {
  flush();
  if (client_) client_->show(shown.forms, {shown.id, shown.updates});
}

void CellOutput::clear(bool waits) {
  flush();
  if (client_) client_->clear(waits);
}

int CellOutput::flush() {
  if (client_ && !waiting_.empty()) client_->write(waiting_is_error_, waiting_);
  waiting_.clear();
  return 0;
}

std::string CellOutput::ask(const std::string& prompt) {
  flush();
  std::optional<std::string> line = client_ ? client_->read_line(prompt) : std::nullopt;
  return line ? *line + "\n" : std::string();
}

}  // namespace glint::notebook
