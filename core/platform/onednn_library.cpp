#include "core/platform/onednn_library.h"

#include <dlfcn.h>

#include <cstdlib>
#include <string>

#include "core/support/environment.h"
#include "core/support/thread_pool.h"

namespace glint::onednn {

namespace {

template <class F>
bool find(void* handle, const char* name, F& function) {
  function = reinterpret_cast<F>(dlsym(handle, name));
  return function != nullptr;
}

/// Opens the library so that each of its calls stays on the calling thread: its OpenMP runtime
/// reads the variable once, while it loads. Products are split over our own threads instead, which
/// share pieces out as they go and do not fight with a second set of spinning workers.
void* open_single_threaded() {
  constexpr const char* kVariable = "OMP_NUM_THREADS";
  num_threads();  // reads the user's value first
  const char* value = std::getenv(kVariable);
  std::string before = value ? value : "";
  setenv(kVariable, "1", /*overwrite=*/1);
  if (environment::value(environment::Variable::kCpu) == "x86-64-v3")
    setenv("DNNL_MAX_CPU_ISA", "AVX2", /*overwrite=*/0);
  void* handle = dlopen("libdnnl.so.2", RTLD_NOW | RTLD_LOCAL);
  if (value)
    setenv(kVariable, before.c_str(), 1);
  else
    unsetenv(kVariable);
  return handle;
}

Library load() {
  Library lib = {};
  void* handle = open_single_threaded();
  if (!handle) return lib;
  lib.ok = find(handle, "dnnl_engine_create", lib.engine_create) &&
           find(handle, "dnnl_stream_create", lib.stream_create) &&
           find(handle, "dnnl_memory_desc_init_by_strides", lib.memory_desc_init_by_strides) &&
           find(handle, "dnnl_memory_create", lib.memory_create) &&
           find(handle, "dnnl_memory_set_data_handle", lib.memory_set_data_handle) &&
           find(handle, "dnnl_memory_destroy", lib.memory_destroy) &&
           find(handle, "dnnl_matmul_desc_init", lib.matmul_desc_init) &&
           find(handle, "dnnl_primitive_desc_create", lib.primitive_desc_create) &&
           find(handle, "dnnl_primitive_desc_destroy", lib.primitive_desc_destroy) &&
           find(handle, "dnnl_primitive_create", lib.primitive_create) &&
           find(handle, "dnnl_primitive_execute", lib.primitive_execute) &&
           find(handle, "dnnl_primitive_destroy", lib.primitive_destroy) &&
           find(handle, "dnnl_primitive_attr_create", lib.primitive_attr_create) &&
           find(handle, "dnnl_primitive_attr_set_post_ops", lib.primitive_attr_set_post_ops) &&
           find(handle, "dnnl_primitive_attr_destroy", lib.primitive_attr_destroy) &&
           find(handle, "dnnl_post_ops_create", lib.post_ops_create) &&
           find(handle, "dnnl_post_ops_append_eltwise", lib.post_ops_append_eltwise) &&
           find(handle, "dnnl_post_ops_destroy", lib.post_ops_destroy) &&
           find(handle, "dnnl_sgemm", lib.sgemm) &&
           find(handle, "dnnl_primitive_attr_set_scratchpad_mode",
                lib.primitive_attr_set_scratchpad_mode) &&
           find(handle, "dnnl_primitive_desc_query_md", lib.primitive_desc_query_md) &&
           find(handle, "dnnl_memory_desc_get_size", lib.memory_desc_get_size) &&
           find(handle, "dnnl_dilated_convolution_forward_desc_init",
                lib.convolution_forward_desc_init) &&
           find(handle, "dnnl_dilated_convolution_backward_data_desc_init",
                lib.convolution_backward_data_desc_init) &&
           find(handle, "dnnl_dilated_convolution_backward_weights_desc_init",
                lib.convolution_backward_weights_desc_init) &&
           find(handle, "dnnl_reorder_primitive_desc_create", lib.reorder_primitive_desc_create) &&
           find(handle, "dnnl_memory_desc_equal", lib.memory_desc_equal) &&
           find(handle, "dnnl_primitive_desc_query", lib.primitive_desc_query) &&
           lib.engine_create(&lib.engine, dnnl_cpu, 0) == dnnl_success &&
           lib.stream_create(&lib.stream, lib.engine, dnnl_stream_default_flags) == dnnl_success;
  return lib;
}

}  // namespace

const Library& library() {
  static const Library instance = load();
  return instance;
}

}  // namespace glint::onednn
