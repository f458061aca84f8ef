#include "repl/explore_word.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "repl/explore/host.h"
#include "repl/plugins.h"
#include "repl/render/html.h"

namespace glint {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kLookEvery{200};

/// 128 bits that nobody guesses.
std::string random_token() {
  std::array<unsigned char, 16> bytes = {};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) return {};
  std::string token;
  for (unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

/// What differs when a Python file of the folder was written, made or removed.
std::string state_of_folder(const fs::path& script) {
  std::string state;
  std::error_code ignored;
  const fs::path folder = script.has_parent_path() ? script.parent_path() : fs::path(".");
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().extension() != ".py" && entry.path().filename() != script.filename()) continue;
    const auto written = fs::last_write_time(entry.path(), ignored).time_since_epoch().count();
    state += fmt::format("{} {} {}\n", entry.path().string(), written,
                         fs::file_size(entry.path(), ignored));
  }
  return state;
}

/// `glint report` at work on a script; its page comes through a pipe.
class Making {
 public:
  /// `arguments`: those behind `-o PAGE`.
  Making(const std::string& program, const std::vector<std::string>& arguments) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) {
      code_ = kCannotRun;
      return;
    }
    pid_ = ::fork();
    if (pid_ == 0) run(program, arguments, ends[1]);
    ::close(ends[1]);
    read_ = ends[0];
    // Here too: who comes first, this process or that one, it leads a group when it is to be ended.
    if (pid_ > 0) ::setpgid(pid_, pid_);
    if (pid_ < 0) code_ = kCannotRun;
  }
  ~Making() {
    if (pid_ > 0 && !code_) {
      ::kill(-pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
    }
    if (read_ >= 0) ::close(read_);
  }
  Making(const Making&) = delete;
  Making& operator=(const Making&) = delete;

  /// Waits a little; whether all of the page is there.
  bool is_done() {
    if (code_) return true;
    pollfd waited{read_, POLLIN, 0};
    if (::poll(&waited, 1, static_cast<int>(kLookEvery.count())) <= 0) return false;
    std::array<char, 65536> piece;
    const ssize_t count = ::read(read_, piece.data(), piece.size());
    if (count > 0) page_.append(piece.data(), static_cast<size_t>(count));
    if (count > 0) return false;
    int status = 0;
    ::waitpid(pid_, &status, 0);
    code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return true;
  }
  const std::string& page() const { return page_; }
  int exit_code() const { return code_.value_or(0); }

 private:
  static constexpr int kCannotRun = 127;  // as shells have it

  /// In the new process.
  [[noreturn]] static void run(const std::string& program,
                               const std::vector<std::string>& arguments, int page) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::setpgid(0, 0);
    const int nothing = ::open("/dev/null", O_RDONLY);
    ::dup2(nothing, STDIN_FILENO);
    const int handed = ::fcntl(page, F_DUPFD, 10);  // which `exec` leaves open
    std::vector<std::string> words = {program, "report", "-o", fmt::format("/dev/fd/{}", handed)};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> values;
    for (std::string& word : words) values.push_back(word.data());
    values.push_back(nullptr);
    ::execv(values[0], values.data());
    ::_exit(kCannotRun);
  }

  pid_t pid_ = -1;
  int read_ = -1;
  std::string page_;
  std::optional<int> code_;
};

std::string message_page(std::string_view title, std::string_view message) {
  return fmt::format(
      "<!doctype html>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" "
      "content=\"default-src 'none'; script-src 'unsafe-inline'\">\n<title>{}</title>\n"
      "<body><p>{}</p></body>\n",
      render::escaped(title), render::escaped(message));
}

class LiveReport final : public explore::Host {
 public:
  LiveReport(const ExploreRequest& request, std::string program)
      : script_(request.file), token_(random_token()), program_(std::move(program)) {
    if (request.compile_everything) arguments_.emplace_back("--compile");
    if (!request.backend.empty())
      arguments_.insert(arguments_.end(), {"--backend", request.backend});
    arguments_.push_back(request.file);
    arguments_.insert(arguments_.end(), request.arguments.begin(), request.arguments.end());
    show(message_page(request.file, request.file + " is running"));
  }

  std::string token() override { return token_; }
  void listens(int port) override {
    std::cout << fmt::format("glint: http://127.0.0.1:{}/{}/\n", port, token_) << std::flush;
    std::thread([this] { watch(); }).detach();
  }
  std::string page() override {
    const std::lock_guard<std::mutex> lock(mutex_);
    return live_page(page_, version_);
  }
  uint64_t version() override {
    const std::lock_guard<std::mutex> lock(mutex_);
    return version_;
  }

 private:
  void show(std::string page) {
    const std::lock_guard<std::mutex> lock(mutex_);
    page_ = std::move(page);
    ++version_;
  }
  [[noreturn]] void watch() {
    for (;;) make(state_of_folder(script_));
  }
  /// Until something is another than in that state.
  void make(const std::string& state) {
    Making making(program_, arguments_);
    bool shown = false;
    while (state_of_folder(script_) == state) {
      if (!shown && making.is_done()) {
        shown = true;
        show(making.page().empty()
                 ? message_page(script_, fmt::format("{} left no report; its exit code was {}",
                                                     script_, making.exit_code()))
                 : making.page());
      }
      if (shown) std::this_thread::sleep_for(kLookEvery);
    }
  }

  std::string script_;
  std::string token_;
  std::string program_;
  std::vector<std::string> arguments_;  ///< of `glint report`, behind where the page goes
  std::mutex mutex_;
  std::string page_;
  uint64_t version_ = 0;
};

int complain(const std::string& message) {
  std::cerr << fmt::format("glint: {}\n", message);
  return 2;
}

}  // namespace

std::string live_page(std::string page, uint64_t version) {
  constexpr std::string_view kPolicy = "default-src 'none';";
  if (const size_t at = page.find(kPolicy); at != std::string::npos)
    page.replace(at, kPolicy.size(), "default-src 'none'; connect-src 'self';");
  const std::string lines = fmt::format(
      "<script>\n(function look() {{\n  fetch('version').then((answer) => answer.text()).then("
      "(number) => {{\n    if (number !== '{}') location.reload();\n    else setTimeout(look, "
      "500);\n  }}).catch(() => setTimeout(look, 2000));\n}})();\n</script>\n",
      version);
  const size_t end = page.rfind("</body>");
  page.insert(end == std::string::npos ? page.size() : end, lines);
  return page;
}

int explore_script(const ExploreRequest& request) {
  if (!fs::is_regular_file(request.file))
    return complain(
        fmt::format("can't open file '{}': [Errno 2] No such file or directory", request.file));
  const auto serve = plugin_function<explore::Serve>(kExplorePlugin, explore::kServe);
  if (!serve) return complain(serve.error().message);
  const auto program = program_file();
  if (!program) return complain(program.error().message);
  LiveReport report(request, starter_of(*program).string());
  if (report.token().empty()) return complain("the system gives no random numbers");
  return (*serve)(report, request.port);
}

}  // namespace glint
