#include "notebook/kernelspec.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>

namespace glint::notebook {
namespace {

namespace fs = std::filesystem;

/// A pane of glass with a graph behind it.
constexpr std::string_view kLogo =
    R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">
<rect x="6" y="6" width="52" height="52" rx="10" fill="#e8f4fa" stroke="#2a7ba8" stroke-width="4"/>
<path d="M20 18 L32 34 L44 18 M32 34 V46" fill="none" stroke="#2a7ba8" stroke-width="4"/>
<g fill="#0b3c56"><circle cx="20" cy="18" r="5"/><circle cx="44" cy="18" r="5"/>
<circle cx="32" cy="34" r="5"/><circle cx="32" cy="48" r="5"/></g></svg>
)";

/// The variable's value; empty when it is unset.
std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::string json_text(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20)
      out += fmt::format("\\u{:04x}", static_cast<int>(c));
    else
      out += c;
  }
  return out + "\"";
}

Result<std::string> users_folder() {
  if (std::string folder = variable("JUPYTER_DATA_DIR"); !folder.empty()) return folder;
  if (std::string data = variable("XDG_DATA_HOME"); !data.empty()) return data + "/jupyter";
  if (std::string home = variable("HOME"); !home.empty()) return home + "/.local/share/jupyter";
  return Error{"there is no home folder; name a place with `--prefix`"};
}

Result<std::string> environments_folder() {
  for (const char* name : {"VIRTUAL_ENV", "CONDA_PREFIX"})
    if (std::string prefix = variable(name); !prefix.empty()) return prefix + "/share/jupyter";
  return Error{"no Python environment is active; name one with `--prefix`"};
}

bool write(const fs::path& file, std::string_view text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  return out.good();
}

}  // namespace

Result<std::string> kernels_folder(const KernelInstallRequest& request) {
  Result<std::string> folder = !request.prefix.empty()  ? request.prefix + "/share/jupyter"
                               : request.in_environment ? environments_folder()
                                                        : users_folder();
  if (!folder) return folder;
  return *folder + "/kernels";
}

std::string kernelspec_text(const std::string& program) {
  return fmt::format(
      R"({{
 "argv": [{}, "kernel", "run", "-f", "{{connection_file}}"],
 "display_name": "Glint",
 "language": "python",
 "interrupt_mode": "signal",
 "metadata": {{"debugger": false}}
}}
)",
      json_text(program));
}

Result<std::string> install_kernelspec(const KernelInstallRequest& request,
                                       const std::string& program) {
  Result<std::string> kernels = kernels_folder(request);
  if (!kernels) return kernels;
  const fs::path folder = fs::absolute(*kernels) / "glint";
  std::error_code failed;
  fs::create_directories(folder, failed);
  bool written = !failed && write(folder / "kernel.json", kernelspec_text(program)) &&
                 write(folder / "logo-svg.svg", kLogo);
  if (!written) return Error{fmt::format("`{}` cannot be written", folder.string())};
  return folder.string();
}

}  // namespace glint::notebook
