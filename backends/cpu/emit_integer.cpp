// Integer functions of the kernel emitter. They are exact; ops/scalar/integer.h states them.
//
//     q = floor_divide a, b : i64     q = sdiv a, b, where b is neither 0 nor -1 (a select puts 1
//                                     there), less 1 where the remainder's sign is not b's
#include "backends/cpu/kernel_emitter.h"
#include "core/support/check.h"

namespace glint::cpu {
namespace {

/// One function of integers `x` and `y` of a dtype, or of vectors of them.
class IntegerFunction {
 public:
  IntegerFunction(Builder& builder, llvm::Module& module, DType dtype, unsigned lanes,
                  llvm::Value* first, llvm::Value* second)
      : builder_(builder), module_(module), dtype_(dtype), lanes_(lanes), x_(first), y_(second) {}

  llvm::Value* emit(ScalarFunction function) const {
    if (auto* value = arithmetic(function)) return value;
    if (auto* value = comparison(function)) return value;
    if (auto* value = bits(function)) return value;
    fail("an integer function that the emitter does not know");
  }

 private:
  llvm::Value* arithmetic(ScalarFunction function) const {
    switch (function) {
      case ScalarFunction::kAdd:
        return is_bool(dtype_) ? b().CreateOr(x_, y_) : b().CreateAdd(x_, y_);
      case ScalarFunction::kSubtract:
        return b().CreateSub(x_, y_);
      case ScalarFunction::kMultiply:
        return is_bool(dtype_) ? b().CreateAnd(x_, y_) : b().CreateMul(x_, y_);
      case ScalarFunction::kFloorDivide: {
        auto* quotient = divide(false);
        auto* off = off_by_one(divide(true));
        return b().CreateSub(quotient, b().CreateZExt(off, type()));
      }
      case ScalarFunction::kRemainder: {
        auto* remainder = divide(true);
        return b().CreateSelect(off_by_one(remainder), b().CreateAdd(remainder, y_), remainder);
      }
      case ScalarFunction::kFmod:
        return divide(true);
      case ScalarFunction::kPower:
        return power();
      case ScalarFunction::kMaximum:
        return b().CreateSelect(less(y_, x_), x_, y_);
      case ScalarFunction::kMinimum:
        return b().CreateSelect(less(x_, y_), x_, y_);
      case ScalarFunction::kNegative:
        return b().CreateNeg(x_);
      case ScalarFunction::kAbs:
        return is_unsigned() ? x_ : b().CreateSelect(less(x_, number(0)), b().CreateNeg(x_), x_);
      case ScalarFunction::kSign: {
        auto* positive = b().CreateZExt(b().CreateICmpNE(x_, number(0)), type());
        return is_unsigned() ? positive
                             : b().CreateSelect(less(x_, number(0)), number(-1), positive);
      }
      case ScalarFunction::kSquare:
        return b().CreateMul(x_, x_);
      case ScalarFunction::kFloor:
      case ScalarFunction::kCeil:
      case ScalarFunction::kRound:
      case ScalarFunction::kTrunc:
        return x_;
      default:
        return nullptr;
    }
  }

  llvm::Value* comparison(ScalarFunction function) const {
    switch (function) {
      case ScalarFunction::kIsnan:
      case ScalarFunction::kIsinf:
        return truth(false);
      case ScalarFunction::kIsfinite:
        return truth(true);
      case ScalarFunction::kSignbit:
        return is_unsigned() ? truth(false) : less(x_, number(0));
      case ScalarFunction::kEqual:
        return b().CreateICmpEQ(x_, y_);
      case ScalarFunction::kNotEqual:
        return b().CreateICmpNE(x_, y_);
      case ScalarFunction::kLess:
        return less(x_, y_);
      case ScalarFunction::kLessEqual:
        return b().CreateNot(less(y_, x_));
      case ScalarFunction::kGreater:
        return less(y_, x_);
      case ScalarFunction::kGreaterEqual:
        return b().CreateNot(less(x_, y_));
      default:
        return nullptr;
    }
  }

