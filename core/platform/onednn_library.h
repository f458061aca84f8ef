// oneDNN, found by `dlopen` when something first asks for it.
//
// The program does not link the library: one that multiplies no large matrices never loads it, and
// a machine that lacks it runs kernels of our own. Each of its calls stays on the calling thread;
// work is shared out over our own threads instead, which claim pieces as they come free and do not
// fight with a second set of spinning workers. Its headers stay in this folder.
//
//     if (!onednn::library().ok) return false;
//     onednn::library().primitive_execute(...);
#pragma once

#include <oneapi/dnnl/dnnl.h>

namespace glint::onednn {

/// The library's functions that are used here, by name.
struct Library {
  bool ok = false;
  decltype(&dnnl_engine_create) engine_create;
  decltype(&dnnl_stream_create) stream_create;
  decltype(&dnnl_memory_desc_init_by_strides) memory_desc_init_by_strides;
  decltype(&dnnl_memory_create) memory_create;
  decltype(&dnnl_memory_set_data_handle) memory_set_data_handle;
  decltype(&dnnl_memory_destroy) memory_destroy;
  decltype(&dnnl_matmul_desc_init) matmul_desc_init;
  decltype(&dnnl_primitive_desc_create) primitive_desc_create;
  decltype(&dnnl_primitive_desc_destroy) primitive_desc_destroy;
  decltype(&dnnl_primitive_create) primitive_create;
  decltype(&dnnl_primitive_execute) primitive_execute;
  decltype(&dnnl_primitive_destroy) primitive_destroy;
  decltype(&dnnl_primitive_attr_create) primitive_attr_create;
  decltype(&dnnl_primitive_attr_set_post_ops) primitive_attr_set_post_ops;
  decltype(&dnnl_primitive_attr_destroy) primitive_attr_destroy;
  decltype(&dnnl_post_ops_create) post_ops_create;
  decltype(&dnnl_post_ops_append_eltwise) post_ops_append_eltwise;
  decltype(&dnnl_post_ops_destroy) post_ops_destroy;
  decltype(&dnnl_sgemm) sgemm;
  decltype(&dnnl_primitive_attr_set_scratchpad_mode) primitive_attr_set_scratchpad_mode;
  decltype(&dnnl_primitive_desc_query_md) primitive_desc_query_md;
  decltype(&dnnl_memory_desc_get_size) memory_desc_get_size;
  decltype(&dnnl_dilated_convolution_forward_desc_init) convolution_forward_desc_init;
  decltype(&dnnl_dilated_convolution_backward_data_desc_init) convolution_backward_data_desc_init;
  decltype(&dnnl_dilated_convolution_backward_weights_desc_init)
      convolution_backward_weights_desc_init;
  decltype(&dnnl_reorder_primitive_desc_create) reorder_primitive_desc_create;
  decltype(&dnnl_memory_desc_equal) memory_desc_equal;
  decltype(&dnnl_primitive_desc_query) primitive_desc_query;
  dnnl_engine_t engine;
  dnnl_stream_t stream;
};

/// The library, loaded by the first call; not `ok` where it is missing.
const Library& library();

}  // namespace glint::onednn
