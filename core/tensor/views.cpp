#include "core/tensor/views.h"

#include <numeric>

#include "core/tensor/copy.h"

namespace glint {

Tensor alias(const Tensor& base) {
  return Tensor::view_of(base, base.sizes(), base.strides(), base.offset());
}

Tensor transpose(const Tensor& base, int64_t first, int64_t second) {
  Dims sizes = base.sizes(), strides = base.strides();
  if (base.rank() > 0) {
    auto a = size_t(normalize_dim(first, base.rank())),
         b = size_t(normalize_dim(second, base.rank()));
    std::swap(sizes[a], sizes[b]);
    std::swap(strides[a], strides[b]);
  }
  return Tensor::view_of(base, sizes, strides, base.offset());
}

Tensor permute(const Tensor& base, IntSpan order) {
  check(order.size() == base.sizes().size(), "permute names each dimension");
  Dims sizes(order.size(), 0), strides(order.size(), 0);
  for (size_t i = 0; i < order.size(); ++i) {
    sizes[i] = base.size(order[i]);
    strides[i] = base.stride(order[i]);
  }
  return Tensor::view_of(base, sizes, strides, base.offset());
}

Tensor expand(const Tensor& base, IntSpan sizes) {
  check(sizes.size() >= base.sizes().size(), "expand names at least as many sizes");
  size_t added = sizes.size() - base.sizes().size();
  Dims new_sizes = sizes, strides(sizes.size(), 0);
  for (size_t i = sizes.size(); i-- > 0;) {
    if (i < added) {
      bool dense = sizes[i] == 1 && i + 1 < sizes.size();  // PyTorch shows such a stride for size 1
      strides[i] = dense ? new_sizes[i + 1] * strides[i + 1] : sizes[i] == 1 ? 1 : 0;
      continue;
    }
    int64_t old_size = base.sizes()[i - added];
    if (sizes[i] == -1) new_sizes[i] = old_size;
    check(new_sizes[i] == old_size || old_size == 1, "expand keeps sizes or repeats a 1");
    strides[i] = new_sizes[i] == old_size ? base.strides()[i - added] : 0;
  }
  return Tensor::view_of(base, new_sizes, strides, base.offset());
}

Tensor select(const Tensor& base, int64_t dim, int64_t index) {
  auto at = size_t(normalize_dim(dim, base.rank()));
  if (index < 0) index += base.sizes()[at];
  check(index >= 0 && index < base.sizes()[at], "index within the dimension");
  Dims sizes = base.sizes(), strides = base.strides();
  int64_t offset = base.offset() + index * strides[at];
  sizes.erase(at);
  strides.erase(at);
  return Tensor::view_of(base, sizes, strides, offset);
}

Tensor slice(const Tensor& base, int64_t dim, int64_t start, int64_t stop, int64_t step) {
  check(step > 0, "a positive slice step");
  auto at = size_t(normalize_dim(dim, base.rank()));
  Dims sizes = base.sizes(), strides = base.strides();
  int64_t size = sizes[at];
  if (start < 0) start += size;
  if (stop < 0) stop += size;
  start = std::clamp<int64_t>(start, 0, size);
  stop = std::clamp<int64_t>(stop, start, size);
  int64_t offset = base.offset() + start * strides[at];
  sizes[at] = (stop - start + step - 1) / step;
  strides[at] *= step;
  return Tensor::view_of(base, sizes, strides, offset);
}

Tensor unsqueeze(const Tensor& base, int64_t dim) {
  auto at = size_t(normalize_dim(dim, base.rank() + 1));
  Dims sizes = base.sizes(), strides = base.strides();
  int64_t stride = at < sizes.size() ? sizes[at] * strides[at] : 1;
  sizes.insert(at, 1);
  strides.insert(at, stride);
  return Tensor::view_of(base, sizes, strides, base.offset());
}

Tensor squeeze(const Tensor& base, int64_t dim) {
  Dims sizes = base.sizes(), strides = base.strides();
  if (base.rank() > 0) {
    auto at = size_t(normalize_dim(dim, base.rank()));
    if (sizes[at] == 1) {
      sizes.erase(at);
      strides.erase(at);
    }
  }
  return Tensor::view_of(base, sizes, strides, base.offset());
}

Tensor squeeze(const Tensor& base) {
  Dims sizes, strides;
  for (size_t i = 0; i < base.sizes().size(); ++i) {
    if (base.sizes()[i] == 1) continue;
    sizes.push_back(base.sizes()[i]);
    strides.push_back(base.strides()[i]);
  }
  return Tensor::view_of(base, sizes, strides, base.offset());
}

std::optional<Dims> view_strides(IntSpan old_sizes, IntSpan old_strides, IntSpan sizes) {
  Dims strides(sizes.size(), 1);
  if (old_sizes.empty()) return strides;
  int64_t count = element_count(old_sizes);
  if (count == 0) {
    if (same_dims(old_sizes, sizes)) return Dims(old_strides);
    return contiguous_strides(sizes);
  }
  // Old dimensions fall into chunks that are dense among themselves. New dimensions, from the last
  // on, must fill each chunk exactly.
  size_t left = sizes.size();  // new dimensions not placed yet
  int64_t chunk_stride = old_strides.back();
  int64_t chunk_count = 1, placed = 1;
  for (size_t old = old_sizes.size(); old-- > 0;) {
    chunk_count *= old_sizes[old];
    bool chunk_ends =
        old == 0 || (old_sizes[old - 1] != 1 && old_strides[old - 1] != chunk_count * chunk_stride);
    if (!chunk_ends) continue;
    while (left > 0 && (placed < chunk_count || sizes[left - 1] == 1)) {
      --left;
      strides[left] = placed * chunk_stride;
      placed *= sizes[left];
    }
    if (placed != chunk_count) return std::nullopt;
    if (old > 0) {
      chunk_stride = old_strides[old - 1];
      chunk_count = placed = 1;
    }
  }
  if (left != 0) return std::nullopt;
  return strides;
}

std::optional<Dims> infer_sizes(IntSpan sizes, int64_t numel) {
  Dims result = sizes;
  std::optional<size_t> unknown;
  int64_t known = 1;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == -1 && !unknown) {
      unknown = i;
    } else if (sizes[i] < 0) {
      return std::nullopt;
    } else {
      known *= sizes[i];
    }
  }
  if (unknown) {
    if (known == 0 || numel % known != 0) return std::nullopt;
    result[*unknown] = numel / known;
  } else if (known != numel) {
    return std::nullopt;
  }
  return result;
}

