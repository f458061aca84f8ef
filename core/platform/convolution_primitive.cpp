#include "core/platform/convolution_primitive.h"

#include <span>
#include <string_view>

namespace glint {

namespace {

using onednn::library;

/// The numbers and queries by which the library knows the three tensors of a pass.
struct PassNames {
  std::array<int, 3> arguments;
  std::array<dnnl_query_t, 3> layouts;
};

/// By pass.
constexpr PassNames kPassNames[] = {
    {{DNNL_ARG_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DST},
     {dnnl_query_src_md, dnnl_query_weights_md, dnnl_query_dst_md}},
    {{DNNL_ARG_DIFF_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DIFF_DST},
     {dnnl_query_diff_src_md, dnnl_query_weights_md, dnnl_query_diff_dst_md}},
    {{DNNL_ARG_SRC, DNNL_ARG_DIFF_WEIGHTS, DNNL_ARG_DIFF_DST},
     {dnnl_query_src_md, dnnl_query_diff_weights_md, dnnl_query_diff_dst_md}},
};

dnnl_data_type_t data_type(const ConvolutionShape& s) {
  return DType(s.dtype) == DType::kBFloat16 ? dnnl_bf16 : dnnl_f32;
}

/// Row-major memory, but for the strides of the first `given`.
dnnl_memory_desc_t describe(dnnl_data_type_t type, std::span<const int64_t> sizes,
                            std::span<const int64_t> given) {
  dnnl_dims_t dims = {}, strides = {};
  int64_t step = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    dims[i] = sizes[i];
    strides[i] = i < given.size() ? given[i] : step;
    step *= sizes[i];
  }
  dnnl_memory_desc_t description = {};
  library().memory_desc_init_by_strides(&description, static_cast<int>(sizes.size()), dims, type,
                                        strides);
  return description;
}

/// The same tensor in whatever layout suits the primitive.
dnnl_memory_desc_t in_any_layout(const dnnl_memory_desc_t& plain) {
  dnnl_memory_desc_t description = plain;
  description.format_kind = dnnl_format_kind_any;
  return description;
}

using Extents = std::array<int64_t, 3>;

std::vector<int64_t> with_extents(std::vector<int64_t> sizes, const Extents& extents,
                                  int64_t dims) {
  sizes.insert(sizes.end(), extents.begin(), extents.begin() + dims);
  return sizes;
}

int64_t volume(const Extents& extents, int64_t dims) {
  int64_t product = 1;
  for (int64_t i = 0; i < dims; ++i) product *= extents[size_t(i)];
  return product;
}

dnnl_memory_desc_t describe_images(dnnl_data_type_t type, int64_t images, int64_t channels,
                                   int64_t all_channels, const Extents& extents, int64_t dims) {
  const int64_t strides[] = {all_channels * volume(extents, dims)};
  return describe(type, with_extents({images, channels}, extents, dims), strides);
}

dnnl_memory_desc_t describe_weight(const ConvolutionShape& s) {
  const int64_t channels = s.channels / s.groups;
  if (s.groups > 1)
    return describe(data_type(s),
                    with_extents({s.groups, s.outputs / s.groups, channels}, s.kernel, s.dims), {});
  const int64_t strides[] = {s.all_channels * volume(s.kernel, s.dims)};
  return describe(data_type(s), with_extents({s.outputs, channels}, s.kernel, s.dims), strides);
}

/// The library's dilation counts what lies between two elements of a window.
Extents gaps(const Extents& dilation) {
  return {dilation[0] - 1, dilation[1] - 1, dilation[2] - 1};
}

/// Describes the pass to the library; the layouts of tensors are as given.
bool describe_pass(const ConvolutionShape& s, const dnnl_memory_desc_t& input,
                   const dnnl_memory_desc_t& weight, const dnnl_memory_desc_t& result,
                   const dnnl_memory_desc_t& bias, dnnl_convolution_desc_t& made) {
  const auto& lib = library();
  const Extents gap = gaps(s.dilation);
  const int64_t *stride = s.stride.data(), *dilation = gap.data(), *padding = s.padding.data();
  switch (ConvolutionPass(s.pass)) {
    case ConvolutionPass::kForward:
      return lib.convolution_forward_desc_init(&made, dnnl_forward_training,
                                               dnnl_convolution_direct, &input, &weight,
                                               s.has_bias ? &bias : nullptr, &result, stride,
                                               dilation, padding, padding) == dnnl_success;
    case ConvolutionPass::kOfInput:
      return lib.convolution_backward_data_desc_init(&made, dnnl_convolution_direct, &input,
                                                     &weight, &result, stride, dilation, padding,
                                                     padding) == dnnl_success;
    case ConvolutionPass::kOfWeight:
      return lib.convolution_backward_weights_desc_init(&made, dnnl_convolution_direct, &input,
                                                        &weight, nullptr, &result, stride, dilation,
                                                        padding, padding) == dnnl_success;
  }
  fail("a convolution has three passes");
}

/// The library's plainest loops, which it falls back on, are slower than products of our own.
bool is_tuned(const_dnnl_primitive_desc_t description) {
  const char* name = nullptr;
  library().primitive_desc_query(description, dnnl_query_impl_info_str, 0,
                                 static_cast<void*>(&name));
  return name != nullptr && !std::string_view(name).starts_with("ref");
}

/// Each running piece brings scratch memory along, since several run at the same time.
const_dnnl_primitive_attr_t own_scratch() {
  static const const_dnnl_primitive_attr_t attributes = [] {
    dnnl_primitive_attr_t made = nullptr;
    library().primitive_attr_create(&made);
    library().primitive_attr_set_scratchpad_mode(made, dnnl_scratchpad_mode_user);
    return made;
  }();
  return attributes;
}

dnnl_primitive_desc_t describe_primitive(const dnnl_convolution_desc_t& pass) {
  const auto& lib = library();
  dnnl_primitive_desc_t description = nullptr;
  if (lib.primitive_desc_create(&description, &pass, own_scratch(), lib.engine, nullptr) !=
      dnnl_success)
    return nullptr;
  if (is_tuned(description)) return description;
  lib.primitive_desc_destroy(description);
  return nullptr;
}

const dnnl_memory_desc_t& scratch_of(const_dnnl_primitive_desc_t description) {
  return *library().primitive_desc_query_md(description, dnnl_query_scratchpad_md, 0);
}

/// From one layout to another, which works without scratch memory.
bool create_reorder(const dnnl_memory_desc_t& from, const dnnl_memory_desc_t& to,
                    OwnedPrimitive& made) {
  const auto& lib = library();
  dnnl_primitive_desc_t description = nullptr;
  if (lib.reorder_primitive_desc_create(&description, &from, lib.engine, &to, lib.engine,
                                        own_scratch()) != dnnl_success)
    return false;
  const bool alone = lib.memory_desc_get_size(&scratch_of(description)) == 0;
  return made.create(description) && alone;
}

}  // namespace

