// The eager form of every view: the entry's index map laid over the input's strides.
#include "core/tensor/copy.h"
#include "core/tensor/grad_mode.h"
#include "core/tensor/views.h"
#include "ops/infer.h"
#include "ops/kernels.h"
#include "ops/layout.h"

namespace glint::ops {

namespace {

/// Copies what the map shows, also backwards, into the layout of the base.
Tensor copy_through(const ViewMap& map, const Tensor& base) {
  TensorType type = like_type(type_of(base), base.dtype());
  Tensor out = empty_of(type);
  if (!out.is_contiguous()) {
    copy(out, copy_through(map, contiguous(base)));
    return out;
  }
  Tensor source = contiguous(base);
  if (out.numel() == 0) return out;
  Dims strides(map.sizes.size(), 0);
  int64_t offset = 0;
  for (size_t dim = 0; dim < map.base.size(); ++dim) {
    offset += map.base[dim].constant.constant() * source.stride(int64_t(dim));
    for (const ViewMap::Term& term : map.base[dim].terms)
      strides[term.dim] += term.coefficient.constant() * source.stride(int64_t(dim));
  }
  size_t size = base.element_size();
  int64_t rank = out.rank();
  int64_t row = rank == 0 ? 1 : out.size(-1);
  int64_t step = rank == 0 ? 0 : strides[size_t(rank - 1)];
  for (int64_t at = 0; at < out.numel(); at += row) {
    int64_t from = source.offset() + offset;
    int64_t rest = at / row;
    for (int64_t dim = rank - 1; dim-- > 0;) {
      from += rest % out.size(dim) * strides[size_t(dim)];
      rest /= out.size(dim);
    }
    const std::byte* in = source.storage()->data() + from * int64_t(size);
    std::byte* to = out.raw_data() + at * int64_t(size);
    auto move = [&]<class T>() {
      for (int64_t i = 0; i < row; ++i)
        reinterpret_cast<T*>(to)[i] = reinterpret_cast<const T*>(in)[i * step];
    };
    if (size == 1) move.operator()<uint8_t>();
    if (size == 2) move.operator()<uint16_t>();
    if (size == 4) move.operator()<uint32_t>();
    if (size == 8) move.operator()<uint64_t>();
  }
  return out;
}

}  // namespace

Outputs eager_view(const OpEntry& entry, Arguments arguments) {
  const Tensor& base = arguments[0].tensor();
  InferArgument types[8];
  for (size_t i = 0; i < arguments.size(); ++i) types[i] = infer_argument(arguments[i]);
  const View& view = *entry.lowers_to<View>();
  ViewMap map = view.rule(entry, {types, arguments.size()});
  if (view.copies) return copy_through(map, base);
  auto applied = apply(map, types[0].tensor());
  if (!applied) {
    if (!view.may_copy) throw_not_viewable();
    return Tensor::view_of(contiguous(base), constant_dims(map.sizes),
                           contiguous_strides(constant_dims(map.sizes)), 0);
  }
  Dims sizes = constant_dims(applied->type.sizes);
  Dims strides = constant_dims(applied->type.full_strides());
  Tensor result = Tensor::view_of(base, sizes, strides, base.offset() + applied->offset.constant());
  // What `detach` gives is no view in this sense.
  if (entry.differentiable) remember_base(result.impl(), base.impl(), base.version());
  return result;
}

}  // namespace glint::ops
