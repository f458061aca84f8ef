#include "repl/near_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <numeric>

namespace glint {
namespace {

/// How many characters to add, drop or replace to get from one to the other, two that changed
/// places counted as one.
size_t distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before_last, last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last = last;
    last = row;
  }
  return last[b.size()];
}

}  // namespace

std::string near_names(std::string_view typed, const std::vector<std::string>& names) {
  constexpr size_t kMost = 3;
  std::vector<std::pair<size_t, std::string>> near;
  for (const std::string& name : names) {
    size_t far = distance(typed, name);
    bool ends_alike = typed.size() > 2 && (name.starts_with(typed) || name.ends_with(typed));
    if (far <= std::max<size_t>(1, typed.size() / 3) && far < typed.size())
      near.emplace_back(far, name);
    else if (ends_alike)
      near.emplace_back(far, name);
  }
  std::sort(near.begin(), near.end());
  near.erase(std::unique(near.begin(), near.end()), near.end());
  if (near.size() > kMost) near.resize(kMost);
  if (near.empty()) return {};
  std::vector<std::string> chosen;
  for (const auto& [far, name] : near) chosen.push_back(fmt::format("`{}`", name));
  return fmt::format("; did you mean {}?", fmt::join(chosen, ", "));
}

std::string meant_file(const std::string& path, std::vector<std::string> names) {
  namespace files = std::filesystem;
  std::error_code error;
  const files::path typed(path);
  if (files::exists(typed, error)) return {};
  const files::path folder = typed.parent_path();
  files::directory_iterator at(folder.empty() ? "." : folder, error);
  for (std::error_code of_file; at != files::directory_iterator(); at.increment(error))
    if (at->is_regular_file(of_file)) names.push_back(at->path().filename().string());
  return near_names(typed.filename().string(), names);
}

std::string quoted_names(const std::vector<std::string>& names) {
  constexpr size_t kMost = 12;
  std::vector<std::string> chosen;
  for (size_t i = 0; i < std::min(names.size(), kMost); ++i)
    chosen.push_back(fmt::format("`{}`", names[i]));
  if (names.size() > kMost) chosen.push_back(fmt::format("and {} more", names.size() - kMost));
  return fmt::format("{}", fmt::join(chosen, ", "));
}

}  // namespace glint
