// The pieces of CUDA C++ that kernels are built with, and the types that hold reductions. Integers
// do what ops/scalar/integer.h states: they wrap around, division rounds down and never traps.
#include <fmt/format.h>

#include <array>

#include "backends/cuda/codegen/definitions.h"
#include "backends/cuda/codegen/vector_pieces.h"

namespace glint::cuda {
namespace {

constexpr std::string_view kIntegers = R"(using int64 = long long;
using uint64 = unsigned long long;
)";

constexpr std::string_view kHalf =
    R"(// float16 in memory; its arithmetic is float's, each result rounded.
struct Half {
  unsigned short bits;
};
__device__ inline float from_memory(Half x) {
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(x.bits));
  return value;
}
__device__ inline Half to_half(float value) {
  Half x;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(x.bits) : "f"(value));
  return x;
}
__device__ inline float round_to_half(float value) {
  return from_memory(to_half(value));
}
)";

constexpr std::string_view kBFloat16 =
    R"(// bfloat16 in memory; its arithmetic is float's, each result rounded.
struct BFloat16 {
  unsigned short bits;
};
__device__ inline float from_memory(BFloat16 x) {
  return __uint_as_float((unsigned)x.bits << 16);
}
__device__ inline float round_to_bfloat16(float value) {
  const unsigned bits = __float_as_uint(value);
  const unsigned near = value != value ? bits | 0x400000 : bits + 0x7fff + ((bits >> 16) & 1);
  return __uint_as_float(near & 0xffff0000);
}
// A value that is rounded already: its upper half is exact.
__device__ inline BFloat16 to_bfloat16(float value) {
  return {(unsigned short)(__float_as_uint(value) >> 16)};
}
)";

constexpr std::string_view kFail =
    R"(// An index is out of range: who waits for the launch is told which, and of what size.
__device__ inline void fail(int* status, int number, int64 index, int64 size) {
  *(longlong2*)(status + 4) = longlong2{index, (int64)number << 48 | size};
  *status = number;
}
)";

constexpr std::string_view kWrappingAdd = R"(// Integers wrap around.
template <class T>
__device__ inline T wrapping_add(T x, T y) {
  return (T)((uint64)x + (uint64)y);
}
)";

constexpr std::string_view kWrappingSubtract = R"(// Integers wrap around.
template <class T>
__device__ inline T wrapping_subtract(T x, T y) {
  return (T)((uint64)x - (uint64)y);
}
)";

constexpr std::string_view kWrappingMultiply = R"(// Integers wrap around.
template <class T>
__device__ inline T wrapping_multiply(T x, T y) {
  return (T)((uint64)x * (uint64)y);
}
)";

constexpr std::string_view kDivision = R"(// Division rounds down; by zero it gives zero.
template <class T>
__device__ inline T trunc_remainder(T x, T y) {
  return y == 0 || y == (T)-1 ? (T)0 : (T)(x % y);
}
template <>
__device__ inline unsigned char trunc_remainder(unsigned char x, unsigned char y) {
  return y == 0 ? 0 : x % y;
}
template <class T>
__device__ inline T floor_remainder(T x, T y) {
  const T r = trunc_remainder(x, y);
  return r != 0 && (r < 0) != (y < 0) ? (T)(r + y) : r;
}
template <class T>
__device__ inline T floor_divide(T x, T y) {
  if (y == 0) return 0;
  if (y < 0 && y == (T)-1) return wrapping_subtract((T)0, x);
  return (T)(x / y - (x % y != 0 && (x < 0) != (y < 0) ? 1 : 0));
}
)";

constexpr std::string_view kPower = R"(// By squaring; negative powers are 0 but of 1 and -1.
template <class T>
__device__ inline T integer_power(T x, T y) {
  if (y < 0) return x == 1 ? (T)1 : x == (T)-1 ? (T)(y % 2 == 0 ? 1 : -1) : (T)0;
  T result = 1;
  for (; y != 0; y >>= 1) {
    if (y & 1) result = wrapping_multiply(result, x);
    x = wrapping_multiply(x, x);
  }
  return result;
}
)";

