#include "core/platform/lapack_library.h"

#include <dlfcn.h>

#include <cstdlib>
#include <optional>
#include <string>

#include "core/platform/vector_bits.h"

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

/// A variable of the environment with another value for as long as this lives.
class ScopedVariable {
 public:
  ScopedVariable(const char* name, const char* value) : name_(name) {
    if (const char* found = std::getenv(name)) before_ = found;
    setenv(name, value, /*overwrite=*/1);
  }
  ScopedVariable(const ScopedVariable&) = delete;
  ScopedVariable& operator=(const ScopedVariable&) = delete;
  ~ScopedVariable() {
    if (before_)
      setenv(name_, before_->c_str(), /*overwrite=*/1);
    else
      unsetenv(name_);
  }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

/// Opens a library so that each of its calls stays on the calling thread: OpenBLAS reads this once,
/// while it loads. It also reads which kernels to use, and is told, since it takes a processor that
/// is younger than itself for one without wide vectors.
void* open_single_threaded(const char* name) {
  const ScopedVariable threads("OPENBLAS_NUM_THREADS", "1");
  constexpr const char* kKernels = "OPENBLAS_CORETYPE";
  std::optional<ScopedVariable> kernels;
  if (std::getenv(kKernels) == nullptr && vector_bits() > 128)
    kernels.emplace(kKernels, vector_bits() == 512 ? "SkylakeX" : "Haswell");
  return dlopen(name, RTLD_NOW | RTLD_LOCAL);
}

template <class T>
bool find_all(void* handle, const std::string& letter, Routines<T>& routines) {
  return find(handle, letter + "getrf_", routines.getrf) &&
         find(handle, letter + "laswp_", routines.laswp) &&
         find(handle, letter + "trsm_", routines.trsm) &&
         find(handle, letter + "gemm_", routines.gemm) &&
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
