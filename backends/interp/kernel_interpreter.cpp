#include "backends/interp/kernel_interpreter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/support/check.h"
#include "ops/scalar/elementwise_kernels.h"

namespace glint {
namespace {

/// Numbers convert as tensors do.
Number converted(const void* from, DType from_dtype, DType to_dtype) {
  Number result;
  if (from_dtype == to_dtype) {
    std::memcpy(result.bytes, from, dtype_size(to_dtype));
  } else {
    scalar::cast_loop(from_dtype, to_dtype)(from, result.bytes, 1);
  }
  return result;
}

Number make_number(double value, DType dtype) {
  return converted(&value, DType::kFloat64, dtype);
}
Number make_number(int64_t value, DType dtype) {
  return converted(&value, DType::kInt64, dtype);
}

double as_double(const Number& number, DType dtype) {
  double value = 0;
  std::memcpy(&value, converted(number.bytes, dtype, DType::kFloat64).bytes, sizeof value);
  return value;
}

int64_t as_integer(const Number& number, DType dtype) {
  int64_t value = 0;
  std::memcpy(&value, converted(number.bytes, dtype, DType::kInt64).bytes, sizeof value);
  return value;
}

Number apply(ScalarFunction function, DType dtype, const Number& x, const Number& y) {
  Number result;
  const auto* loops = scalar::elementwise_loops(function, dtype);
  check(loops != nullptr, "the verifier admits only dtypes that a function takes");
  if (info(function).arity == 1) {
    loops->unary(x.bytes, result.bytes, 1);
  } else {
    loops->binary(x.bytes, y.bytes, result.bytes, 1);
  }
  return result;
}

Number extreme(DType dtype, bool least) {
  const double infinity = std::numeric_limits<double>::infinity();
  if (is_floating(dtype)) return make_number(least ? -infinity : infinity, dtype);
  if (is_bool(dtype) || dtype == DType::kUInt8) {
    return make_number(int64_t{least ? 0 : (is_bool(dtype) ? 1 : 255)}, dtype);
  }
  const int bits = static_cast<int>(dtype_size(dtype)) * 8;
  const int64_t greatest = std::numeric_limits<int64_t>::max() >> (64 - bits);
  return make_number(least ? -greatest - 1 : greatest, dtype);
}

}  // namespace

KernelInterpreter::KernelInterpreter(const Kernel& kernel, std::span<const int64_t> symbols,
                                     std::span<std::byte* const> parameters)
    : kernel_(kernel),
      symbols_(symbols),
      buffers_(parameters.begin(), parameters.end()),
      scratch_(kernel.buffers.size()),
      values_(kernel.statements.size()),
      indices_(kernel.statements.size()),
      running_(kernel.statements.size()) {
  buffers_.resize(kernel.buffers.size());
  for (const auto& buffer : kernel.buffers) layouts_.push_back(layout_of(buffer.type));
}

KernelInterpreter::Layout KernelInterpreter::layout_of(const TensorType& type) const {
  Layout layout;
  for (const SymInt& size : type.sizes) layout.sizes.push_back(evaluate(size));
  for (const SymInt& stride : type.full_strides()) layout.strides.push_back(evaluate(stride));
  layout.element_bytes = static_cast<int64_t>(dtype_size(type.dtype));
  return layout;
}

void KernelInterpreter::limit(int64_t begin, int64_t end) {
  limit_ = {begin, end};
}

void KernelInterpreter::run() {
  while (step()) {
  }
}

bool KernelInterpreter::step() {
  if (done()) return false;
  ++steps_;
  std::visit([this](const auto& statement) { execute(statement); }, kernel_.statements[at_].kind);
  if (failed_) return false;
  close_loops();
  return !done();
}

/// Goes back to the start of each loop that ends here and has iterations left.
void KernelInterpreter::close_loops() {
  while (!loops_.empty()) {
    OpenLoop& loop = loops_.back();
    if (at_ != index(kernel_.statements[loop.statement].get_if<Loop>()->end)) return;
    if (++loop.index < loop.extent) {
      indices_[loop.statement] = loop.index;
      at_ = loop.statement + 1;
      return;
    }
    loops_.pop_back();
  }
}

void KernelInterpreter::execute(const Loop& loop) {
  OpenLoop open{at_, 0, evaluate(loop.extent)};
  if (loop.rest) open.extent = std::min(open.extent, evaluate(*loop.rest));
  if (at_ == 0 && limit_) {
    open.index = limit_->first;
    open.extent = limit_->second;
  }
  if (open.index >= open.extent) {
    at_ = static_cast<uint32_t>(index(loop.end));
    return;
  }
  indices_[at_] = open.index;
  loops_.push_back(open);
  ++at_;
  if (at_ == index(loop.end)) return;  // an empty body: close_loops counts it down
}

int64_t KernelInterpreter::evaluate(const IndexExpression& expression) const {
  int64_t sum = evaluate(expression.constant);
  for (const IndexTerm& term : expression.terms) {
    const bool is_loop = kernel_[term.variable].get_if<Loop>() != nullptr;
    int64_t variable = indices_[index(term.variable)];
    if (!is_loop) std::memcpy(&variable, values_[index(term.variable)].bytes, sizeof variable);
    sum += evaluate(term.coefficient) * variable;
  }
  return sum;
}

std::byte* KernelInterpreter::element(BufferId buffer,
                                      const std::vector<IndexExpression>& indices) {
  const Layout& layout = layouts_[index(buffer)];
  int64_t offset = 0;
  for (size_t d = 0; d < indices.size(); ++d) {
    const int64_t at = evaluate(indices[d]);
    const int64_t size = layout.sizes[d];
    if (at < 0 || at >= size) [[unlikely]]
      fail(fmt::format("kernel {}, statement {}: index {} of `{}{}` is not within 0..{}",
                       kernel_.name, at_, at, kernel_[buffer].scratch ? "" : "%",
                       kernel_[buffer].name, size));
    offset += at * layout.strides[d];
  }
  return buffers_[index(buffer)] + offset * layout.element_bytes;
}

DType KernelInterpreter::dtype_of(const Operand& operand, DType otherwise) const {
  return kernel_.dtype(operand).value_or(otherwise);
}

Number KernelInterpreter::value(const Operand& operand, DType dtype) const {
  if (operand.value.index() == 1) return make_number(std::get<1>(operand.value), dtype);
  if (operand.value.index() == 2) return make_number(std::get<2>(operand.value), dtype);
  const StatementId id = operand.statement();
  if (kernel_[id].get_if<Reduction>() != nullptr) return reduction_value(id, operand.part);
  if (kernel_[id].get_if<Loop>() != nullptr) {
    return make_number(indices_[index(id)], DType::kInt64);
  }
  return values_[index(id)];
}

bool KernelInterpreter::truth(const Operand& operand) const {
  return value(operand, DType::kBool).bytes[0] != std::byte{0};
}

void KernelInterpreter::execute(const Load& load) {
  const DType dtype = kernel_[load.buffer].type.dtype;
  if (load.mask && !truth(*load.mask)) {
    values_[at_] = value(*load.otherwise, dtype);
  } else {
    std::memcpy(values_[at_].bytes, element(load.buffer, load.indices), dtype_size(dtype));
  }
  ++at_;
}

void KernelInterpreter::execute(const Store& store) {
  const DType dtype = kernel_[store.buffer].type.dtype;
  if (!store.mask || truth(*store.mask)) {
    const Number number = value(store.value, dtype);
    std::memcpy(element(store.buffer, store.indices), number.bytes, dtype_size(dtype));
  }
  ++at_;
}

void KernelInterpreter::execute(const Compute& compute) {
  const auto& operands = compute.operands;
  const DType dtype = compute.dtype;
  switch (compute.function) {
    case ScalarFunction::kCast: {
      const DType from = dtype_of(operands[0], dtype);
      values_[at_] = converted(value(operands[0], from).bytes, from, dtype);
      break;
    }
    case ScalarFunction::kWhere:
      values_[at_] = value(truth(operands[0]) ? operands[1] : operands[2], dtype);
      break;
    case ScalarFunction::kFma: {
      const Number x = value(operands[0], dtype);
      const Number y = value(operands[1], dtype);
      const Number z = value(operands[2], dtype);
      scalar::fma_loop(dtype)(x.bytes, y.bytes, z.bytes, values_[at_].bytes, 1);
      break;
    }
    default: {
      const Number x = value(operands[0], dtype);
      values_[at_] =
          apply(compute.function, dtype, x, operands.size() > 1 ? value(operands[1], dtype) : x);
    }
  }
  ++at_;
}

void KernelInterpreter::execute(const IndexValue& value) {
  values_[at_] = make_number(evaluate(value.expression), DType::kInt64);
  ++at_;
}

void KernelInterpreter::execute(const Reduction& reduction) {
  Running& running = running_[at_];
  running = {};
  switch (reduction.combiner) {
    case Combiner::kProduct:
      running.value = make_number(int64_t{1}, reduction.dtype);
      running.sum = 1.0;
      break;
    case Combiner::kMaximum:
    case Combiner::kArgmax:
      running.value = extreme(reduction.dtype, true);
      break;
    case Combiner::kMinimum:
    case Combiner::kArgmin:
      running.value = extreme(reduction.dtype, false);
      break;
    case Combiner::kAll:
      running.value = make_number(int64_t{1}, DType::kBool);
      break;
    default:
      break;
  }
  ++at_;
}

void KernelInterpreter::execute(const Accumulate& accumulate) {
  const auto& reduction = *kernel_[accumulate.reduction].get_if<Reduction>();
  Running& running = running_[index(accumulate.reduction)];
  const bool logical = reduction.combiner == Combiner::kAny || reduction.combiner == Combiner::kAll;
  const DType dtype = logical ? DType::kBool : reduction.dtype;
  const Number x = value(accumulate.operands[0], dtype);
  switch (reduction.combiner) {
    case Combiner::kSum:
      if (is_floating(dtype)) {
        running.sum += as_double(x, dtype);
      } else {
        running.value = apply(ScalarFunction::kAdd, dtype, running.value, x);
      }
      break;
    case Combiner::kProduct:
      if (is_floating(dtype)) {
        running.sum *= as_double(x, dtype);
      } else {
        running.value = apply(ScalarFunction::kMultiply, dtype, running.value, x);
      }
      break;
    case Combiner::kMaximum:
      running.value = apply(ScalarFunction::kMaximum, dtype, running.value, x);
      break;
    case Combiner::kMinimum:
      running.value = apply(ScalarFunction::kMinimum, dtype, running.value, x);
      break;
    case Combiner::kAny:
      running.value = apply(ScalarFunction::kLogicalOr, dtype, running.value, x);
      break;
    case Combiner::kAll:
      running.value = apply(ScalarFunction::kLogicalAnd, dtype, running.value, x);
      break;
    case Combiner::kArgmax:
    case Combiner::kArgmin:
      accumulate_position(reduction, running, x,
                          as_integer(value(accumulate.operands[1], DType::kInt64), DType::kInt64));
      break;
    case Combiner::kWelford: {
      const double number = as_double(x, dtype);
      running.count += 1.0;
      const double delta = number - running.sum;
      running.sum += delta / running.count;
      running.squares += delta * (number - running.sum);
      break;
    }
  }
  ++at_;
}

/// The first nan, else the best value, the least position of equals.
void KernelInterpreter::accumulate_position(const Reduction& reduction, Running& running,
                                            const Number& value, int64_t position) {
  const DType dtype = reduction.dtype;
  const ScalarFunction better =
      reduction.combiner == Combiner::kArgmax ? ScalarFunction::kGreater : ScalarFunction::kLess;
  const auto holds = [&](ScalarFunction f, const Number& x, const Number& y) {
    return apply(f, dtype, x, y).bytes[0] != std::byte{0};
  };
  const bool old_nan = holds(ScalarFunction::kIsnan, running.value, running.value);
  const bool new_nan = holds(ScalarFunction::kIsnan, value, value);
  const bool same = (old_nan && new_nan) || holds(ScalarFunction::kEqual, value, running.value);
  const bool beats = !old_nan && (new_nan || holds(better, value, running.value));
  if (!beats && !(same && position < running.position)) return;
  running.value = value;
  running.position = position;
}

Number KernelInterpreter::reduction_value(StatementId id, uint8_t part) const {
  const auto& reduction = *kernel_[id].get_if<Reduction>();
  const Running& running = running_[index(id)];
  if (reduction.combiner == Combiner::kWelford) {
    const double parts[] = {running.sum, running.squares, running.count};
    return make_number(parts[part], reduction.dtype);
  }
  if (part == 1) return make_number(running.position, DType::kInt64);
  const bool kept_wide =
      reduction.combiner == Combiner::kSum || reduction.combiner == Combiner::kProduct;
  if (kept_wide && is_floating(reduction.dtype)) {
    return make_number(running.sum, reduction.dtype);
  }
  return running.value;
}

void KernelInterpreter::execute(const Scratch& scratch) {
  auto& memory = scratch_[index(scratch.buffer)];
  memory.resize(static_cast<size_t>(evaluate(kernel_[scratch.buffer].type.bytes())));
  buffers_[index(scratch.buffer)] = memory.data();
  ++at_;
}

void KernelInterpreter::execute(const Check& check) {
  if (truth(check.condition)) {
    ++at_;
  } else {
    failed_ = at_;
  }
}

std::string KernelInterpreter::text(uint32_t statement) const {
  const Statement& at = kernel_.statements[statement];
  if (at.get_if<Loop>() != nullptr) return fmt::format("{}", indices_[statement]);
  const Operand operand{StatementId(statement)};
  const auto dtype = kernel_.dtype(operand);
  if (!dtype) return "";
  const Number number = value(operand, *dtype);
  if (is_floating(*dtype)) return fmt::format("{:.9g}", as_double(number, *dtype));
  if (is_bool(*dtype)) return number.bytes[0] != std::byte{0} ? "True" : "False";
  return fmt::format("{}", as_integer(number, *dtype));
}

}  // namespace glint
