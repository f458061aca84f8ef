// Looks up a function of a library that was loaded at run time.
//
//     CuResult (*init)(unsigned) = nullptr;
//     find_function(driver, "cuInit", init)       true, and `init` can be called; or false
//
// NVIDIA's libraries may be missing, or too old to have it: each user has a struct of pointers.
#pragma once

#include <dlfcn.h>

namespace glint::cuda {

template <class F>
bool find_function(void* library, const char* name, F& function) {
  function = reinterpret_cast<F>(dlsym(library, name));
  return function != nullptr;
}

}  // namespace glint::cuda
