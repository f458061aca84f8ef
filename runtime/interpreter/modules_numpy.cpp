// `_numpy`: what the library's `numpy` needs of numbers beyond the operators of tensors: sums to
// the last digit of NumPy's, and the shortest text of a float.
//
//     _numpy.folded("sum", x, [0])        along dimension 0, in NumPy's order of additions
//     _numpy.running("product", x, 1)     the products so far, each rounded to x's dtype
//     _numpy.shortest(x)                  ["1e-01", "2.5e+00"], of a flat tensor
//     _numpy.nested([[1, 2.5]])           a tensor, and [torch.int64, torch.float64]
//
// NumPy goes through an array as it lies in memory: the dimension with the smallest step is the
// inner loop, neighbours that lie in one row are one loop. Where the inner loop is one that is
// summed, it is summed in pairs: up to 128 numbers in eight running sums, more in two halves. A
// number of 16 bits is summed in 32.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/tensor/float16.h"
#include "ops/call.h"
#include "runtime/interpreter/builtins.h"
#include "runtime/interpreter/torch_values.h"

namespace glint::runtime {
namespace {

/// A loop over one or more dimensions: so many steps, and how far each goes in the source and in
/// the result, where 0 means that it is folded.
struct Loop {
  int64_t count = 1, from = 0, to = 0;
};

/// Loops from the outermost to the innermost, those in one row joined.
std::vector<Loop> loops_in_memory_order(std::vector<Loop> loops) {
  std::erase_if(loops, [](const Loop& loop) { return loop.count == 1; });
  std::ranges::stable_sort(
      loops, [](const Loop& a, const Loop& b) { return std::abs(a.from) > std::abs(b.from); });
  std::vector<Loop> joined;
  for (const Loop& loop : loops) {
    const bool in_row = !joined.empty() && joined.back().from == loop.from * loop.count &&
                        joined.back().to == loop.to * loop.count;
    if (in_row)
      joined.back() = {joined.back().count * loop.count, loop.from, loop.to};
    else
      joined.push_back(loop);
  }
  if (joined.empty()) joined.emplace_back();
  return joined;
}

/// The type in which numbers of a type are summed.
template <class T>
using Wide = std::conditional_t<std::is_same_v<T, Float16>, float, T>;

template <class T>
Wide<T> sum_in_pairs(const T* data, int64_t count, int64_t step) {
  auto at = [&](int64_t i) { return static_cast<Wide<T>>(data[i * step]); };
  constexpr int64_t kLanes = 8, kBlock = 128;
  if (count < kLanes) {
    Wide<T> sum = Wide<T>(-0.0);
    for (int64_t i = 0; i < count; ++i) sum += at(i);
    return sum;
  }
  if (count > kBlock) {
    const int64_t half = count / 2 - count / 2 % kLanes;
    return sum_in_pairs(data, half, step) + sum_in_pairs(data + half * step, count - half, step);
  }
  Wide<T> lanes[kLanes];
  for (int64_t k = 0; k < kLanes; ++k) lanes[k] = at(k);
  int64_t i = kLanes;
  for (; i < count - count % kLanes; i += kLanes)
    for (int64_t k = 0; k < kLanes; ++k) lanes[k] += at(i + k);
  Wide<T> sum = ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) +
                ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
  for (; i < count; ++i) sum += at(i);
  return sum;
}

template <class T>
struct Sum {
  static constexpr float kNothing = 0;
  static T combine(T a, T b) { return T(Wide<T>(a) + Wide<T>(b)); }
  static T along(T so_far, const T* data, const Loop& loop) {
    return T(Wide<T>(so_far) + sum_in_pairs(data, loop.count, loop.from));
  }
};
template <class T>
struct Product {
  static constexpr float kNothing = 1;
  static T combine(T a, T b) { return T(Wide<T>(a) * Wide<T>(b)); }
  static T along(T so_far, const T* data, const Loop& loop) {
    auto product = Wide<T>(so_far);
    for (int64_t i = 0; i < loop.count; ++i) product *= Wide<T>(data[i * loop.from]);
    return T(product);
  }
};

/// How many numbers NumPy copies side by side before it sums them, where they do not lie in one
/// row.
constexpr int64_t kBuffer = 8192;

template <class T>
void gather(std::span<const Loop> loops, const T* from, std::vector<T>& out) {
  for (int64_t i = 0; i < loops[0].count; ++i, from += loops[0].from) {
    if (loops.size() == 1)
      out.push_back(*from);
    else
      gather(loops.subspan(1), from, out);
  }
}

/// All of several loops folded to one number: by way of rows that are copied side by side.
template <class T, template <class> class Fold>
void fold_all(std::span<const Loop> loops, const T* from, T* to) {
  if (loops.size() == 1) {
    *to = Fold<T>::along(*to, from, loops[0]);
    return;
  }
  int64_t inner = 1;
  for (const Loop& loop : loops.subspan(1)) inner *= loop.count;
  if (inner > kBuffer) {
    for (int64_t i = 0; i < loops[0].count; ++i, from += loops[0].from)
      fold_all<T, Fold>(loops.subspan(1), from, to);
    return;
  }
  std::vector<T> numbers;
  Loop part = loops[0];
  for (int64_t left = part.count; left > 0; left -= part.count, from += part.count * part.from) {
    part.count = std::min(left, kBuffer / inner);
    std::vector<Loop> rows(loops.begin(), loops.end());
    rows[0].count = part.count;
    numbers.clear();
    gather<T>(rows, from, numbers);
    *to = Fold<T>::along(*to, numbers.data(), {static_cast<int64_t>(numbers.size()), 1, 0});
  }
}

template <class T, template <class> class Fold>
void fold(std::span<const Loop> loops, const T* from, T* to) {
  const Loop& loop = loops.front();
  if (loops.size() == 1 && loop.to == 0) {
    *to = Fold<T>::along(*to, from, loop);
    return;
  }
  for (int64_t i = 0; i < loop.count; ++i, from += loop.from, to += loop.to) {
    if (loops.size() == 1)
      *to = Fold<T>::combine(*to, *from);
    else
      fold<T, Fold>(loops.subspan(1), from, to);
  }
}

/// Rows one after the other: each number joined to those before it.
template <class T, template <class> class Fold>
void run(int64_t rows, int64_t length, T* data) {
  for (; rows > 0; --rows, data += length)
    for (int64_t i = 1; i < length; ++i) data[i] = Fold<T>::combine(data[i - 1], data[i]);
}

/// Calls with a null pointer of the type of the elements, and with the fold; false if it raised.
template <class Work>
bool dispatch(NativeCall& call, DType dtype, Work work) {
  const bool is_sum = is_str(call[0]) && view_of(call[0]) == "sum";
  auto with_type = [&]<class T>(T* type) {
    is_sum ? work.template operator()<T, Sum>() : work.template operator()<T, Product>();
    return type == nullptr;
  };
  switch (dtype) {
    case DType::kFloat16:
      return with_type(static_cast<Float16*>(nullptr));
    case DType::kFloat32:
      return with_type(static_cast<float*>(nullptr));
    case DType::kFloat64:
      return with_type(static_cast<double*>(nullptr));
    default:
      call.raise("TypeError", "floats are needed");
      return false;
  }
}

/// Which dimensions a list names.
std::vector<bool> chosen(const Value& dims, size_t rank) {
  std::vector<bool> is_chosen(rank, false);
  if (const auto* items = items_of(dims))
    for (const Value& item : *items)
      if (item.is_int() && item.as_int() >= 0 && size_t(item.as_int()) < rank)
        is_chosen[size_t(item.as_int())] = true;
  return is_chosen;
}

Value folded(NativeCall& call) {
  const Tensor tensor = floats_argument(call, 1);
  if (!tensor.defined()) return Value();
  const size_t rank = size_t(tensor.rank());
  const std::vector<bool> is_folded = chosen(call[2], rank);
  Dims kept;
  for (size_t i = 0; i < rank; ++i)
    if (!is_folded[i]) kept.push_back(tensor.sizes()[i]);
  Tensor result;
  dispatch(call, tensor.dtype(), [&]<class T, template <class> class Fold>() {
    const auto nothing = static_cast<double>(Fold<T>::kNothing);
    result = Tensor::full(kept, Scalar(nothing), tensor.dtype());
    std::vector<Loop> loops;
    for (size_t i = 0, place = 0; i < rank; ++i) {
      const int64_t to = is_folded[i] ? 0 : result.strides()[place++];
      loops.push_back({tensor.sizes()[i], tensor.strides()[i], to});
    }
    if (tensor.numel() == 0) return;
    loops = loops_in_memory_order(std::move(loops));
    const bool all = std::ranges::all_of(loops, [](const Loop& loop) { return loop.to == 0; });
    if (all && loops.size() > 1)
      fold_all<T, Fold>(loops, tensor.data<T>(), result.data<T>());
    else
      fold<T, Fold>(loops, tensor.data<T>(), result.data<T>());
  });
  return result.defined() ? value_of(result) : Value();
}

Value running(NativeCall& call) {
  const Tensor tensor = floats_argument(call, 1);
  if (!tensor.defined()) return Value();
  if (tensor.rank() == 0 || !tensor.is_contiguous())
    return call.raise("ValueError", "rows one behind the other are needed");
  const Tensor result = ops::call_eager("clone", {tensor});
  const int64_t length = tensor.size(-1), rows = length == 0 ? 0 : tensor.numel() / length;
  const bool done = dispatch(call, tensor.dtype(), [&]<class T, template <class> class Fold>() {
    run<T, Fold>(rows, length, result.data<T>());
  });
  return done ? value_of(result) : Value();
}

/// The fewest digits that only this float has among those of its type: `2.5e+00`.
std::string shortest_text(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::scientific);
  return {text, end.ptr};
}
std::string shortest_text(float value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::scientific);
  return {text, end.ptr};
}
std::string shortest_text(Float16 value) {
  constexpr int kEnough = 4;
  const auto number = static_cast<double>(float(value));
  auto is_read_back = [&](const std::string& text) {
    return Float16(std::strtof(text.c_str(), nullptr)).bits == value.bits;
  };
  for (int digits = 0; digits < kEnough; ++digits) {
    std::string text = fmt::format("{:.{}e}", number, digits);
    if (is_read_back(text)) return text;
    // Above a power of 2 the neighbour is further away than below.
    const double step = std::pow(10.0, std::floor(std::log10(std::abs(number))) - digits);
    text = fmt::format("{:.{}e}", number + std::copysign(step / 2, number), digits);
    if (is_read_back(text)) return text;
  }
  return fmt::format("{:.{}e}", number, kEnough);
}

