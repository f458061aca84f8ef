// What one process found out and a later one need not: texts in files, by a key.
//
//     keep_text(KeptKind::kPtx, key, ptx)
//     find_text(KeptKind::kPtx, key)            // nothing, or the text
//
// A file's name is a hash of the key, of any length; its first line repeats that and the key's
// size, so that a file that somebody else wrote is not taken, and its last line is a hash of the
// text, so that a damaged one is not either. Where the folder (`GLINT_CACHE`) cannot be written,
// nothing is kept and nothing is said. The oldest files of a kind go when all of them take more
// than 512 MiB.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace glint {

enum class KeptKind : uint8_t { kPtx, kObject, kTuned, kSass };

struct KeptKindInfo {
  KeptKind kind;
  /// Its folder inside the cache folder, and how the names of its files end.
  std::string_view name;
  /// What its files hold, in the plural.
  std::string_view holds;
};
inline constexpr KeptKindInfo kKeptKinds[] = {
    {KeptKind::kPtx, "ptx", "compiled kernels for GPUs"},
    {KeptKind::kObject, "object", "compiled modules for processors"},
    {KeptKind::kTuned, "tuned", "tables of measured tile and block sizes"},
    {KeptKind::kSass, "sass", "disassembled kernels of GPUs"},
};

std::optional<std::string> find_text(KeptKind kind, const std::string& key);
void keep_text(KeptKind kind, const std::string& key, const std::string& text);
/// The next `find_text` has nothing for the key: what was kept is of no use.
void forget_text(KeptKind kind, const std::string& key);
/// Lets the oldest files of a folder go until the others take no more than that.
void trim_texts(const std::string& folder, uint64_t most_bytes);

}  // namespace glint
