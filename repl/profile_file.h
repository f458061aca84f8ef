// A profile as a file: `glint run --profile FILE`, `:profile f(x) FILE`.
//
//     ProfileFile profile(session, "out.json");     opened before anything runs
//     if (profile.fault()) ...                      it cannot be written
//     ...
//     profile.write();
#pragma once

#include <fstream>
#include <optional>
#include <string>

#include "core/support/result.h"
#include "runtime/session/session.h"

namespace glint {

class ProfileFile {
 public:
  ProfileFile(Session& session, std::string file);
  ~ProfileFile();
  ProfileFile(const ProfileFile&) = delete;
  ProfileFile& operator=(const ProfileFile&) = delete;

  /// Why it cannot be written, or is not to be.
  const std::optional<Error>& fault() const { return fault_; }
  /// Ends the recording.
  void write();

 private:
  Session& session_;
  std::string file_;
  std::ofstream out_;
  std::optional<int64_t> handle_;
  std::optional<Error> fault_;
};

}  // namespace glint
