#include "backends/cuda/code_cache.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <vector>

#include "core/support/environment.h"

namespace glint::cuda {
namespace {

namespace fs = std::filesystem;

/// Changes whenever NVRTC is asked for something else than before.
constexpr std::string_view kVersion = "2";

/// What all files may take.
constexpr uint64_t kMostBytes = uint64_t{512} << 20;

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

/// What the file begins with. Its own length is told by what follows.
std::string first_line(const std::string& key, const std::string& source, const KeptCode& code) {
  return fmt::format("// glint {} of {} bytes: PTX {}, machine code {}\n", key, source.size(),
                     code.ptx.size(), code.cubin.size());
}

/// The two sizes at the end of a first line.
bool read_sizes(const std::string& line, size_t& ptx, size_t& cubin) {
  const size_t at = line.find(": PTX ");
  return at != std::string::npos &&
         std::sscanf(line.c_str() + at, ": PTX %zu, machine code %zu", &ptx, &cubin) == 2;
}

}  // namespace

std::optional<KeptCode> find_code(const std::string& source, const std::string& architecture) {
  const std::string key = key_of(source, architecture);
  std::ifstream file(file_of(key), std::ios::binary);
  if (!file) return std::nullopt;
  std::ostringstream text;
  text << file.rdbuf();
  const std::string found = text.str();
  const std::string head = found.substr(0, found.find('\n') + 1);
  size_t ptx = 0, cubin = 0;
  // A file that broke off is shorter than it says.
  if (!read_sizes(head, ptx, cubin) || found.size() != head.size() + ptx + cubin)
    return std::nullopt;
  KeptCode code{found.substr(head.size(), ptx), found.substr(head.size() + ptx)};
  if (head != first_line(key, source, code)) return std::nullopt;
  return code;
}

void keep_code(const std::string& source, const std::string& architecture, const KeptCode& code) {
  const std::string key = key_of(source, architecture);
  const fs::path place = file_of(key);
  std::error_code failed;
  fs::create_directories(place.parent_path(), failed);
  const fs::path draft = fmt::format("{}.{}", place.string(), getpid());
  {
    std::ofstream file(draft, std::ios::binary);
    file << first_line(key, source, code) << code.ptx << code.cubin;
    if (!file.flush()) failed = std::make_error_code(std::errc::io_error);
  }
  // Whole or not at all: others may read at the same time.
  if (!failed) fs::rename(draft, place, failed);
  if (failed) fs::remove(draft, failed);
  // Now and then: looking through the folder takes as long as a small kernel's compiling.
  if (key.starts_with("00")) trim_code(place.parent_path().string(), kMostBytes);
}

void trim_code(const std::string& folder, uint64_t most_bytes) {
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

}  // namespace glint::cuda