  llvm::Value* bits(ScalarFunction function) const {
    const int64_t width = is_bool(dtype_) ? 1 : static_cast<int64_t>(dtype_size(dtype_)) * 8;
    switch (function) {
      case ScalarFunction::kBitwiseAnd:
        return b().CreateAnd(x_, y_);
      case ScalarFunction::kBitwiseOr:
        return b().CreateOr(x_, y_);
      case ScalarFunction::kBitwiseXor:
        return b().CreateXor(x_, y_);
      case ScalarFunction::kBitwiseNot:
        return b().CreateNot(x_);
      case ScalarFunction::kShiftLeft: {
        auto* beyond = b().CreateICmpUGE(y_, number(width));
        auto* amount = b().CreateSelect(beyond, number(0), y_);
        return b().CreateSelect(beyond, number(0), b().CreateShl(x_, amount));
      }
      case ScalarFunction::kShiftRight: {
        auto* beyond = b().CreateICmpUGE(y_, number(width));
        auto* most = number(is_unsigned() ? 0 : width - 1);
        auto* amount = b().CreateSelect(beyond, most, y_);
        if (!is_unsigned()) return b().CreateAShr(x_, amount);
        return b().CreateSelect(beyond, number(0), b().CreateLShr(x_, amount));
      }
      default:
        return nullptr;
    }
  }

  /// Division by 0 and by -1 never reach the instruction.
  llvm::Value* divide(bool want_remainder) const {
    auto* zero = number(0);
    auto* by_zero = b().CreateICmpEQ(y_, zero);
    if (is_unsigned()) {
      auto* divisor = b().CreateSelect(by_zero, number(1), y_);
      auto* result = want_remainder ? b().CreateURem(x_, divisor) : b().CreateUDiv(x_, divisor);
      return b().CreateSelect(by_zero, zero, result);
    }
    auto* by_minus_one = b().CreateICmpEQ(y_, number(-1));
    auto* divisor = b().CreateSelect(b().CreateOr(by_zero, by_minus_one), number(1), y_);
    auto* result = want_remainder ? b().CreateSRem(x_, divisor) : b().CreateSDiv(x_, divisor);
    auto* negated = want_remainder ? zero : b().CreateNeg(x_);
    result = b().CreateSelect(by_minus_one, negated, result);
    return b().CreateSelect(by_zero, zero, result);
  }

  /// Whether the remainder is not zero and differs in sign from the divisor.
  llvm::Value* off_by_one(llvm::Value* remainder) const {
    if (is_unsigned()) return truth(false);
    return b().CreateAnd(b().CreateICmpNE(remainder, number(0)),
                         b().CreateICmpSLT(b().CreateXor(remainder, y_), number(0)));
  }

  /// A function in C++, called for each lane.
  llvm::Value* power() const {
    auto* wide = b().getInt64Ty();
    auto callee = module_.getOrInsertFunction("glint_power_i64",
                                              llvm::FunctionType::get(wide, {wide, wide}, false));
    const auto call = [&](llvm::Value* base, llvm::Value* exponent) {
      auto* p = is_unsigned() ? b().CreateZExt(base, wide) : b().CreateSExt(base, wide);
      auto* q = is_unsigned() ? b().CreateZExt(exponent, wide) : b().CreateSExt(exponent, wide);
      return b().CreateTrunc(b().CreateCall(callee, {p, q}), type()->getScalarType());
    };
    if (lanes_ == 0) return call(x_, y_);
    llvm::Value* result = llvm::PoisonValue::get(type());
    for (unsigned lane = 0; lane < lanes_; ++lane) {
      auto* one = call(b().CreateExtractElement(x_, lane), b().CreateExtractElement(y_, lane));
      result = b().CreateInsertElement(result, one, lane);
    }
    return result;
  }

  Builder& b() const { return builder_; }
  llvm::Value* less(llvm::Value* p, llvm::Value* q) const {
    return is_unsigned() ? b().CreateICmpULT(p, q) : b().CreateICmpSLT(p, q);
  }
  bool is_unsigned() const { return dtype_ == DType::kUInt8 || is_bool(dtype_); }
  llvm::Type* type() const { return x_->getType(); }
  llvm::Value* number(int64_t n) const { return llvm::ConstantInt::getSigned(type(), n); }
  llvm::Value* truth(bool value) const {
    return llvm::ConstantInt::get(llvm::CmpInst::makeCmpResultType(type()), value);
  }

  Builder& builder_;
  llvm::Module& module_;
  DType dtype_;
  unsigned lanes_;
  llvm::Value* x_;
  llvm::Value* y_;
};

}  // namespace

llvm::Value* KernelEmitter::integral(const Compute& compute,
                                     const std::vector<llvm::Value*>& operands, unsigned lanes) {
  llvm::Value* second = operands.size() > 1 ? operands[1] : operands[0];
  return IntegerFunction(b(), module_, compute.dtype, lanes, operands[0], second)
      .emit(compute.function);
}

}  // namespace glint::cpu
