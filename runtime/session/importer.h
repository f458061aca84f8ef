// Where `import x` finds a module: the running script's folder, `GLINT_PATH`, the native modules,
// the library inside the program. Python's own order: built-in modules and the library come first
// for `sys` and the like only by name; a script beside the running one wins over a library module.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "core/support/source_map.h"
#include "frontend/frontend.h"
#include "runtime/interpreter/importer.h"

namespace glint {

class SessionImporter : public runtime::Importer {
 public:
  /// `compiled` hears of every text of the user's that was compiled.
  using Listener = std::function<void(const frontend::CompiledSource&, SourceId)>;
  SessionImporter(SourceMap& sources, Listener compiled, frontend::WarningSink warn)
      : sources_(sources), compiled_(std::move(compiled)), warn_(std::move(warn)) {}

  /// Gives the folders that are searched first, in order: `sys.path` as it is now.
  std::function<std::vector<std::string>()> folders;

  Found find(std::string_view name) override;
  runtime::Compiled compile(std::string_view text, std::string_view file,
                            runtime::CompileMode mode) override;
  /// Compiles a text that is in the source map already.
  runtime::Compiled compile(SourceId source, frontend::Mode mode, bool users);
  /// The same for the script itself; `further` gets what CPython would print of each syntax error
  /// behind the first.
  runtime::Compiled compile_script(SourceId source, std::vector<std::string>& further);
  /// The full names of all modules that `find` finds, each once.
  std::set<std::string> names() const;

 private:
  Found load_file(const std::string& path, bool is_package);

  SourceMap& sources_;
  Listener compiled_;
  frontend::WarningSink warn_;  ///< hears of what the user's texts surely mean otherwise
};

}  // namespace glint
