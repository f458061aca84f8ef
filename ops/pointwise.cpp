// The eager kernel of every pointwise operator.
//
//   1. Fast path: tensors of one shape and dtype, contiguous, or a Python number as one operand.
//      It makes the output and calls one ready loop (ops/scalar/elementwise_kernels.h).
//   2. Otherwise the type rule says what comes out; operands are converted to the computation
//      dtype, and a strided walk feeds the same loops row by row. Rows whose step is neither one
//      element nor zero pass through a small buffer.
#include <cstring>

#include <array>

#include "core/tensor/copy.h"
#include "core/tensor/strided_loop.h"
#include "core/tensor/views.h"
#include "ops/element.h"
#include "ops/infer.h"
#include "ops/kernels.h"
#include "ops/layout.h"
#include "ops/parallel.h"
#include "ops/scalar/elementwise_kernels.h"
#include "ops/short_rows.h"

namespace glint::ops {

namespace {

using scalar::ElementwiseLoops;

DType result_dtype(ScalarFunction function, DType computation) {
  return info(function).result == ScalarResult::kBool ? DType::kBool : computation;
}

/// Whether a Python number leaves a tensor's dtype as it is.
bool keeps_dtype(DType dtype, const Argument& number, DTypeRule rule) {
  if (rule == DTypeRule::kFloat) return is_floating(dtype);
  if (is_floating(dtype)) return true;
  return number.get_if<SymInt>() ? is_integer(dtype) : number.get_if<bool>() != nullptr;
}

// ---- the fast path -----------------------------------------------------------------------------

struct FastCall {
  const Tensor* shape = nullptr;  ///< an operand with the result's sizes
  const Argument* left;
  const Argument* right = nullptr;
};

/// Nothing where the general path is needed.
bool fast_operands(const OpEntry& entry, Arguments arguments, size_t arity, FastCall& call) {
  call.left = &arguments[0];
  if (arity == 2) call.right = &arguments[1];
  const Tensor* left = call.left->get_if<Tensor>();
  const Tensor* right = call.right ? call.right->get_if<Tensor>() : nullptr;
  call.shape = left ? left : right;
  if (!call.shape || !call.shape->is_contiguous()) return false;
  DType dtype = call.shape->dtype();
  // Dtypes that the function does not take, or that change, are the general path's.
  if (is_bool(dtype) || (entry.dtype_rule == DTypeRule::kFloat && !is_floating(dtype)))
    return false;
  if (arity == 1) return true;
  if (left && right)
    return right->dtype() == dtype && right->is_contiguous() &&
           left->impl().sizes == right->impl().sizes;
  return keeps_dtype(dtype, left ? *call.right : *call.left, entry.dtype_rule) &&
         has_row_major_strides(*call.shape);
}

Tensor run_fast(const FastCall& call, ScalarFunction function, const ElementwiseLoops& loops) {
  DType dtype = call.shape->dtype();
  Tensor out = Tensor::empty(call.shape->sizes(), result_dtype(function, dtype));
  int64_t n = out.numel();
  size_t in_size = dtype_size(dtype);
  size_t out_size = out.element_size();
  std::byte* target = out.raw_data();
  if (!call.right) {
    const std::byte* source = call.shape->raw_data();
    parallel_ranges(n, heavy(function), [&](int64_t begin, int64_t end) {
      loops.unary(source + begin * in_size, target + begin * out_size, end - begin);
    });
    return out;
  }
  const Tensor* left = call.left->get_if<Tensor>();
  const Tensor* right = call.right->get_if<Tensor>();
  if (left && right) {
    parallel_ranges(n, heavy(function), [&](int64_t begin, int64_t end) {
      loops.binary(left->raw_data() + begin * in_size, right->raw_data() + begin * in_size,
                   target + begin * out_size, end - begin);
    });
    return out;
  }
  const Scalar value = as_scalar(left ? *call.right : *call.left);
  const Element number = loop_number(function, value, dtype, left ? 1 : 0);
  parallel_ranges(n, heavy(function), [&](int64_t begin, int64_t end) {
    const std::byte* source = call.shape->raw_data() + begin * in_size;
    if (left)
      loops.right_scalar(source, number.bytes, target + begin * out_size, end - begin);
    else
      loops.left_scalar(number.bytes, source, target + begin * out_size, end - begin);
  });
  return out;
}

// ---- the general path --------------------------------------------------------------------------

constexpr int64_t kBufferElements = 512;

/// A row of one operand, packed into `buffer` if its step is not one element.
const std::byte* packed(const std::byte* row, int64_t step, size_t size, int64_t n,
                        std::byte* buffer) {
  if (step == int64_t(size)) return row;
  auto gather = [&]<class T>() {
    T* to = reinterpret_cast<T*>(buffer);
    for (int64_t i = 0; i < n; ++i) to[i] = *reinterpret_cast<const T*>(row + i * step);
  };
  if (size == 1) gather.operator()<uint8_t>();
  if (size == 2) gather.operator()<uint16_t>();
  if (size == 4) gather.operator()<uint32_t>();
  if (size == 8) gather.operator()<uint64_t>();
  return buffer;
}

void scatter(std::byte* row, int64_t step, size_t size, int64_t n, const std::byte* buffer) {
  for (int64_t i = 0; i < n; ++i) std::memcpy(row + i * step, buffer + i * int64_t(size), size);
}

/// Calls the loop that fits a row whose operands have step 0 or one element.
struct RowLoop {
  ScalarFunction function;
  DType dtype;
  const ElementwiseLoops* loops;
  size_t arity;
  bool float32_second = false;  ///< the second operand, one element beside others of 16 bits

