#include "backends/cuda/libraries/toolkit.h"

#include <fmt/format.h>
#include <glob.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace glint::cuda {
namespace {

namespace fs = std::filesystem;

/// The folders that a variable lists (`PATH`).
std::vector<std::string> folders_of(const char* variable) {
  std::vector<std::string> folders;
  const char* list = std::getenv(variable);
  std::string_view rest = list == nullptr ? "" : list;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(':'), rest.size());
    if (end > 0) folders.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return folders;
}

/// What `pip` beside the `python3` of the path installs into: a virtual environment's folder, an
/// installation's, or all that pyenv has, whose `python3` is a script.
void add_pythons_of_path(std::vector<std::string>& roots) {
  std::error_code ignored;
  for (const std::string& folder : folders_of("PATH")) {
    const fs::path python = fs::path(folder) / "python3";
    if (!fs::exists(python, ignored)) continue;
    roots.push_back(fs::path(folder).parent_path().string());
    roots.push_back(fs::path(folder).parent_path().string() + "/versions/*");
    roots.push_back(fs::canonical(python, ignored).parent_path().parent_path().string());
  }
}

}  // namespace

std::vector<std::string> files_like(const std::string& pattern) {
  std::vector<std::string> found;
  glob_t matches{};
  if (glob(pattern.c_str(), 0, nullptr, &matches) == 0)
    found.assign(matches.gl_pathv, matches.gl_pathv + matches.gl_pathc);
  globfree(&matches);
  return found;
}

std::vector<std::string> package_folders() {
  std::vector<std::string> roots;
  std::error_code ignored;
  roots.push_back((fs::current_path(ignored) / ".venv").string());
  fs::path above = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  for (int i = 0; i < 4 && above.has_relative_path(); ++i, above = above.parent_path())
    roots.push_back((above / ".venv").string());
  for (const char* variable : {"VIRTUAL_ENV", "CONDA_PREFIX"})
    if (const char* active = std::getenv(variable)) roots.emplace_back(active);
  add_pythons_of_path(roots);
  if (const char* home = std::getenv("HOME")) roots.push_back(std::string(home) + "/.local");
  roots.emplace_back("/usr/local");
  std::vector<std::string> folders = folders_of("PYTHONPATH");
  for (const std::string& root : roots) {
    folders.push_back(root + "/lib/python3*/site-packages");
    folders.push_back(root + "/lib/python3*/dist-packages");
  }
  folders.emplace_back("/usr/lib/python3/dist-packages");
  return folders;
}

std::optional<std::string> find_tool(std::string_view name) {
  std::vector<std::string> folders = folders_of("PATH");
  folders.insert(folders.end(), {"/usr/local/cuda/bin", "/usr/local/cuda-*/bin"});
  for (const std::string& packages : package_folders())
    folders.push_back(packages + "/nvidia/cu1[23]/bin");
  for (const std::string& folder : folders)
    for (const std::string& file : files_like(fmt::format("{}/{}", folder, name)))
      if (access(file.c_str(), X_OK) == 0) return file;
  return std::nullopt;
}

std::vector<std::string> header_folders(const std::string& library) {
  std::error_code ignored;
  const fs::path beside = fs::canonical(library, ignored).parent_path().parent_path();
  std::vector<std::string> patterns = {beside.string() + "/include",
                                       beside.parent_path().string() + "/cuda_runtime/include",
                                       "/usr/local/cuda/include"};
  for (const std::string& packages : package_folders()) {
    patterns.push_back(packages + "/nvidia/cu1[23]/include");
    patterns.push_back(packages + "/nvidia/cuda_runtime/include");
  }
  for (const std::string& pattern : patterns) {
    for (const std::string& header : files_like(pattern + "/cuda_fp16.h")) {
      // Without links, so that what is kept of one version is not taken for another.
      const fs::path folder = fs::canonical(header, ignored).parent_path();
      std::vector<std::string> found = {folder.string()};
      if (fs::is_directory(folder / "cccl", ignored)) found.push_back((folder / "cccl").string());
      return found;
    }
  }
  return {};
}

}  // namespace glint::cuda
