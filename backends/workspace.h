// Memory for the time of one run: a pool of blocks for each thread.
//
//     Workspace workspace(bytes);
//     use(workspace.data());            // given back when it goes
//
// Blocks are kept and handed out again, the last one given back first. A request that no kept block
// can hold grows one.
#pragma once

#include <cstddef>

namespace glint {

class Workspace {
 public:
  explicit Workspace(size_t bytes);
  ~Workspace();
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  std::byte* data() const { return data_; }

 private:
  std::byte* data_ = nullptr;
  size_t bytes_ = 0;
};

}  // namespace glint
