// Stages that are shown again whenever their function is compiled: `:watch f kernels`.
//
//     watches.add(session, "f", Stage::kGraph);
//     ... f(x) compiles a second entry ...
//     watches.show_new(context);                     == graph f, entry 2 ...
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "repl/listing.h"
#include "runtime/session/session.h"

namespace glint {

class Watches {
 public:
  /// From now on; what was compiled before is not shown.
  void add(Session& session, const std::string& name, Stage stage);
  /// No stage of that name any more; of an empty one, none at all. Gives how many are dropped.
  size_t drop(const std::string& name);
  /// `f   graph`, a line for each.
  std::string text() const;
  /// What has been compiled since the last call, and is watched; `colours`: see `listing_of`.
  std::vector<Listing> take_new(Session& session, bool colours);

 private:
  struct Watch {
    std::string name;  ///< as it was given: whose it is, is asked when something was compiled
    Stage stage;
  };
  std::vector<Watch> watches_;
  uint32_t seen_ = 0;  ///< the last compile that was looked at
};

}  // namespace glint
