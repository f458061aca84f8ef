// The eager kernels of whole classes of operators. Each makes its outputs, as the entry's rules
// say, and fills them: vector loops for contiguous operands, strided walks for the rest, both
// threads where the work pays for it.
#pragma once

#include <functional>
#include <span>

#include "ops/op.h"

namespace glint::ops {

Outputs eager_pointwise(const OpEntry& entry, Arguments arguments);
Outputs eager_view(const OpEntry& entry, Arguments arguments);
Outputs eager_reduce(const OpEntry& entry, Arguments arguments);
Outputs eager_scan(const OpEntry& entry, Arguments arguments);

/// What elements become before they are reduced: `n` of them, to `out`.
using MapLoop = std::function<void(const std::byte* in, std::byte* out, int64_t n)>;
/// The reduction over `dims` of what `map` makes of a contiguous input, numbers of `dtype`, a
/// buffer at a time: they are never all there. An undefined tensor where another way is needed.
Tensor reduce_mapped(Combiner combiner, const Tensor& input, DType dtype, const MapLoop& map,
                     std::span<const int64_t> dims, bool keepdim);

/// How many elements a source of some gives at a time.
inline constexpr int64_t kPiece = 512;
/// Where elements come from that are never all there: `count` of them from the `begin`th, a piece
/// after the other in `piece`, of which each is told before the next.
using ElementSource = std::function<void(int64_t begin, int64_t count, std::byte* piece,
                                         const std::function<void(int64_t length)>& made)>;
/// The sum of `count` elements of a floating dtype, as `sum` gives it of a contiguous tensor of
/// them.
Tensor sum_of(DType dtype, int64_t count, const ElementSource& source);

/// Whether `x ** exponent` of floats is another function, which is cheaper.
bool has_cheaper_power(double exponent);

/// The pointwise operator of a scalar function, and calling it.
const OpEntry& entry_of(ScalarFunction function);
template <class... Operands>
Tensor apply_function(ScalarFunction function, const Operands&... operands) {
  const Argument arguments[] = {Argument(operands)...};
  return eager_pointwise(entry_of(function), arguments).take_first();
}

/// Writes `function(operands)` into `out`, which has the broadcast sizes and the result's dtype;
/// operands have the computation dtype, or are Python numbers.
void pointwise_into(ScalarFunction function, const Tensor& out, std::span<const Argument> operands,
                    DType computation);

}  // namespace glint::ops