  void operator()(const std::byte* const* in, const bool* repeats, std::byte* out,
                  int64_t n) const {
    if (function == ScalarFunction::kWhere)
      return scalar::where_loop(dtype)(in[0], in[1], !repeats[1], in[2], !repeats[2], out, n);
    if (arity == 1) return loops->unary(in[0], out, n);
    const bool plain = !repeats[0] && !repeats[1];
    if (plain && arity == 2) return loops->binary(in[0], in[1], out, n);
    if (plain) return scalar::fma_loop(dtype)(in[0], in[1], in[2], out, n);
    const std::byte* number = in[repeats[0] ? 0 : 1];
    float widened;
    if (is_narrow_float(dtype) && !(float32_second && repeats[1])) {
      widened = widened_element(number, dtype);
      number = reinterpret_cast<const std::byte*>(&widened);
    }
    if (arity == 3) return scalar::fma_loop(dtype, true)(in[0], number, in[2], out, n);
    if (repeats[0]) return loops->left_scalar(number, in[1], out, n);
    loops->right_scalar(in[0], number, out, n);
  }

  /// For rows that are laid out, where what repeats lies in each of its places.
  scalar::BinaryLoop laid_out() const {
    return float32_second ? loops->right_scalar : loops->binary;
  }
};

/// A row of two operands that lie ready, one of them perhaps repeated; false if it is another. Rows
/// may be short and many.
bool run_ready(const RowLoop& loop, std::byte* const* rows, const int64_t* steps,
               const size_t* sizes, int64_t length) {
  const bool repeats[] = {steps[1] == 0, steps[2] == 0 || loop.float32_second};
  if (steps[0] != int64_t(sizes[0]) || (repeats[0] && repeats[1])) return false;
  for (size_t k = 0; k < 2; ++k)
    if (!repeats[k] && steps[k + 1] != int64_t(sizes[k + 1])) return false;
  const std::byte* in[] = {rows[1], rows[2]};
  loop(in, repeats, rows[0], length);
  return true;
}

void run_rows(const RowLoop& loop, const Tensor& out, std::span<const Tensor> operands) {
  const Tensor* all[4] = {&out};
  for (size_t k = 0; k < operands.size(); ++k) all[k + 1] = &operands[k];
  const std::span<const Tensor* const> walked(all, operands.size() + 1);
  StridedLoop walk(walked);
  const int64_t grain = least_elements(heavy(loop.function)) / 2;
  if (loop.arity == 2 && run_short_rows(walk, walked, loop.laid_out(), grain)) return;
  size_t out_size = out.element_size();
  const size_t sizes[] = {out_size, operands[0].element_size(), operands.back().element_size()};
  auto run_row = [&](std::byte* const* rows, const int64_t* steps, int64_t length) {
    if (loop.arity == 2 && run_ready(loop, rows, steps, sizes, length)) return;
    alignas(64) std::byte buffers[4][kBufferElements * 8];
    for (int64_t at = 0; at < length; at += kBufferElements) {
      bool direct = steps[0] == int64_t(out_size);
      bool repeats[3];
      bool all_repeat = true;
      bool packs = !direct;
      for (size_t k = 0; k < loop.arity; ++k) {
        repeats[k] = steps[k + 1] == 0 || (k == 1 && loop.float32_second);
        all_repeat &= repeats[k];
        packs |= !repeats[k] && steps[k + 1] != int64_t(operands[k].element_size());
      }
      // The loops take one repeated operand at most, and no repeated condition; of a multiply-add
      // the second.
      if (all_repeat || loop.arity == 3) repeats[0] = false;
      if (loop.function == ScalarFunction::kFma) repeats[2] = false;
      for (size_t k = 0; k < loop.arity; ++k) packs |= steps[k + 1] == 0 && !repeats[k];
      int64_t n = packs ? std::min(length - at, kBufferElements) : length;
      const std::byte* in[3];
      for (size_t k = 0; k < loop.arity; ++k) {
        const std::byte* row = rows[k + 1] + at * steps[k + 1];
        in[k] =
            repeats[k] ? row : packed(row, steps[k + 1], operands[k].element_size(), n, buffers[k]);
      }
      std::byte* target = direct ? rows[0] + at * steps[0] : buffers[3];
      loop(in, repeats, target, n);
      if (!direct) scatter(rows[0] + at * steps[0], steps[0], out_size, n, buffers[3]);
      if (!packs) break;
    }
  };
  walk.run(run_row, grain);
}

void check_divisor(ScalarFunction function, DType dtype, const Tensor& divisor) {
  if (!divides_integers(function, dtype)) return;
  Tensor zeros = contiguous(divisor);
  visit_dtype(dtype, [&]<class T>() {
    const T* values = zeros.data<T>();
    for (int64_t i = 0; i < zeros.numel(); ++i)
      if (values[i] == T(0)) throw OpError{"RuntimeError", "ZeroDivisionError"};
  });
}

/// Two contiguous tensors of one dtype whose shapes differ; nothing where more care is needed.
Tensor run_broadcast(const OpEntry& entry, Arguments arguments, ScalarFunction function) {
  const Tensor* left = arguments[0].get_if<Tensor>();
  const Tensor* right = arguments[1].get_if<Tensor>();
  if (!left || !right || left->dtype() != right->dtype() || !has_row_major_strides(*left) ||
      !has_row_major_strides(*right))
    return {};
  DType dtype = left->dtype();
  if (is_bool(dtype) || divides_integers(function, dtype)) return {};
  if (entry.dtype_rule == DTypeRule::kFloat && !is_floating(dtype)) return {};
  const ElementwiseLoops* loops = scalar::elementwise_loops(function, dtype);
  auto sizes = broadcast_sizes(left->sizes(), right->sizes());
  if (!loops || !sizes) return {};
  Tensor out = Tensor::empty(*sizes, result_dtype(function, dtype));
  const Tensor operands[] = {*left, *right};
  if (out.numel() > 0) run_rows({function, dtype, loops, 2}, out, operands);
  return out;
}

/// `where` on contiguous operands of one shape and dtype, or Python numbers beside one tensor.
Tensor run_where(Arguments arguments) {
  const Tensor* condition = arguments[0].get_if<Tensor>();
  const Tensor* left = arguments[1].get_if<Tensor>();
  const Tensor* right = arguments[2].get_if<Tensor>();
  const Tensor* shape = left ? left : right;
  if (!condition || !shape || !is_bool(condition->dtype()) || !condition->is_contiguous())
    return {};
  DType dtype = shape->dtype();
  for (const Argument& argument : arguments.subspan(1, 2)) {
    if (!argument.is_value()) {
      if (!keeps_dtype(dtype, argument, DTypeRule::kPromote)) return {};
      if (!has_row_major_strides(*shape)) return {};
      continue;
    }
    const Tensor& tensor = argument.tensor();
    if (tensor.dtype() != dtype || !tensor.is_contiguous()) return {};
    if (tensor.impl().sizes != condition->impl().sizes) return {};
  }
  Tensor out = Tensor::empty(shape->sizes(), dtype);
  Element first(left ? Scalar(0) : as_scalar(arguments[1]), dtype);
  Element second(right ? Scalar(0) : as_scalar(arguments[2]), dtype);
  scalar::WhereLoop loop = scalar::where_loop(dtype);
  int64_t size = int64_t(out.element_size());
  parallel_ranges(out.numel(), Work::kLight, [&](int64_t begin, int64_t end) {
    const std::byte* from_left = left ? left->raw_data() + begin * size : first.bytes;
    const std::byte* from_right = right ? right->raw_data() + begin * size : second.bytes;
    loop(condition->raw_data() + begin, from_left, left != nullptr, from_right, right != nullptr,
         out.raw_data() + begin * size, end - begin);
  });
  return out;
}

}  // namespace

const OpEntry& entry_of(ScalarFunction function) {
  static const OpEntry* entries[kScalarFunctionCount] = {};
  const OpEntry*& entry = entries[size_t(function)];
  if (!entry) entry = find_op(name(function));
  check(entry != nullptr, "an operator has the scalar function's name");
  return *entry;
}

void pointwise_into(ScalarFunction function, const Tensor& out, std::span<const Argument> operands,
                    DType computation) {
  check_domain(function, computation);
  std::array<Argument, 2> exchanged;
  std::optional<size_t> float32;
  if (operands.size() == 2) float32 = float32_operand(function, computation, operands);
  if (float32 == 0) {
    exchanged = {operands[1], operands[0]};
    operands = exchanged;
  }
  std::array<Tensor, 3> tensors;
  for (size_t k = 0; k < operands.size(); ++k) {
    bool condition = function == ScalarFunction::kWhere && k == 0;
    DType dtype = condition ? DType::kBool : float32 && k == 1 ? DType::kFloat32 : computation;
    if (const Tensor* tensor = operands[k].get_if<Tensor>()) {
      tensors[k] = convert(*tensor, dtype);
      bool same_place = tensors[k].raw_data() == out.raw_data() &&
                        tensors[k].sizes().size() == out.sizes().size() &&
                        same_dims(tensors[k].sizes(), out.sizes()) &&
                        same_dims(tensors[k].strides(), out.strides());
      if (!same_place && may_overlap(tensors[k], out)) tensors[k] = clone(tensors[k]);
    } else {
      tensors[k] = Tensor::scalar(as_scalar(operands[k]), dtype);
    }
  }
  if (out.numel() == 0) return;
  if (operands.size() == 2) check_divisor(function, computation, tensors[1]);
  if (float32) tensors[1] = Tensor::view_of(tensors[1], {}, {}, tensors[1].offset());
  RowLoop loop{function, computation, nullptr, operands.size(), float32.has_value()};
  if (operands.size() < 3) {
    loop.loops = scalar::elementwise_loops(function, computation);
    check(loop.loops != nullptr, "every function has a loop for the dtypes of its domain");
  }
  run_rows(loop, out, {tensors.data(), operands.size()});
}

/// A bool in a difference, which inference refuses whatever it is taken from.
static bool subtracts_bool(ScalarFunction function, Arguments arguments) {
  return function == ScalarFunction::kSubtract &&
         (arguments[0].get_if<bool>() || arguments[1].get_if<bool>());
}

Outputs eager_pointwise(const OpEntry& entry, Arguments arguments) {
  ScalarFunction function = entry.lowers_to<Pointwise>()->function;
  size_t arity = info(function).arity;
  FastCall call;
  if (arity <= 2 && !subtracts_bool(function, arguments) &&
      fast_operands(entry, arguments, arity, call)) {
    DType dtype = call.shape->dtype();
    const ElementwiseLoops* loops = scalar::elementwise_loops(function, dtype);
    if (loops && !divides_integers(function, dtype)) return run_fast(call, function, *loops);
  }
  if (function == ScalarFunction::kWhere)
    if (Tensor out = run_where(arguments); out.defined()) return out;
  if (arity == 2)
    if (Tensor out = run_broadcast(entry, arguments, function); out.defined()) return out;
  InferArgument types[4];
  for (size_t i = 0; i < arity; ++i) types[i] = infer_argument(arguments[i]);
  DType computation = computation_dtype(entry, {types, arity});
  check_domain(function, computation);
  Tensor out = empty_of(broadcast_type({types, arity}, result_dtype(function, computation)));
  pointwise_into(function, out, arguments.first(arity), computation);
  return out;
}

}  // namespace glint::ops
