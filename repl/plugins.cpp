#include "repl/plugins.h"

#include <dlfcn.h>

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

std::optional<fs::path> find_plugin(const Plugin& plugin) {
  auto program = program_file();
  if (!program) return std::nullopt;
  const fs::path folder = program->parent_path();
  for (const fs::path& place : {folder / plugin.file, folder.parent_path() / "lib" / plugin.file})
    if (fs::exists(place)) return place;
  return std::nullopt;
}

Result<void*> load_plugin(const Plugin& plugin) {
  const auto place = find_plugin(plugin);
  if (!place)
    return Error{fmt::format(
        "this build {}: `{}` is not beside the program; the build makes it where {} is there "
        "(Debian: apt-get install {})",
        plugin.lacking, plugin.file, plugin.library, plugin.package)};
  void* handle = ::dlopen(place->c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) return Error{fmt::format("`{}` cannot be loaded: {}", place->string(), dlerror())};
  return handle;
}

void* find_in_plugin(void* handle, const char* name) {
  return ::dlsym(handle, name);
}

}  // namespace glint
