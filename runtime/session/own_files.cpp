// Which files what a command writes must not replace: the scripts and modules that this session
// runs or has read, and what is a script by its name. Each writer asks here, before there is
// anything to write:
//
//     glint report b.py -o b.py        `b.py` is a script of this session: it would be replaced
//     :report other.py                 `other.py` is a script: it would be replaced

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "runtime/session/parts.h"
#include "runtime/session/session.h"

namespace glint {

namespace fs = std::filesystem;

namespace {

/// Why the system would not let it be written; nothing where it would.
std::optional<int> refusal(const fs::path& file) {
  std::error_code ignored;
  if (fs::is_directory(file, ignored)) return EISDIR;
  const fs::path folder = fs::absolute(file, ignored).parent_path();
  const fs::path written = fs::exists(file, ignored) ? file : folder;
  return ::access(written.c_str(), W_OK) == 0 ? std::nullopt : std::optional(errno);
}

bool is_script(const fs::path& file) {
  std::error_code ignored;
  return (file.extension() == ".py" || file.extension() == ".ipynb") &&
         fs::is_regular_file(file, ignored);
}

}  // namespace

std::optional<Error> Session::fault_of_target(const std::string& file, bool writes_script) const {
  return parts_->fault_of_target(file, writes_script);
}

std::optional<Error> Session::Parts::fault_of_target(const std::string& file,
                                                     bool writes_script) const {
  std::error_code ignored;
  auto is_same = [&](std::string_view name) { return fs::equivalent(name, file, ignored); };
  bool own = !options.arguments.empty() && is_same(options.arguments.front());
  // A text has a line at least, what is no source none.
  for (uint32_t id = 1; !own && sources.line_count(SourceId{id}) > 0; ++id)
    own = !sources.is_library(SourceId{id}) && is_same(sources.name(SourceId{id}));
  if (own)
    return Error{fmt::format("`{}` is a script of this session: it would be replaced", file)};
  if (!writes_script && is_script(file))
    return Error{fmt::format("`{}` is a script: it would be replaced", file)};
  if (auto code = refusal(file))
    return Error{fmt::format("`{}` cannot be written: {}", file, std::strerror(*code))};
  return std::nullopt;
}

}  // namespace glint
