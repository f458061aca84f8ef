#include "backends/kept_text.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "core/support/environment.h"

namespace glint {
namespace {

namespace fs = std::filesystem;

/// What all files of a kind may take.
constexpr uint64_t kMostBytes = uint64_t{512} << 20;

constexpr uint64_t kFirstHash = 0xcbf29ce484222325, kSecondHash = 0x9e3779b97f4a7c15;

/// FNV-1a from a start of one's own: two of them make 128 bits.
uint64_t hash(std::string_view text, uint64_t value) {
  for (const char c : text) {
    value ^= static_cast<unsigned char>(c);
    value *= 0x100000001b3;
  }
  return value;
}

std::string name_of(const std::string& key) {
  return fmt::format("{:016x}{:016x}", hash(key, kFirstHash), hash(key, kSecondHash));
}

fs::path file_of(KeptKind kind, const std::string& key) {
  const std::string_view name = std::ranges::find(kKeptKinds, kind, &KeptKindInfo::kind)->name;
  return fs::path(environment::cache_folder()) / name / fmt::format("{}.{}", name_of(key), name);
}

std::string first_line(const std::string& key) {
  return fmt::format("// glint {} of {} bytes\n", name_of(key), key.size());
}

/// It is written last, so that a file that broke off has none, and no other text has this one.
std::string last_line(std::string_view text) {
  return fmt::format("\n// end {:016x}\n", hash(text, kFirstHash));
}

}  // namespace

std::optional<std::string> find_text(KeptKind kind, const std::string& key) {
  std::ifstream file(file_of(kind, key), std::ios::binary);
  if (!file) return std::nullopt;
  std::ostringstream text;
  text << file.rdbuf();
  const std::string found = text.str();
  const std::string head = first_line(key);
  const size_t end = last_line("").size();
  if (!found.starts_with(head) || found.size() < head.size() + end) return std::nullopt;
  std::string kept = found.substr(head.size(), found.size() - head.size() - end);
  if (!found.ends_with(last_line(kept))) return std::nullopt;
  return kept;
}

void keep_text(KeptKind kind, const std::string& key, const std::string& text) {
  const fs::path place = file_of(kind, key);
  std::error_code failed;
  fs::create_directories(place.parent_path(), failed);
  const fs::path draft = fmt::format("{}.{}", place.string(), getpid());
  {
    std::ofstream file(draft, std::ios::binary);
    file << first_line(key) << text << last_line(text);
    if (!file.flush()) failed = std::make_error_code(std::errc::io_error);
  }
  // Whole or not at all: others may read at the same time.
  if (!failed) fs::rename(draft, place, failed);
  if (failed) fs::remove(draft, failed);
  // Now and then: looking through the folder takes as long as a small kernel's compiling.
  if (name_of(key).starts_with("00")) trim_texts(place.parent_path().string(), kMostBytes);
}

void forget_text(KeptKind kind, const std::string& key) {
  std::error_code failed;
  fs::remove(file_of(kind, key), failed);
}

void trim_texts(const std::string& folder, uint64_t most_bytes) {
  struct KeptFile {
    fs::file_time_type time;
    uint64_t bytes;
    fs::path path;
  };
  std::vector<KeptFile> files;
  uint64_t total = 0;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    std::error_code gone;  // where another process took it away meanwhile
    const uint64_t bytes = at->file_size(gone);
    if (gone) continue;
    files.push_back({at->last_write_time(gone), bytes, at->path()});
    total += bytes;
  }
  std::ranges::sort(files, {}, &KeptFile::time);
  for (size_t i = 0; i < files.size() && total > most_bytes; ++i) {
    fs::remove(files[i].path, failed);
    total -= files[i].bytes;
  }
}

}  // namespace glint
