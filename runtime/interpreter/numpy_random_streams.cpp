// A `Stream` of `_numpy_random`: what is drawn from a source, as tensors.
//
// Where a parameter is a tensor, it is contiguous, of float64 (int64 for `integers`), and has as
// many elements as the result.
#include <algorithm>

#include "core/random/distributions.h"
#include "core/random/integers.h"
#include "core/random/vectors.h"
#include "runtime/interpreter/numpy_random_arguments.h"

namespace glint::runtime {
namespace {

random::Draws& draws_of(NativeCall& call) {
  return static_cast<StreamObject*>(call[0].object())->draws;
}

bool flag(const Value& value) {
  return value.is_integral() && value.as_bool();
}

Value stream_kept_normal(NativeCall& call) {
  const auto& kept = draws_of(call).kept_normal;
  return kept ? Value(*kept) : Value::none();
}
Value stream_keep_normal(NativeCall& call) {
  auto& kept = draws_of(call).kept_normal;
  kept.reset();
  if (call[1].is_none()) return Value::none();
  double number = 0;
  if (!float_argument(call, 1, number)) return Value();
  kept = number;
  return Value::none();
}

struct Request {
  const random::Distribution* row = nullptr;
  std::array<Column<double>, random::kMostParameters> columns;
  bool is_constant = true;
};

bool admits(NativeCall& call, const random::Parameter& parameter, const Column<double>& column) {
  const int64_t count = column.is_tensor() ? column.kept.numel() : 1;
  for (int64_t i = 0; i < count; ++i) {
    const auto found =
        random::complaint(parameter, column.at(i), column.is_tensor(), draws_of(call).legacy);
    if (found) return call.raise("ValueError", *found), false;
  }
  return true;
}

bool read_request(NativeCall& call, Request& out) {
  std::string_view name;
  if (!text_argument(call, 1, name)) return false;
  out.row = random::distribution_named(name);
  const auto* given = call[3].try_as<TupleObject>();
  if (!out.row || !given || given->items.size() != out.row->parameter_count())
    return call.raise("TypeError", fmt::format("there is no such distribution as {}", name)), false;
  for (size_t i = 0; i < given->items.size(); ++i) {
    if (!read_column(call, given->items[i], out.columns[i])) return false;
    if (!admits(call, out.row->parameters[i], out.columns[i])) return false;
    if (out.columns[i].is_tensor()) out.is_constant = false;
  }
  return true;
}

random::Parameters parameters_at(const Request& request, int64_t i) {
  random::Parameters of{};
  for (size_t k = 0; k < of.size(); ++k) of[k] = request.columns[k].at(i);
  return of;
}

template <class T, class Function>
void fill(random::Draws& draws, const Request& request, Function* function, const Tensor& made) {
  T* out = made.data<T>();
  const int64_t count = made.numel();
  random::Parameters of = request.is_constant ? parameters_at(request, 0) : random::Parameters{};
  for (int64_t i = 0; i < count; ++i) {
    if (!request.is_constant) of = parameters_at(request, i);
    out[i] = function(draws, of);
  }
}

Value single_number(random::Draws& draws, const Request& request) {
  const random::Parameters of = parameters_at(request, 0);
  return request.row->real ? Value(request.row->real(draws, of))
                           : int_value(request.row->whole(draws, of));
}

Value stream_draw(NativeCall& call) {
  Request request;
  if (!read_request(call, request)) return Value();
  random::Draws& draws = draws_of(call);
  if (call[2].is_none()) {
    if (!request.is_constant) return call.raise("TypeError", "a size is needed for tensors");
    return single_number(draws, request);
  }
  const bool is_real = request.row->real != nullptr;
  return new_tensor(call, 2, is_real ? DType::kFloat64 : DType::kInt64, [&](const Tensor& made) {
    for (const auto& column : request.columns)
      if (!fits(call, column, made)) return false;
    if (request.row->is_uniform)
      draws.source.fill_uniform({made.data<double>(), static_cast<size_t>(made.numel())});
    else if (is_real)
      fill<double>(draws, request, request.row->real, made);
    else
      fill<int64_t>(draws, request, request.row->whole, made);
    return true;
  });
}

Value stream_draw_float(NativeCall& call) {
  Request request;
  if (!read_request(call, request)) return Value();
  auto* function = request.row->single;
  if (!function) return call.raise("TypeError", "it is not drawn in float32");
  random::BitSource& source = draws_of(call).source;
  const auto at = [&](int64_t i) {
    return function(source, static_cast<float>(request.columns[0].at(i)));
  };
  return new_tensor(call, 2, DType::kFloat32, [&](const Tensor& made) {
    if (!fits(call, request.columns[0], made)) return false;
    for (int64_t i = 0; i < made.numel(); ++i) made.data<float>()[i] = at(i);
    return true;
  });
}

/// An integer dtype's width; 0 for others.
int bits_of_dtype(DType dtype) {
  switch (dtype) {
    case DType::kBool:
      return 1;
    case DType::kUInt8:
    case DType::kInt8:
      return 8;
    case DType::kInt16:
      return 16;
    case DType::kInt32:
      return 32;
    case DType::kInt64:
      return 64;
    default:
      return 0;
  }
}
void store(const Tensor& made, int64_t i, int64_t number) {
  switch (made.dtype()) {
    case DType::kInt64:
      made.data<int64_t>()[i] = number;
      break;
    case DType::kInt32:
      made.data<int32_t>()[i] = static_cast<int32_t>(number);
      break;
    case DType::kInt16:
      made.data<int16_t>()[i] = static_cast<int16_t>(number);
      break;
    default:
      made.data<int8_t>()[i] = static_cast<int8_t>(number);
      break;
  }
}

Value stream_integers(NativeCall& call) {
  Column<int64_t> low, high;
  if (!read_column(call, call[1], low) || !read_column(call, call[2], high)) return Value();
  const auto dtype = dtype_of(call[4]);
  const int bits = dtype ? bits_of_dtype(*dtype) : 0;
  if (bits == 0) return call.raise("TypeError", "an integer dtype is needed");
  random::Draws& draws = draws_of(call);
  random::RangedIntegers integers(draws.source, bits, draws.legacy);
  const auto at = [&](int64_t i) {
    const auto least = static_cast<uint64_t>(low.at(i));
    return static_cast<int64_t>(least + integers.draw(static_cast<uint64_t>(high.at(i)) - least));
  };
  if (call[3].is_none()) return int_value(at(0));
  return new_tensor(call, 3, *dtype, [&](const Tensor& made) {
    if (!fits(call, low, made) || !fits(call, high, made)) return false;
    const bool is_constant = !low.is_tensor() && !high.is_tensor();
    if (is_constant && made.dtype() == DType::kInt64) {
      integers.fill(low.number,
                    static_cast<uint64_t>(high.number) - static_cast<uint64_t>(low.number),
                    {made.data<int64_t>(), static_cast<size_t>(made.numel())});
      return true;
    }
    for (int64_t i = 0; i < made.numel(); ++i) store(made, i, at(i));
    return true;
  });
}

Value places_value(const std::vector<int64_t>& places) {
  const auto count = static_cast<int64_t>(places.size());
  return Value(Tensor::of<int64_t>(std::span(places), IntSpan(&count, 1)).take());
}

Value stream_order(NativeCall& call) {
  int64_t count = 0;
  if (!int_argument(call, 1, count)) return Value();
  return places_value(random::order(draws_of(call).source, std::max<int64_t>(count, 0)));
}
Value stream_sample(NativeCall& call) {
  int64_t total = 0, count = 0;
  if (!int_argument(call, 1, total) || !int_argument(call, 2, count)) return Value();
  if (count < 0 || count > total) return call.raise("ValueError", "more than there are");
  return places_value(random::sample(draws_of(call).source, total, count, flag(call[3])));
}

Value stream_weighted(NativeCall& call) {
  const Tensor weights = tensor_argument(call, call[1], DType::kFloat64);
  if (!weights.defined()) return Value();
  if (weights.numel() == 0) return call.raise("ValueError", "there is nothing to choose from");
  return new_tensor(call, 2, DType::kInt64, [&](const Tensor& made) {
    random::weighted_places(draws_of(call).source, elements_of<double>(weights),
                            {made.data<int64_t>(), static_cast<size_t>(made.numel())});
    return true;
  });
}

/// Rows of counts, for each of the numbers of trials, by one row of probabilities or one each.
Value stream_multinomial(NativeCall& call) {
  const Tensor trials = tensor_argument(call, call[1], DType::kInt64);
  if (!trials.defined()) return Value();
  const Tensor weights = tensor_argument(call, call[2], DType::kFloat64);
  if (!weights.defined()) return Value();
  const auto cases = static_cast<size_t>(weights.size(-1));
  const bool is_one = weights.numel() == weights.size(-1);
  return new_tensor(call, 3, DType::kInt64, [&](const Tensor& made) {
    const auto count = static_cast<size_t>(trials.numel());
    const auto all = elements_of<double>(weights);
    if (static_cast<size_t>(made.numel()) != count * cases ||
        (!is_one && all.size() != count * cases))
      return call.raise("ValueError", "sizes of trials and probabilities differ"), false;
    for (size_t i = 0; i < count; ++i)
      random::multinomial(draws_of(call), trials.data<int64_t>()[i],
                          all.subspan(is_one ? 0 : i * cases, cases),
                          {made.data<int64_t>() + i * cases, cases});
    return true;
  });
}

Value stream_dirichlet(NativeCall& call) {
  const Tensor alpha = tensor_argument(call, call[1], DType::kFloat64);
  if (!alpha.defined()) return Value();
  return new_tensor(call, 2, DType::kFloat64, [&](const Tensor& made) {
    if (alpha.numel() == 0) return true;
    if (made.numel() % alpha.numel() != 0)
      return call.raise("ValueError", "the size holds no whole rows"), false;
    random::dirichlet(draws_of(call), elements_of<double>(alpha),
                      {made.data<double>(), static_cast<size_t>(made.numel())});
    return true;
  });
}

Value stream_bytes(NativeCall& call) {
  int64_t count = 0;
  if (!int_argument(call, 1, count)) return Value();
  if (count < 0) return call.raise("ValueError", "negative dimensions are not allowed");
  // NumPy draws a word for no bytes too.
  std::string data;
  do {
    const uint32_t word = draws_of(call).source.next32();
    for (int shift = 0; shift < 32; shift += 8) data.push_back(static_cast<char>(word >> shift));
  } while (static_cast<int64_t>(data.size()) < count);
  data.resize(static_cast<size_t>(count));
  return Value(make_ref<BytesObject>(std::move(data)));
}

constexpr NativeDefinition kStream[] = {
    {"kept_normal(self, /)", stream_kept_normal, kImpure, "the second of a pair, or None"},
    {"keep_normal(self, number, /)", stream_keep_normal, kImpure, "puts it back"},
    {"draw(self, name, size, parameters, /)", stream_draw, kImpure,
     "numbers of a distribution, one where size is None"},
    {"draw_float(self, name, size, parameters, /)", stream_draw_float, kImpure,
     "the same in float32"},
    {"integers(self, low, high, size, dtype, /)", stream_integers, kImpure,
     "ints from low to high, which is included"},
    {"order(self, count, /)", stream_order, kImpure, "0 to count - 1, shuffled"},
    {"sample(self, total, count, shuffled, /)", stream_sample, kImpure, "different ones of them"},
    {"weighted(self, weights, size, /)", stream_weighted, kImpure, "places by their weights"},
    {"multinomial(self, trials, weights, size, /)", stream_multinomial, kImpure,
     "how often each case occurs"},
    {"dirichlet(self, alpha, size, /)", stream_dirichlet, kImpure, "rows that sum to 1"},
    {"bytes(self, count, /)", stream_bytes, kImpure, "random bytes"},
};

}  // namespace

std::span<const NativeDefinition> numpy_stream_methods() {
  return kStream;
}

}  // namespace glint::runtime
