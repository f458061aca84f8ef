#include "repl/jupyter_plugin.h"

#include <string>

namespace glint {

namespace fs = std::filesystem;

Result<fs::path> program_file() {
  std::error_code failed;
  fs::path self = fs::read_symlink("/proc/self/exe", failed);
  if (failed) return Error{"/proc/self/exe cannot be read"};
  // In a package, the loader that came along may have started it: `lib/base/ld-linux-x86-64.so.2`.
  if (!self.filename().string().starts_with("ld-linux")) return self;
  return self.parent_path().parent_path().parent_path() / "bin" / "glint";
}

fs::path starter_of(const fs::path& program) {
  fs::path script = program.parent_path().parent_path() / "glint";
  bool packaged = program.parent_path().filename() == "bin" && fs::is_regular_file(script);
  return packaged ? script : program;
}

std::optional<fs::path> find_plugin(const char* name) {
  auto program = program_file();
  if (!program) return std::nullopt;
  const fs::path folder = program->parent_path();
  for (const fs::path& place : {folder / name, folder.parent_path() / "lib" / name})
    if (fs::exists(place)) return place;
  return std::nullopt;
}

std::optional<fs::path> find_jupyter_plugin() {
  return find_plugin(kJupyterPlugin);
}

}  // namespace glint
