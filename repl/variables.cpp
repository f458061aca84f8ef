#include "repl/variables.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <sstream>
#include <string_view>
#include <system_error>

#include "core/support/fail_stage.h"
#include "passes/pipeline.h"
#include "repl/writable_folder.h"
#include "runtime/capture/executable.h"

namespace glint {

using environment::Variable;

namespace {

const char* name_of(Variable variable) {
  return environment::table()[static_cast<size_t>(variable)].name;
}

bool is_number(std::string_view text, int least, int most) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && least <= number &&
         number <= most;
}

/// `compute_75` and later, or `sm_75`, whose machine code is made too; those of one GPU or of its
/// family, `compute_90a` and `compute_100f`, too. Whether NVRTC knows it is found out when it is
/// asked.
bool is_architecture(std::string_view text) {
  const size_t number = text.find('_') + 1;
  const std::string_view kind = text.substr(0, number);
  if (kind != "compute_" && kind != "sm_") return false;
  text.remove_prefix(number);
  if (text.ends_with('a') || text.ends_with('f')) text.remove_suffix(1);
  return is_number(text, 75, 999);
}

/// What the value should be and is not, where it is no matter of a few words.
std::optional<std::string_view> missed_form(Variable variable, std::string_view value) {
  if (variable == Variable::kThreads && !is_number(value, 1, 9999)) return "number from 1 to 9999";
  if (variable == Variable::kCudaArch && !is_architecture(value))
    return "architecture from compute_75 or sm_75 on";
  return std::nullopt;
}

/// As far as permissions tell: a program that starts tries nothing. `glint doctor` does.
bool may_be_written(const std::filesystem::path& folder) {
  std::error_code error;
  const std::filesystem::path there = existing_folder(folder);
  return std::filesystem::is_directory(there, error) && ::access(there.c_str(), W_OK) == 0;
}

}  // namespace

std::vector<std::string> choices_of(Variable variable) {
  std::vector<std::string> words;
  if (variable == Variable::kCompile || variable == Variable::kCudaBounds) words = {"0", "1"};
  if (variable == Variable::kGpu) words = {"sim", "none"};
  if (variable == Variable::kGpuRaces) words = {"on", "off"};
  if (variable == Variable::kCpu) words = {"x86-64-v3", "x86-64-v4"};
  if (variable == Variable::kBackend)
    for (const auto& backend : capture::backend_table()) words.emplace_back(backend.name);
  if (variable == Variable::kFail) {
    for (const fail_stage::Stage& stage : fail_stage::kStages) words.emplace_back(stage.name);
    words.emplace_back(fail_stage::kLaunch);
    for (const passes::Pass& pass : passes::pass_table()) words.emplace_back(pass.name);
  }
  return words;
}

std::optional<std::string> problem_of(Variable variable) {
  auto value = environment::value(variable);
  if (!value) return std::nullopt;
  if (auto form = missed_form(variable, *value))
    return fmt::format("{} is `{}`, which is no {}", name_of(variable), *value, *form);
  std::vector<std::string> words = choices_of(variable);
  // `inductor` is the default, by its name in scripts.
  bool is_default = variable == Variable::kBackend && *value == "inductor";
  if (words.empty() || is_default || std::ranges::find(words, *value) != words.end())
    return std::nullopt;
  return fmt::format("{} is `{}`; it can be {}", name_of(variable), *value, fmt::join(words, ", "));
}

std::vector<std::string> folder_warnings() {
  std::vector<std::string> lines;
  std::stringstream list(environment::value(Variable::kPath).value_or(""));
  for (std::string folder; std::getline(list, folder, ':');) {
    std::error_code ignored;
    if (folder.empty() || std::filesystem::is_directory(folder, ignored)) continue;
    lines.push_back(
        fmt::format("{} names `{}`, which is no folder", name_of(Variable::kPath), folder));
  }
  if (auto cache = environment::value(Variable::kCache); cache && !may_be_written(*cache))
    lines.push_back(
        fmt::format("{} is `{}`, where nothing can be written", name_of(Variable::kCache), *cache));
  if (auto history = environment::value(Variable::kHistory)) {
    std::error_code ignored;
    bool folder = std::filesystem::is_directory(*history, ignored);
    if (folder || !may_be_written(std::filesystem::path(*history).parent_path()))
      lines.push_back(fmt::format("{} is `{}`, which cannot be written",
                                  name_of(Variable::kHistory), *history));
  }
  return lines;
}

}  // namespace glint
