// What the REPL's commands do with what was typed: run a script beside it, forget it.

#include <filesystem>
#include <utility>

#include "backends/cuda/device/eager_launches.h"
#include "backends/cuda/device/launch_log.h"
#include "runtime/interpreter/protocol.h"
#include "runtime/session/parts.h"
#include "runtime/session/session.h"

namespace glint {
namespace {

/// While it lives, `sys.argv`, `sys.path` and `__file__` are a script's own.
class ScriptNames {
 public:
  ScriptNames(runtime::Interpreter& interpreter, runtime::ModuleObject& main)
      : sys_(*interpreter.import_module("sys").as<runtime::ModuleObject>()->dict),
        main_(*main.dict),
        argv_(held(sys_, "argv")),
        path_(held(sys_, "path")),
        file_(held(main_, "__file__")) {}
  ~ScriptNames() {
    put_back(sys_, "argv", argv_);
    put_back(sys_, "path", path_);
    put_back(main_, "__file__", file_);
  }
  ScriptNames(const ScriptNames&) = delete;
  ScriptNames& operator=(const ScriptNames&) = delete;

 private:
  static runtime::Value held(runtime::DictObject& names, std::string_view name) {
    runtime::Value* found = names.find(name);
    return found ? *found : runtime::Value();
  }
  static void put_back(runtime::DictObject& names, std::string_view name,
                       const runtime::Value& value) {
    if (value.defined())
      names.set(name, value);
    else
      names.erase(runtime::intern(name).get());
  }

  runtime::DictObject& sys_;
  runtime::DictObject& main_;
  runtime::Value argv_, path_, file_;
};

}  // namespace

Result<int> Session::run_script(const std::string& path,
                                const std::vector<std::string>& arguments) {
  Result<std::string> text = read_script(path);
  if (!text) return text.error();
  Parts& parts = *parts_;
  parts.set_search_folders("");
  std::vector<std::string> folders = parts.search_folders();
  ScriptNames names(parts.interpreter, *parts.main);
  const std::filesystem::path file = std::filesystem::absolute(path).lexically_normal();
  folders.insert(folders.begin(), file.parent_path().string());
  parts.set_in_sys("path", folders);
  std::vector<std::string> argv = {path};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  parts.set_in_sys("argv", argv);
  const bool goes_on = std::exchange(parts.options.goes_on, false);
  int exit_code = parts.run(parts.sources.add(file.string(), std::move(*text)));
  parts.options.goes_on = goes_on;
  // A Ctrl-C that came while it failed ends nothing that is entered later.
  if (parts.interpreter.raise_interrupt()) parts.interpreter.take_pending();
  return exit_code;
}

TypedEntries& Session::typed() {
  return parts_->typed_entries;
}

size_t Session::reset() {
  Parts& parts = *parts_;
  parts.typed_entries.clear();
  parts.entries = 0;
  parts.runner.reset();
  parts.log.clear();
  cuda::forget_eager_launches();
  cuda::launch_log().clear();
  std::vector<Ref<runtime::StrObject>> names;
  for (const auto& entry : parts.main->dict->table.entries())
    if (auto* name = entry.key.try_as<runtime::StrObject>();
        name && !name->view().starts_with("__"))
      names.emplace_back(name);
  // What finalisers see is gone, as at the end of a program.
  runtime::finalise_variables(*parts.main);
  for (const auto& name : names) parts.main->dict->erase(name.get());
  return names.size();
}

}  // namespace glint