constexpr std::string_view kShifts = R"(// Shifts by the width or more give 0, or the sign.
template <class T>
__device__ inline T shift_left(T x, T y) {
  return y < 0 || y >= (T)(8 * sizeof(T)) ? (T)0 : (T)((uint64)x << y);
}
template <class T>
__device__ inline T shift_right(T x, T y) {
  return y < 0 || y >= (T)(8 * sizeof(T)) ? (T)(x < 0 ? -1 : 0) : (T)(x >> y);
}
)";

constexpr std::string_view kSigns = R"(template <class T>
__device__ inline T integer_abs(T x) {
  return x < 0 ? wrapping_subtract((T)0, x) : x;
}
template <class T>
__device__ inline T integer_sign(T x) {
  return (T)((x > 0) - (x < 0));
}
)";

constexpr std::string_view kFromLane =
    R"(// The value of the lane whose number differs in the bits of `step`.
template <class T>
__device__ inline T from_lane(T value, int step) {
  return (T)__shfl_xor_sync(0xffffffff, value, step);
}
// That of the lane `step` before this one.
template <class T>
__device__ inline T from_before(T value, int step) {
  return (T)__shfl_up_sync(0xffffffff, value, step);
}
)";

constexpr std::string_view kWarpTotal =
    R"(// Every lane of a warp gets the total of all, or of the `lanes` that are a row's.
template <int lanes = 32, class R>
__device__ inline R warp_total(R total) {
  for (int step = lanes / 2; step > 0; step /= 2) total.merge(total.across(step));
  return total;
}
)";

constexpr std::string_view kBlockTotal =
    R"(// Every thread of a block gets the total of all: by warps, then of the warps' totals.
template <int threads, class R>
__device__ inline R block_total(R total) {
  constexpr int warps = threads / 32;
  __shared__ R totals[warps];
  total = warp_total(total);
  if (threadIdx.x % 32 == 0) totals[threadIdx.x / 32] = total;
  __syncthreads();
  total = totals[threadIdx.x % warps];
  __syncthreads();
  return warp_total<warps>(total);
}
)";

constexpr std::string_view kWarpScan =
    R"(// What the lanes before this one have, behind `carried`, which becomes what all have.
template <class R>
__device__ inline R warp_scan(R part, R& carried) {
  const int lane = threadIdx.x % 32;
  for (int step = 1; step < 32; step *= 2) {
    const R before = part.before(step);
    if (lane >= step) part.merge(before);
  }
  R so_far = carried;
  const R before = part.before(1);
  if (lane > 0) so_far.merge(before);
  // The last lane has what all have.
  for (int step = 16; step > 0; step /= 2) {
    const R other = part.across(step);
    if ((lane & step) == 0) part = other;
  }
  carried.merge(part);
  return so_far;
}
)";

constexpr std::string_view kBlockScan =
    R"(// What the threads before this one have, behind `carried`, which becomes what all have.
template <int threads, class R>
__device__ inline R block_scan(R part, R& carried) {
  __shared__ R totals[threads / 32];
  R warp = R::identity();
  R so_far = warp_scan(part, warp);
  if (threadIdx.x % 32 == 0) totals[threadIdx.x / 32] = warp;
  __syncthreads();
  R before = carried;
  for (int other = 0; other < threads / 32; ++other) {
    if (other < threadIdx.x / 32) before.merge(totals[other]);
    carried.merge(totals[other]);
  }
  __syncthreads();
  before.merge(so_far);
  return before;
}
)";

constexpr std::string_view kColumnTotal =
    "// Every thread gets the total of its lane, of `width`, in all of the block, "
    "which halves come to.\n"
    R"(template <int threads, class R>
__device__ inline R column_total(R total, int width) {
  __shared__ R totals[threads];
  totals[threadIdx.x] = total;
  __syncthreads();
  for (int half = threads / 2; half >= width; half /= 2) {
    if (threadIdx.x < half) {
      total.merge(totals[threadIdx.x + half]);
      totals[threadIdx.x] = total;
    }
    __syncthreads();
  }
  total = totals[threadIdx.x % width];
  __syncthreads();
  return total;
}
)";

constexpr std::string_view kSliceTotal =
    R"(// The total of what the blocks have left of a column, of which each has a slice.