std::optional<Tensor> view(const Tensor& base, IntSpan sizes) {
  std::optional<Dims> inferred = infer_sizes(sizes, base.numel());
  if (!inferred) return std::nullopt;
  std::optional<Dims> strides = view_strides(base.sizes(), base.strides(), *inferred);
  if (!strides) return std::nullopt;
  return Tensor::view_of(base, *inferred, *strides, base.offset());
}

Tensor reshape(const Tensor& base, IntSpan sizes) {
  if (std::optional<Tensor> result = view(base, sizes)) return *result;
  std::optional<Dims> inferred = infer_sizes(sizes, base.numel());
  check(inferred.has_value(), "reshape keeps the number of elements");
  Tensor dense = Tensor::empty(base.sizes(), base.dtype());
  copy(dense, base);
  return *view(dense, *inferred);
}

std::optional<Dims> broadcast_sizes(IntSpan a, IntSpan b) {
  if (a.size() < b.size()) std::swap(a, b);
  Dims result = a;
  size_t missing = a.size() - b.size();
  for (size_t i = 0; i < b.size(); ++i) {
    int64_t& size = result[i + missing];
    if (size == b[i] || b[i] == 1) continue;
    if (size != 1) return std::nullopt;
    size = b[i];
  }
  return result;
}

}  // namespace glint
