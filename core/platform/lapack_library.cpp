#include "core/platform/lapack_library.h"

#include <dlfcn.h>

#include <cstdlib>
#include <string>

#include "core/support/environment.h"

namespace glint::lapack {

namespace {

template <class F>
bool find(void* handle, const std::string& name, F& function) {
  function = reinterpret_cast<F>(dlsym(handle, name.c_str()));
  return function != nullptr;
}

/// OpenBLAS by its own name, since elsewhere than on Debian what is called LAPACK is the slow
/// reference beside it.
constexpr const char* kLibraries[] = {"libopenblas.so.0", "liblapack.so.3"};

/// Opens a library so that each of its calls stays on the calling thread: it reads the variable
/// once, while it loads.
void* open_single_threaded(const char* name) {
  constexpr const char* kVariable = "OPENBLAS_NUM_THREADS";
  const char* value = std::getenv(kVariable);
  const std::string before = value ? value : "";
  setenv(kVariable, "1", /*overwrite=*/1);
  if (environment::value(environment::Variable::kCpu) == "x86-64-v3")
    setenv("OPENBLAS_CORETYPE", "Haswell", /*overwrite=*/0);
  void* handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (value)
    setenv(kVariable, before.c_str(), 1);
  else
    unsetenv(kVariable);
  return handle;
}

template <class T>
bool find_all(void* handle, const std::string& letter, Routines<T>& routines) {
  return find(handle, letter + "getrf_", routines.getrf) &&
         find(handle, letter + "getrs_", routines.getrs) &&
         find(handle, letter + "trsm_", routines.trsm) &&
         find(handle, letter + "potrf_", routines.potrf) &&
         find(handle, letter + "geqrf_", routines.geqrf) &&
         find(handle, letter + "orgqr_", routines.orgqr) &&
         find(handle, letter + "gesdd_", routines.gesdd) &&
         find(handle, letter + "syevd_", routines.syevd);
}

Library load() {
  Library lib;
  for (const char* name : kLibraries) {
    void* handle = open_single_threaded(name);
    lib.ok = handle != nullptr && find_all(handle, "s", lib.of_float) &&
             find_all(handle, "d", lib.of_double);
    if (lib.ok) break;
  }
  return lib;
}

}  // namespace

const Library& library() {
  static const Library instance = load();
  return instance;
}

}  // namespace glint::lapack
