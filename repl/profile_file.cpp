#include "repl/profile_file.h"

#include <fmt/format.h>

#include <utility>

namespace glint {

ProfileFile::ProfileFile(Session& session, std::string file)
    : session_(session), file_(std::move(file)), fault_(session.fault_of_target(file_)) {
  if (fault_) return;
  out_.open(file_, std::ios::binary);
  if (out_)
    handle_ = Session::start_profile();
  else
    fault_ = Error{fmt::format("`{}` cannot be written", file_)};
}

ProfileFile::~ProfileFile() {
  if (handle_) session_.stop_profile(*handle_);
}

void ProfileFile::write() {
  if (!handle_) return;
  out_ << session_.stop_profile(*std::exchange(handle_, std::nullopt));
  out_.close();
  if (!out_) fault_ = Error{fmt::format("`{}` cannot be written", file_)};
}

}  // namespace glint
