// Scalar functions of the kernel emitter: the templates of ops/scalar instantiated for LLVM IR,
// truth values and conversions. Those of integers are in emit_integer.cpp.
#include "backends/cpu/kernel_emitter.h"
#include "core/support/check.h"
#include "ops/scalar/apply.h"

namespace glint::cpu {
namespace {

bool is_half(DType dtype) {
  return dtype == DType::kFloat16 || dtype == DType::kBFloat16;
}

/// Whether two loads, each in a loop of its own, go over the same elements.
bool cover_the_same(const Kernel& kernel, StatementId x, StatementId y, StatementId x_loop,
                    StatementId y_loop) {
  const auto* first = kernel[x].get_if<Load>();
  const auto* second = kernel[y].get_if<Load>();
  if (first == nullptr || second == nullptr || first->mask || second->mask) return false;
  if (first->buffer != second->buffer) return false;
  if (!(kernel[x_loop].get_if<Loop>()->extent == kernel[y_loop].get_if<Loop>()->extent)) {
    return false;
  }
  std::vector<IndexExpression> renamed = first->indices;
  for (IndexExpression& expression : renamed) {
    for (IndexTerm& term : expression.terms) {
      if (term.variable == x_loop) term.variable = y_loop;
    }
  }
  return renamed == second->indices;
}

/// The innermost loop around a statement.
std::optional<StatementId> loop_around(const Kernel& kernel, StatementId id) {
  for (size_t i = index(id); i-- > 0;) {
    const auto* loop = kernel.statements[i].get_if<Loop>();
    if (loop != nullptr && index(loop->end) > index(id)) return StatementId(i);
  }
  return std::nullopt;
}

/// Whether `x` is an input's element less the maximum of the elements that its loop goes over: what
/// softmax takes the exponential of.
bool is_below_maximum(const Kernel& kernel, const Operand& x) {
  if (x.is_literal()) return false;
  const auto* difference = kernel[x.statement()].get_if<Compute>();
  if (difference == nullptr || difference->function != ScalarFunction::kSubtract) return false;
  const Operand& element = difference->operands[0];
  const Operand& greatest = difference->operands[1];
  if (element.is_literal() || greatest.is_literal()) return false;
  const auto* maximum = kernel[greatest.statement()].get_if<Reduction>();
  const auto* load = kernel[element.statement()].get_if<Load>();
  if (maximum == nullptr || maximum->combiner != Combiner::kMaximum || load == nullptr)
    return false;
  for (size_t i = index(greatest.statement()); i < index(x.statement()); ++i) {
    const auto* store = kernel.statements[i].get_if<Store>();
    if (store != nullptr && store->buffer == load->buffer) return false;
  }
  for (size_t i = index(greatest.statement()); i < index(x.statement()); ++i) {
    const auto* accumulate = kernel.statements[i].get_if<Accumulate>();
    if (accumulate == nullptr || accumulate->reduction != greatest.statement()) continue;
    const Operand& counted = accumulate->operands[0];
    const auto its_loop = loop_around(kernel, StatementId(i));
    const auto our_loop = loop_around(kernel, x.statement());
    return !counted.is_literal() && its_loop && our_loop &&
           cover_the_same(kernel, counted.statement(), element.statement(), *its_loop, *our_loop);
  }
  return false;
}

}  // namespace

void KernelEmitter::emit_compute(size_t i, const Compute& compute) {
  bool varying = false;
  for (const Operand& x : compute.operands) varying |= is_varying(x);
  const unsigned lanes = lanes_of(varying);
  const ScalarFunction function = compute.function;
  if (function == ScalarFunction::kCast) {
    const Operand& from = compute.operands[0];
    const DType source = dtype_of(from, compute.dtype);
    values_[i] = {convert(operand(from, source, varying), source, compute.dtype, lanes), varying};
    return;
  }
  std::vector<llvm::Value*> operands;
  for (size_t k = 0; k < compute.operands.size(); ++k) {
    const bool condition = function == ScalarFunction::kWhere && k == 0;
    const DType dtype = condition ? DType::kBool : compute.dtype;
    operands.push_back(operand(compute.operands[k], dtype, varying));
  }
  llvm::Value* result = nullptr;
  if (function == ScalarFunction::kWhere) {
    result = b().CreateSelect(operands[0], operands[1], operands[2]);
  } else if (function >= ScalarFunction::kLogicalAnd && function <= ScalarFunction::kLogicalNot) {
    llvm::Value* x = truth_value(compute.dtype, operands[0]);
    result = operands.size() == 1 ? b().CreateNot(x)
                                  : logical(function, x, truth_value(compute.dtype, operands[1]));
  } else if (is_floating(compute.dtype)) {
    result = floating(compute, operands, lanes);
  } else {
    result = integral(compute, operands, lanes);
  }
  values_[i] = {result, varying};
}

llvm::Value* KernelEmitter::logical(ScalarFunction function, llvm::Value* x, llvm::Value* y) {
  if (function == ScalarFunction::kLogicalAnd) return b().CreateAnd(x, y);
  if (function == ScalarFunction::kLogicalOr) return b().CreateOr(x, y);
  return b().CreateXor(x, y);
}

llvm::Value* KernelEmitter::floating(const Compute& compute,
                                     const std::vector<llvm::Value*>& operands, unsigned lanes) {
  const auto apply = [&](const auto& policy) -> llvm::Value* {
    const IrFloat x = policy.wrap(operands[0]);
    const IrFloat y = operands.size() > 1 ? policy.wrap(operands[1]) : x;
    const IrFloat z = operands.size() > 2 ? policy.wrap(operands[2]) : x;
    if (info(compute.function).result == ScalarResult::kBool) {
      return scalar::compare_floating(policy, compute.function, x, y);
    }
    if (compute.function == ScalarFunction::kExp && is_below_maximum(kernel_, compute.operands[0]))
      return scalar::exp_of_nonpositive(policy, x).value;
    return scalar::apply_floating(policy, compute.function, x, y, z).value;
  };
  if (compute.dtype == DType::kFloat64) return apply(IrLanes<double>(emission_, lanes));
  llvm::Value* result = apply(IrLanes<float>(emission_, lanes));
  if (info(compute.function).result == ScalarResult::kBool) return result;
  return round_to_storage(compute.dtype, result, lanes);
}

/// A float32 rounded to bfloat16 or float16, still as float32.
llvm::Value* KernelEmitter::round_to_storage(DType dtype, llvm::Value* value, unsigned lanes) {
  if (!is_half(dtype)) return value;
  auto* real = value_type(DType::kFloat32, lanes);
  if (dtype == DType::kFloat16) {
    return b().CreateFPExt(b().CreateFPTrunc(value, memory_type(dtype, lanes)), real);
  }
  auto* words = with_lanes(b().getInt32Ty(), lanes);
  const auto number = [&](uint32_t n) { return llvm::ConstantInt::get(words, n); };
  auto* bits = b().CreateBitCast(value, words);
  auto* odd = b().CreateAnd(b().CreateLShr(bits, number(16)), number(1));
  auto* sum = b().CreateAdd(b().CreateAdd(bits, number(0x7fff)), odd);
  auto* is_nan = b().CreateFCmpUNO(value, value);
  auto* rounded = b().CreateSelect(is_nan, b().CreateOr(bits, number(0x400000)), sum);
  return b().CreateBitCast(b().CreateAnd(rounded, number(0xffff0000)), real);
}

llvm::Value* KernelEmitter::truth_value(DType dtype, llvm::Value* value) {
  if (dtype == DType::kBool) return value;
  auto* zero = llvm::Constant::getNullValue(value->getType());
  return is_floating(dtype) ? b().CreateFCmpUNE(value, zero) : b().CreateICmpNE(value, zero);
}

llvm::Value* KernelEmitter::convert(llvm::Value* value, DType from, DType to, unsigned lanes) {
  if (from == to) return value;
  auto* type = value_type(to, lanes);
  if (is_bool(to)) return truth_value(from, value);
  const bool from_unsigned = from == DType::kUInt8 || is_bool(from);
  if (is_floating(from) && is_floating(to)) {
    if (from == DType::kFloat64) {
      llvm::Value* narrow = b().CreateFPTrunc(value, value_type(DType::kFloat32, lanes));
      return round_to_storage(to, narrow, lanes);
    }
    if (to == DType::kFloat64) return b().CreateFPExt(value, type);
    return round_to_storage(to, value, lanes);
  }
  if (is_floating(to)) {
    llvm::Value* real =
        from_unsigned ? b().CreateUIToFP(value, type) : b().CreateSIToFP(value, type);
    return round_to_storage(to, real, lanes);
  }
  if (is_floating(from)) {
    if (dtype_size(to) >= 4) return b().CreateFPToSI(value, type);
    auto* words = with_lanes(b().getInt32Ty(), lanes);
    return b().CreateTrunc(b().CreateFPToSI(value, words), type);
  }
  return from_unsigned ? b().CreateZExtOrTrunc(value, type) : b().CreateSExtOrTrunc(value, type);
}

}  // namespace glint::cpu