template <int threads, class R>
__device__ inline R slices_total(const R* totals, int64 columns, int64 slices, int width) {
  R total = R::identity();
  for (int64 slice = threadIdx.x / width; slice < slices; slice += threads / width)
    total.merge(totals[slice * columns]);
  return column_total<threads>(total, width);
}
)";

constexpr std::string_view kLastBlock =
    "// Whether all the other blocks have come here before. The count is zero again "
    "behind the last.\n"
    R"(__device__ inline bool is_last_block(unsigned* count, unsigned blocks) {
  __shared__ bool last;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicInc(count, blocks - 1) == blocks - 1;
  __syncthreads();
  __threadfence();
  return last;
}
)";

constexpr std::string_view kTotalOf = R"(// The total of what `blocks` blocks have left.
template <int threads, class R>
__device__ inline R total_of(const R* totals, unsigned blocks) {
  R total = R::identity();
  for (unsigned i = threadIdx.x; i < blocks; i += threads) total.merge(totals[i]);
  return block_total<threads>(total);
}
)";

/// How values of a combiner come together: `add` combines `value` with x, in place.
struct ReductionRow {
  Combiner combiner;
  std::string_view name;
  std::string_view identity;  ///< {} stands for the least or the greatest number
  std::string_view add;       ///< of floats and truth values
  std::string_view add_integers;
};
constexpr ReductionRow kRows[] = {
    {Combiner::kSum, "Sum", "0", "value += x;", "value = wrapping_add(value, x);"},
    {Combiner::kProduct, "Product", "1", "value *= x;", "value = wrapping_multiply(value, x);"},
    {Combiner::kMaximum, "Maximum", "{}", "if (x != x || value < x) value = x;",
     "if (value < x) value = x;"},
    {Combiner::kMinimum, "Minimum", "{}", "if (x != x || x < value) value = x;",
     "if (x < value) value = x;"},
    {Combiner::kAny, "Any", "false", "value = value || x;", "value = value || x;"},
    {Combiner::kAll, "All", "true", "value = value && x;", "value = value && x;"},
    {Combiner::kArgmax, "Argmax", "{}", ">", ">"},
    {Combiner::kArgmin, "Argmin", "{}", "<", "<"},
    {Combiner::kWelford, "Welford", "0", "", ""},
};

/// The number that no other of its dtype is below, or above.
std::string extreme_text(DType dtype, bool least) {
  if (is_bool(dtype)) return least ? "false" : "true";
  if (is_floating(dtype))
    return literal_text(
        least ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity(),
        dtype);
  if (dtype == DType::kUInt8) return least ? "0" : "255";
  const int bits = static_cast<int>(dtype_size(dtype)) * 8;
  const int64_t greatest = std::numeric_limits<int64_t>::max() >> (64 - bits);
  return literal_text(least ? -greatest - 1 : greatest, dtype);
}

constexpr std::string_view kOneValue = R"(struct {name} {{
  {type} value;
  static __device__ {name} identity() {{ return {{{identity}}}; }}
  __device__ void add({type} x) {{ {add} }}
  __device__ void merge({name} other) {{ add(other.value); }}
  __device__ {name} across(int step) const {{ return {{from_lane(value, step)}}; }}
  __device__ {name} before(int step) const {{ return {{from_before(value, step)}}; }}
}};
)";

constexpr std::string_view kValueAndIndex =
    R"(// The first of the best, or of those that are no number.
struct {name} {{
  {type} value;
  int64 index;
  static __device__ {name} identity() {{ return {{{identity}, 0}}; }}
  __device__ void add({type} x, int64 at) {{
    const bool better = value == value && (x != x || x {add} value);
    const bool same = x == value || (x != x && value != value);
    if (!better && !(same && at < index)) return;
    value = x;
    index = at;
  }}
  __device__ void merge({name} other) {{ add(other.value, other.index); }}
  __device__ {name} across(int step) const {{
    return {{from_lane(value, step), from_lane(index, step)}};
  }}
  __device__ {name} before(int step) const {{
    return {{from_before(value, step), from_before(index, step)}};
  }}
}};
)";

