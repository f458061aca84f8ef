#include "backends/cuda/libraries/load_library.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <filesystem>

#include "backends/cuda/libraries/foreign_code.h"
#include "backends/cuda/libraries/toolkit.h"

namespace glint::cuda {
namespace {

namespace fs = std::filesystem;

/// What a variable says for a library that is not to be used.
constexpr std::string_view kNone = "none";

/// The library in a folder: the newest, none of the variants.
std::string library_in(const std::string& folder, std::string_view stem) {
  std::vector<std::string> found = files_like(fmt::format("{}/{}.so*", folder, stem));
  std::erase_if(found,
                [](const std::string& each) { return each.find(".alt.") != std::string::npos; });
  return found.empty() ? "" : found.back();
}

std::string variable_name(const SoughtLibrary& sought) {
  return environment::table()[static_cast<size_t>(sought.variable)].name;
}

/// `other`: a file that was opened, and is another library. `refusal`: why the loader did not take
/// a file that is there.
Error missing(const SoughtLibrary& sought, const std::string& other, const std::string& refusal) {
  const std::string variable = variable_name(sought);
  const auto asked = environment::value(sought.variable);
  if (asked == kNone)
    return Error{fmt::format("{} says that {} is not used", variable, sought.name)};
  if (asked && !other.empty())
    return Error{fmt::format("`{}`, which {} names, is not {}", other, variable, sought.name)};
  if (asked && !refusal.empty())
    return Error{fmt::format("{} at `{}`, where {} says, cannot be loaded: {}", sought.name, *asked,
                             variable, refusal)};
  if (asked)
    return Error{fmt::format("there is no {} at `{}`, where {} says; `pip install {}` brings one",
                             sought.name, *asked, variable, sought.package)};
  return Error{fmt::format(
      "{}, {}, was not found; `pip install {}` brings it, or set {} to its file or folder",
      sought.name, sought.purpose, sought.package, variable)};
}

void* open_library(const SoughtLibrary& sought, const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  if (!folder.empty() && !sought.companion.empty()) {
    for (const std::string& each : files_like(fmt::format("{}/{}.so*", folder, sought.companion)))
      dlopen(each.c_str(), RTLD_NOW | RTLD_GLOBAL);
  }
  return dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
}

/// The file that the loader found under a name.
std::string path_of(void* library, const std::string& name) {
  link_map* entry = nullptr;
  const bool known =
      dlinfo(library, RTLD_DI_LINKMAP, static_cast<void*>(&entry)) == 0 && entry != nullptr;
  return known && entry->l_name[0] != '\0' ? entry->l_name : name;
}

}  // namespace

std::vector<std::string> library_files(const SoughtLibrary& sought) {
  std::vector<std::string> files;
  const auto add = [&files](std::string file) {
    if (!file.empty()) files.push_back(std::move(file));
  };
  if (const auto asked = environment::value(sought.variable)) {
    if (*asked == kNone) return files;
    if (!fs::is_directory(*asked)) return {*asked};
    add(library_in(*asked, sought.stem));
    add(library_in(*asked + "/lib", sought.stem));
    return files;
  }
  for (const std::string_view version : sought.versions)
    add(fmt::format("{}.so.{}", sought.stem, version));
  add(fmt::format("{}.so", sought.stem));
  add(library_in("/usr/local/cuda/lib64", sought.stem));
  for (const std::string& packages : package_folders()) {
    add(library_in(packages + "/nvidia/cu13/lib", sought.stem));
    add(library_in(fmt::format("{}/nvidia/{}/lib", packages, sought.folder), sought.stem));
  }
  return files;
}

Result<LoadedLibrary> load_library(const SoughtLibrary& sought,
                                   const std::function<bool(void* library)>& accepts) {
  const ForeignCode foreign;
  std::string other, refusal;
  for (const std::string& file : library_files(sought)) {
    void* library = open_library(sought, file);
    if (library == nullptr) {
      const char* said = dlerror();
      std::error_code ignored;
      if (said != nullptr && fs::is_regular_file(file, ignored)) refusal = said;
      continue;
    }
    other = path_of(library, file);
    if (accepts(library)) return LoadedLibrary{library, other};
  }
  return missing(sought, other, refusal);
}

}  // namespace glint::cuda