template <class T>
std::vector<Value> shortest_texts(const Tensor& flat) {
  std::vector<Value> texts;
  const int64_t step = flat.numel() > 0 ? flat.strides()[0] : 0;
  for (int64_t i = 0; i < flat.numel(); ++i)
    texts.push_back(str_value(shortest_text(flat.data<T>()[i * step])));
  return texts;
}

Value shortest(NativeCall& call) {
  const Tensor flat = floats_argument(call, 0);
  if (!flat.defined()) return Value();
  if (flat.rank() != 1) return call.raise("ValueError", "a flat tensor is needed");
  if (flat.dtype() == DType::kFloat16) return Value(make_list(shortest_texts<Float16>(flat)));
  if (flat.dtype() == DType::kFloat32) return Value(make_list(shortest_texts<float>(flat)));
  if (flat.dtype() == DType::kFloat64) return Value(make_list(shortest_texts<double>(flat)));
  return call.raise("TypeError", "floats of NumPy are needed");
}

Value nested(NativeCall& call) {
  return numbers_and_dtypes(call.interpreter, call[0]);
}

constexpr Effects kElements{.pure = true, .reads_elements = true};

constexpr NativeDefinition kNatives[] = {
    {"folded(what, tensor, dims, /)", folded, kElements,
     "the sum or product along dimensions, in NumPy's order"},
    {"running(what, rows, /)", running, kElements,
     "the sums or products so far, along the last dimension"},
    {"nested(data, /)",
     nested,
     {.pure = true, .reads_value = true},
     "a tensor of nested lists, and the dtypes of what is in them"},
    {"shortest(flat, /)", shortest, kElements, "the shortest texts of floats, with an exponent"},
};

}  // namespace

void fill_numpy(Interpreter& in, ModuleObject& module) {
  in.add_functions(module, kNatives);
}

}  // namespace glint::runtime