constexpr std::string_view kMoments = R"(// Mean and sum of squared deviations, in one pass.
struct {name} {{
  {type} mean;
  {type} squares;
  {type} count;
  static __device__ {name} identity() {{ return {{0, 0, 0}}; }}
  __device__ void add({type} x) {{
    count += 1;
    const {type} delta = x - mean;
    mean += delta / count;
    squares += delta * (x - mean);
  }}
  __device__ void merge({name} other) {{
    const {type} both = count + other.count;
    if (both == 0) return;
    const {type} delta = other.mean - mean;
    mean = (count * mean + other.count * other.mean) / both;
    squares = (squares + other.squares) + delta * delta * (count * other.count / both);
    count = both;
  }}
  __device__ {name} across(int step) const {{
    return {{from_lane(mean, step), from_lane(squares, step), from_lane(count, step)}};
  }}
  __device__ {name} before(int step) const {{
    return {{from_before(mean, step), from_before(squares, step), from_before(count, step)}};
  }}
}};
)";

const ReductionRow& row_of(Combiner combiner) {
  return kRows[static_cast<size_t>(combiner)];
}

}  // namespace

std::span<const PieceText> piece_table() {
  static const std::array<PieceText, 23> table = {{
      {Piece::kIntegers, {}, kIntegers},
      {Piece::kHalf, {}, kHalf},
      {Piece::kBFloat16, {}, kBFloat16},
      {Piece::kWrappingAdd, {}, kWrappingAdd},
      {Piece::kWrappingSubtract, {}, kWrappingSubtract},
      {Piece::kWrappingMultiply, {}, kWrappingMultiply},
      {Piece::kDivision, {Piece::kWrappingSubtract}, kDivision},
      {Piece::kPower, {Piece::kWrappingMultiply}, kPower},
      {Piece::kShifts, {}, kShifts},
      {Piece::kSigns, {Piece::kWrappingSubtract}, kSigns},
      {Piece::kVectors, {}, kVectors},
      {Piece::kStreamedLoad, {Piece::kVectors}, kStreamedLoad},
      {Piece::kKeptLoad, {Piece::kVectors}, kKeptLoad},
      {Piece::kFromLane, {}, kFromLane},
      {Piece::kWarpTotal, {Piece::kFromLane}, kWarpTotal},
      {Piece::kBlockTotal, {Piece::kWarpTotal}, kBlockTotal},
      {Piece::kWarpScan, {Piece::kFromLane}, kWarpScan},
      {Piece::kBlockScan, {Piece::kWarpScan}, kBlockScan},
      {Piece::kColumnTotal, {}, kColumnTotal},
      {Piece::kSliceTotal, {Piece::kColumnTotal}, kSliceTotal},
      {Piece::kLastBlock, {}, kLastBlock},
      {Piece::kTotalOf, {Piece::kBlockTotal}, kTotalOf},
      {Piece::kFail, {}, kFail},
  }};
  return table;
}

std::string reduction_name(Combiner combiner, DType dtype) {
  return fmt::format("{}_{}", row_of(combiner).name, dtype_short_name(dtype));
}

std::string reduction_text(Combiner combiner, DType dtype) {
  const ReductionRow& row = row_of(combiner);
  const bool greatest_wins = combiner == Combiner::kMaximum || combiner == Combiner::kArgmax;
  const std::string_view form = combiner == Combiner::kWelford ? kMoments
                                : info(combiner).parts == 2    ? kValueAndIndex
                                                               : kOneValue;
  return fmt::format(fmt::runtime(form), fmt::arg("name", reduction_name(combiner, dtype)),
                     fmt::arg("type", value_type(dtype)),
                     fmt::arg("identity", row.identity == "{}" ? extreme_text(dtype, greatest_wins)
                                                               : std::string(row.identity)),
                     fmt::arg("add", is_integer(dtype) ? row.add_integers : row.add));
}

std::string_view reduction_part(Combiner combiner, uint8_t part) {
  static constexpr std::string_view kMomentParts[] = {"mean", "squares", "count"};
  if (combiner == Combiner::kWelford) return kMomentParts[part];
  return part == 1 ? "index" : "value";
}

}  // namespace glint::cuda
