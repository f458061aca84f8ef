#include "backends/cuda/ptx_cache.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

#include "core/support/environment.h"

namespace glint::cuda {
namespace {

namespace fs = std::filesystem;

/// Changes whenever NVRTC is asked for something else than before.
constexpr std::string_view kVersion = "1";

/// FNV-1a from a start of one's own: two of them make 128 bits.
uint64_t hash(std::string_view text, uint64_t value) {
  for (const char c : text) {
    value ^= static_cast<unsigned char>(c);
    value *= 0x100000001b3;
  }
  return value;
}

std::string key_of(const std::string& source, const std::string& architecture) {
  const std::string all = fmt::format("{}\n{}\n{}", kVersion, architecture, source);
  return fmt::format("{:016x}{:016x}", hash(all, 0xcbf29ce484222325),
                     hash(all, 0x9e3779b97f4a7c15));
}

fs::path file_of(const std::string& key) {
  return fs::path(environment::cache_folder()) / "ptx" / (key + ".ptx");
}

std::string first_line(const std::string& key, const std::string& source) {
  return fmt::format("// glint {} of {} bytes\n", key, source.size());
}

}  // namespace

std::optional<std::string> find_ptx(const std::string& source, const std::string& architecture) {
  const std::string key = key_of(source, architecture);
  std::ifstream file(file_of(key), std::ios::binary);
  if (!file) return std::nullopt;
  std::ostringstream text;
  text << file.rdbuf();
  const std::string found = text.str();
  const std::string head = first_line(key, source);
  // The last line is written last: a file that broke off has none.
  if (!found.starts_with(head) || !found.ends_with("\n// end\n")) return std::nullopt;
  return found.substr(head.size());
}

void keep_ptx(const std::string& source, const std::string& architecture, const std::string& ptx) {
  const std::string key = key_of(source, architecture);
  const fs::path place = file_of(key);
  std::error_code failed;
  fs::create_directories(place.parent_path(), failed);
  const fs::path draft = fmt::format("{}.{}", place.string(), getpid());
  {
    std::ofstream file(draft, std::ios::binary);
    file << first_line(key, source) << ptx << "\n// end\n";
    if (!file.flush()) failed = std::make_error_code(std::errc::io_error);
  }
  // Whole or not at all: others may read at the same time.
  if (!failed) fs::rename(draft, place, failed);
  if (failed) fs::remove(draft, failed);
}

}  // namespace glint::cuda
