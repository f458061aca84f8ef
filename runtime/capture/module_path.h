// In which module of a network an operator is called: `Net.layers.0.linear`, as `named_modules`
// spells it behind the class of the outermost one.
//
//     net(x)                                 frames: Net.forward of net           Net
//         self.layers[0](x)                          Block.forward of layers[0]   Net.layers.0
//             self.linear(x)                         Linear.forward of linear Net.layers.0.linear
//
// The frames at work say it: those whose function is a `forward` or a `__call__` with a module as
// its first argument. A module that the one around it does not own is called as its class. Two
// outermost modules of one class are told apart by a number, `Linear_1`.
#pragma once

#include <string>
#include <vector>

#include "core/tensor/tensor.h"
#include "runtime/interpreter/frame.h"

namespace glint::capture {

class ModulePaths {
 public:
  /// Of what that frame is calling; empty outside of modules.
  std::string of(const runtime::Frame* innermost);
  /// The same for a tensor that it reads: empty too where the module does not own the tensor.
  std::string of_owned(const runtime::Frame* innermost, const Tensor& tensor);

 private:
  /// One that was met. It may have died since: a module that is made in the traced call itself.
  struct Outermost {
    const void* address = nullptr;
    Ref<runtime::ClassObject> cls;
  };
  std::string name_outermost(const runtime::InstanceObject& module);

  std::vector<Outermost> outermost_;
};

}  // namespace glint::capture
