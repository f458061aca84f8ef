#include "repl/watches.h"

#include <fmt/format.h>

#include <algorithm>

namespace glint {
namespace {

std::string_view name_of(Stage stage) {
  return stage_table()[static_cast<size_t>(stage)].name;
}

}  // namespace

void Watches::add(Session& session, const std::string& name, Stage stage) {
  if (watches_.empty()) seen_ = session.log().compiles();
  auto same = [&](const Watch& each) { return each.name == name && each.stage == stage; };
  if (std::ranges::none_of(watches_, same)) watches_.push_back({name, stage});
}

size_t Watches::drop(const std::string& name) {
  return std::erase_if(watches_,
                       [&](const Watch& each) { return name.empty() || each.name == name; });
}

std::string Watches::text() const {
  std::string text;
  for (const Watch& each : watches_)
    text += fmt::format("{}   {}\n", each.name, name_of(each.stage));
  return text;
}

std::vector<Listing> Watches::take_new(Session& session, bool colours) {
  std::vector<Listing> found;
  const uint32_t newest = session.log().compiles();
  if (watches_.empty() || newest == seen_) return found;
  for (const Watch& watch : watches_) {
    const Whose whose = session.whose(watch.name);
    for (const Artifact& artifact : session.log().artifacts()) {
      bool is_new =
          artifact.compile > seen_ && artifact.stage == watch.stage && whose.has(artifact);
      if (is_new) found.push_back(listing_of(artifact, session.sources(), colours));
    }
  }
  seen_ = newest;
  return found;
}

}  // namespace glint
