// Folders are tried: what permissions do not tell is found.
#include "repl/writable_folder.h"

#include <sys/resource.h>

#include <csignal>

#include <catch2/catch.hpp>

namespace glint {
namespace {

namespace fs = std::filesystem;

/// While it lives, files of this process have no room, as on a full disk.
class NoRoom {
 public:
  NoRoom() : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit none{0, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &none);
  }
  ~NoRoom() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  NoRoom(const NoRoom&) = delete;
  NoRoom& operator=(const NoRoom&) = delete;

 private:
  rlimit before_ = {};
  void (*handler_)(int);
};

TEST_CASE("a folder is written to, and is as it was") {
  const fs::path folder = fs::temp_directory_path() / "glint_writable_folder_test";
  fs::create_directories(folder);
  CHECK_FALSE(write_problem(folder));
  CHECK_FALSE(write_problem(folder / "not" / "yet"));
  CHECK(existing_folder(folder / "not" / "yet") == folder);
  {
    const NoRoom no_room;
    CHECK(write_problem(folder) == "File too large");
  }
  CHECK(fs::is_empty(folder));
  fs::remove(folder);
  CHECK(write_problem("/dev/null/cache") == "Not a directory");
}

}  // namespace
}  // namespace glint
