// Operators that show a tensor's memory in another way, where the tensor itself takes the new form:
//
//     x.t_()                         x with its sizes and strides exchanged
//     x.as_strided((2, 2), (1, 2))   any sizes and strides over the memory of x
//     x.resize_(6)                   other sizes over the same memory, which grows where it must
//
// The first kind are views like their namesakes without the underscore: who calls the method lets
// the tensor become its own view. A region ends before all of them: which memory a tensor has, and
// from where on, is known of real tensors only.
#include <fmt/format.h>

#include "core/tensor/copy.h"
#include "core/tensor/reach.h"
#include "core/tensor/views.h"
#include "ops/families.h"
#include "ops/gradient.h"
#include "ops/infer.h"
#include "ops/layout.h"
#include "ops/samples.h"
#include "ops/view_maps.h"

namespace glint::ops {

namespace {

constexpr Effects kLooksAtMemory = {.synchronises = true, .data_dependent = true};
constexpr Effects kWritesShape = {.mutates = true};

OpValue in_old_sizes(GradientCall& g) {
  return g.b.reshape(g.out(), g.sizes("input"));
}

const char* squeeze_name(Arguments arguments) {
  if (arguments.size() < 2 || arguments[1].is_none()) return "SqueezeBackward3";
  return arguments[1].is_list() ? "SqueezeBackward5" : "SqueezeBackward4";
}

std::vector<TensorType> infer_as_strided(const OpEntry& entry, InferArguments arguments) {
  auto sizes = as_ints(arguments[1]), strides = as_ints(arguments[2]);
  if (sizes.size() != strides.size())
    throw OpError{"RuntimeError", "mismatch in length of strides and shape"};
  for (SymInt stride : strides)
    if (stride.constant() < 0)
      throw OpError{"RuntimeError",
                    fmt::format("as_strided: Negative strides are not supported at the moment, "
                                "got strides: {}",
                                ints_text(strides))};
  TensorType type = TensorType::tensor(arguments[0].tensor().dtype, std::move(sizes));
  type.strides = std::move(strides);
  type.normalise();
  return {type};
}

Outputs eager_as_strided(const OpEntry& entry, Arguments arguments) {
  const Tensor& base = arguments[0].tensor();
  InferArgument types[] = {infer_argument(base), infer_argument(arguments[1]),
                           infer_argument(arguments[2])};
  infer_as_strided(entry, types);
  Dims sizes = constant_dims(as_ints(arguments[1]));
  Dims strides = constant_dims(as_ints(arguments[2]));
  int64_t offset = arguments[3].is_none() ? base.offset() : as_constant(arguments[3]);
  if (offset < 0)
    throw OpError{"RuntimeError", fmt::format("Tensor: invalid storage offset {}", offset)};
  int64_t needed = bytes_reached(sizes, strides, offset, base.dtype());
  if (needed > int64_t(base.storage()->bytes()))
    throw OpError{
        "RuntimeError",
        fmt::format("setStorage: sizes {}, strides {}, storage offset {}, and itemsize {} "
                    "requiring a storage size of {} are out of bounds for storage of size {}",
                    to_string(sizes), to_string(strides), offset, base.element_size(), needed,
                    base.storage()->bytes())};
  return Tensor::view_of(base, sizes, strides, offset);
}

std::vector<TensorType> infer_resize(const OpEntry& entry, InferArguments arguments) {
  return {TensorType::tensor(arguments[0].tensor().dtype, as_ints(arguments[1]))};
}

/// Larger memory for a tensor, which begins with the same bytes. Where other tensors look at the
/// memory they would have to follow, and nobody knows which they are.
void grow(TensorImpl& impl, size_t bytes) {
  if (impl.storage->ref_count() > 1)
    throw OpError{
        "NotImplementedError",
        "resize_(): the tensor's memory would have to grow, but it is shared with another "
        "tensor; resize a clone()"};
  Ref<Storage> larger = Storage::allocate(bytes, impl.device);
  auto bytes_of = [&](const Ref<Storage>& storage) {
    auto view = make_ref<TensorImpl>();
    view->dtype = DType::kUInt8;
    view->device = impl.device;
    view->storage = storage;
    view->data = storage->data();
    view->numel = int64_t(impl.storage->bytes());
    view->sizes = Dims{view->numel};
    view->strides = Dims{1};
    return Tensor(std::move(view));
  };
  copy(bytes_of(larger), bytes_of(impl.storage));
  for (uint32_t i = 0; i < impl.storage->version(); ++i) larger->bump_version();
  impl.storage = std::move(larger);
  impl.data = impl.storage->data() + impl.offset * int64_t(dtype_size(impl.dtype));
}

/// The same memory from its first element on, or larger memory that begins with the same bytes.
Outputs eager_resize(const OpEntry& entry, Arguments arguments) {
  const Tensor& tensor = arguments[0].tensor();
  if (tensor.requires_grad())
    throw OpError{"RuntimeError", "cannot resize variables that require grad"};
  Dims sizes = constant_dims(as_ints(arguments[1]));
  TensorImpl& impl = tensor.impl();
  Dims strides = contiguous_strides(sizes);
  int64_t count = Tensor::view_of(tensor, sizes, strides, impl.offset).numel();
  auto needed = size_t(bytes_reached(sizes, strides, impl.offset, impl.dtype));
  if (needed > impl.storage->bytes()) grow(impl, needed);
  impl.sizes.assign(sizes);
  impl.strides.assign(strides);
  impl.numel = count;
  impl.contiguous = true;
  impl.meta = TensorMetaId::kUnknown;
  tensor.bump_version();
  return tensor;
}

std::vector<Sample> strided_samples(const OpEntry& entry) {
  std::vector<Sample> samples;
  auto ints = [](std::initializer_list<int64_t> values) {
    Argument::List list;
    for (int64_t value : values) list.emplace_back(SymInt(value));
    return Argument(std::move(list));
  };
  Tensor matrix = sample_tensor({3, 4});
  samples.push_back({{matrix, ints({2, 2}), ints({1, 2}), Argument()}});
  samples.push_back({{matrix, ints({2, 3}), ints({0, 1}), SymInt(4)}});
  samples.push_back({{transpose(matrix, 0, 1), ints({5}), ints({2}), Argument()}});
  return samples;
}

std::vector<Sample> resize_samples(const OpEntry& entry) {
  return {{{sample_tensor({3, 4}), Argument(Argument::List{SymInt(2), SymInt(6)})}},
          {{sample_tensor({3, 4}), Argument(Argument::List{SymInt(5)})}}};
}

constexpr OpEntry kEntries[] = {
    {
        .name = "t_",
        .signature = "t_(input: Tensor) -> Tensor",
        .method = "t_",
        .doc = "The matrix itself becomes its transpose: sizes and strides exchanged.",
        .lowering = View{t_rule},
        .gradients = {{"input", "", [](GradientCall& g) { return g.b.call("t", {g.out()}); }}},
        .grad_name = "TBackward1",
        .samples = matrix_samples,
    },
    {
        .name = "transpose_",
        .signature = "transpose_(input: Tensor, dim0: int, dim1: int) -> Tensor",
        .method = "transpose_ swapaxes_ swapdims_",
        .doc = "The tensor itself, with two dimensions exchanged.",
        .lowering = View{transpose_rule},
        .gradients = {{"input", "",
                       [](GradientCall& g) {
                         return g.b.call("transpose", {g.out(), g["dim0"], g["dim1"]});
                       }}},
        .grad_name = "TransposeBackward1",
        .samples = two_dim_samples,
    },
    {
        .name = "squeeze_",
        .signature = "squeeze_(input: Tensor, dim: Size | None = None) -> Tensor",
        .method = "squeeze_",
        .doc = "The tensor itself, without its dimensions of size 1, or without the given ones.",
        .lowering = View{squeeze_rule},
        .gradients = {{"input", "", in_old_sizes}},
        .grad_name_of = squeeze_name,
        .samples = unary_samples,
    },
    {
        .name = "unsqueeze_",
        .signature = "unsqueeze_(input: Tensor, dim: int) -> Tensor",
        .method = "unsqueeze_",
        .doc = "The tensor itself, with a new dimension of size 1.",
        .lowering = View{unsqueeze_rule},
        .gradients = {{"input", "", in_old_sizes}},
        .grad_name = "UnsqueezeBackward1",
        .samples = new_dim_samples,
    },
    {
        .name = "as_strided",
        .signature = "as_strided(input: Tensor, size: Size, stride: Size, "
                     "storage_offset: int | None = None) -> Tensor",
        .torch = "as_strided",
        .method = "as_strided as_strided_",
        .doc = "The memory of a tensor with any sizes and strides, from an element of its storage "
               "on.",
        .infer = infer_as_strided,
        .eager = eager_as_strided,
        .lowering = Library{},
        .differentiable = false,
        .effects = kLooksAtMemory,
        .samples = strided_samples,
    },
    {
        .name = "resize_",
        .signature = "resize_(input: Tensor, *size: int) -> Tensor",
        .method = "resize_",
        .doc = "The tensor itself with other sizes, in row-major order over its memory; what is "
               "new has any value.",
        .infer = infer_resize,
        .eager = eager_resize,
        .lowering = Library{},
        .differentiable = false,
        .effects = kWritesShape,
        .samples = resize_samples,
    },
};

static_assert(complete(kEntries));

}  // namespace

std::span<const OpEntry> restride_entries() {
  return kEntries;
}

}  // namespace glint::ops