OwnedPrimitive::~OwnedPrimitive() {
  if (primitive_) library().primitive_destroy(primitive_);
}

bool OwnedPrimitive::create(dnnl_primitive_desc_t description) {
  const bool ok = library().primitive_create(&primitive_, description) == dnnl_success;
  library().primitive_desc_destroy(description);
  return ok;
}

bool ConvolutionPrimitive::create(const ConvolutionShape& s) {
  const auto pass = ConvolutionPass(s.pass);
  auto& [input, weight, result] = operands_;
  input.plain =
      describe_images(data_type(s), s.images, s.channels, s.all_channels, s.sizes, s.dims);
  weight.plain = describe_weight(s);
  result.plain =
      describe_images(data_type(s), s.images, s.outputs, s.all_outputs, s.places, s.dims);
  bias_ = describe(data_type(s), std::array{s.outputs}, {});
  dnnl_memory_desc_t any_weight = in_any_layout(weight.plain);
  // What is summed over images stays wide until all of it is.
  if (pass == ConvolutionPass::kOfWeight) any_weight.data_type = dnnl_f32;
  dnnl_convolution_desc_t described = {};
  if (!describe_pass(s, in_any_layout(input.plain), any_weight, in_any_layout(result.plain), bias_,
                     described))
    return false;
  dnnl_primitive_desc_t description = describe_primitive(described);
  if (!description) return false;
  const PassNames& names = kPassNames[static_cast<size_t>(pass)];
  for (size_t i = 0; i < operands_.size(); ++i) {
    operands_[i].argument = names.arguments[i];
    operands_[i].taken = *library().primitive_desc_query_md(description, names.layouts[i], 0);
  }
  scratch_ = scratch_of(description);
  return primitive_.create(description) && create_reorders(pass);
}

bool ConvolutionPrimitive::create_reorders(ConvolutionPass pass) {
  for (size_t i = 0; i < operands_.size(); ++i) {
    auto& [argument, plain, taken, reorder] = operands_[i];
    if (library().memory_desc_equal(&plain, &taken)) continue;
    const bool back = i == computed_operand(pass);
    if (!create_reorder(back ? taken : plain, back ? plain : taken, reorder)) return false;
  }
  return true;
}

}  // namespace glint
