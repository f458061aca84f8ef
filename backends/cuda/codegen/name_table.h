// The names in one entry of CUDA C++: what Kernel IR calls a thing, unless that is taken.
//
//     NameTable names;
//     names.fresh("x")       // x: a parameter
//     names.open();          // a brace
//     names.fresh("x")       // x1
//     names.close();         // x1 is free again
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace glint::cuda {

class NameTable {
 public:
  NameTable() : scopes_(1) {}
  void open() { scopes_.emplace_back(); }
  void close() { scopes_.pop_back(); }
  /// A name like `wanted`, from here to the end of the innermost scope.
  std::string fresh(std::string_view wanted) { return fresh_in(wanted, scopes_.back()); }
  /// One that holds in the whole entry: an argument's.
  std::string fresh_argument(std::string_view wanted) { return fresh_in(wanted, scopes_.front()); }

 private:
  std::string fresh_in(std::string_view wanted, std::set<std::string>& scope);
  bool is_taken(const std::string& name) const;

  std::vector<std::set<std::string>> scopes_;
};

/// The entry's name for a kernel: the kernel's, which a function of C++ can have almost always.
std::string entry_name(std::string_view kernel);

}  // namespace glint::cuda
