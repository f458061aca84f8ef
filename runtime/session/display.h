// What a script shows, on its way to whoever looks at it.
//
//     display(x)                          show({"text/plain": "3", ...})
//     h = display(x, display_id=True)     show(..., named "a1b2")
//     h.update(y)                         show(..., named "a1b2", which updates)
//     clear_output(wait=True)             clear(true)
//
// A notebook has one. At the REPL and in a script `IPython.display` prints what shows as text.
#pragma once

#include <string>

#include "runtime/session/cell.h"

namespace glint {

/// A value's forms; a name, where what is shown is to be changed later.
struct Shown {
  MimeForms forms;
  std::string id = {};
  bool updates = false;  ///< what was shown under that name
};

class Display {
 public:
  virtual ~Display() = default;
  virtual void show(const Shown& shown) = 0;
  /// What the cell has shown goes; `waits`: once there is something new.
  virtual void clear(bool waits) = 0;
};

}  // namespace glint
