#include "core/tensor/show_memory.h"

namespace glint {

void show_memory(TensorImpl& target, const TensorImpl& source) {
  target.storage = source.storage;
  target.writes = source.writes;
  target.data = source.data;
  target.offset = source.offset;
  target.numel = source.numel;
  target.dtype = source.dtype;
  target.device = source.device;
  target.contiguous = source.contiguous;
  target.inference = source.inference;
  target.sizes = source.sizes;
  target.strides = source.strides;
  target.meta = TensorMetaId::kUnknown;
}

}  // namespace glint
