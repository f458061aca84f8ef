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
  explicit Workspace(size_t bytes) {
    if (bytes != 0) take(bytes);
  }
  ~Workspace() {
    if (data_ != nullptr) give_back();
  }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  std::byte* data() const { return data_; }

 private:
  void take(size_t bytes);
  void give_back() const;

  std::byte* data_ = nullptr;
  size_t bytes_ = 0;
};

}  // namespace glint
