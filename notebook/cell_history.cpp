#include "notebook/cell_history.h"

#include <algorithm>
#include <set>

namespace glint::notebook {
namespace {

constexpr int64_t kThisSession = 1;

/// The last `most` of them; 0: all.
std::vector<HistoryEntry> last_of(std::vector<HistoryEntry> entries, int64_t most) {
  const auto size = static_cast<int64_t>(entries.size());
  if (most > 0 && most < size) entries.erase(entries.begin(), entries.end() - most);
  return entries;
}

/// Of entries with the same text the newest.
std::vector<HistoryEntry> each_once(std::vector<HistoryEntry> entries) {
  std::set<std::string> seen;
  std::vector<HistoryEntry> kept;
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry)
    if (seen.insert(entry->code).second) kept.push_back(std::move(*entry));
  std::ranges::reverse(kept);
  return kept;
}

}  // namespace

bool fits_pattern(std::string_view pattern, std::string_view text) {
  // Where the last star stands, and how much of the text it has taken so far.
  size_t star = std::string_view::npos, taken = 0, at = 0;
  for (size_t i = 0; i < text.size();) {
    bool fits = at < pattern.size() && (pattern[at] == '?' || pattern[at] == text[i]);
    if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      taken = i;
    } else if (fits) {
      ++at;
      ++i;
    } else if (star != std::string_view::npos) {
      at = star + 1;
      i = ++taken;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', at) == std::string_view::npos;
}

CellHistory::CellHistory(const std::string& file) {
  file_.open(file);
  for (size_t i = 0; i < file_.size(); ++i)
    entries_.push_back({0, static_cast<int64_t>(i) + 1, file_[i]});
}

void CellHistory::add(uint32_t number, const std::string& code) {
  entries_.push_back({kThisSession, number, code});
  file_.add(code);
}

std::vector<HistoryEntry> CellHistory::find(const HistoryRequest& request) const {
  if (request.kind == "tail") return last_of(entries_, request.most);
  std::vector<HistoryEntry> found;
  if (request.kind == "range") {
    const int64_t session = request.session < 1 ? kThisSession + request.session : request.session;
    std::ranges::copy_if(entries_, std::back_inserter(found), [&](const HistoryEntry& entry) {
      return entry.session == session && entry.line >= request.start &&
             (!request.stop || entry.line < *request.stop);
    });
  } else if (request.kind == "search") {
    std::ranges::copy_if(entries_, std::back_inserter(found), [&](const HistoryEntry& entry) {
      return fits_pattern(request.pattern, entry.code);
    });
    if (request.unique) found = each_once(std::move(found));
    found = last_of(std::move(found), request.most);
  }
  return found;
}

}  // namespace glint::notebook
