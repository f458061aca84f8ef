// A folder for compiled code that a test has to itself: what an earlier program kept is not found.
//
//     const ScratchCache cache;   // GLINT_CACHE until the end of the scope
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace glint::tests {

/// A cache of the test's own, for as long as it lives.
class ScratchCache {
 public:
  ScratchCache() {
    std::string name = (std::filesystem::temp_directory_path() / "glint-cache-XXXXXX").string();
    folder = mkdtemp(name.data());
    if (const char* before = std::getenv("GLINT_CACHE")) before_ = before;
    setenv("GLINT_CACHE", folder.c_str(), 1);
  }
  ~ScratchCache() {
    std::filesystem::remove_all(folder);
    before_.empty() ? unsetenv("GLINT_CACHE") : setenv("GLINT_CACHE", before_.c_str(), 1);
  }
  ScratchCache(const ScratchCache&) = delete;
  ScratchCache& operator=(const ScratchCache&) = delete;

  std::filesystem::path folder;

 private:
  std::string before_;
};

}  // namespace glint::tests
