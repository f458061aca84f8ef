// The backend policy of the scalar functions that appends LLVM instructions (see
// ops/scalar/lanes.h).
//
// `IrLanes<float>` and `IrLanes<double>` stand for one number or a vector of them, as the builder's
// values have it: `b.exp(x)` emits the same multiplications and additions, in the same order, that
// the eager loops execute. Arguments that need the C library (huge angles, fmod of far apart
// numbers) are rare: a vector is tested as a whole and `glint_patch_*` called for its lanes.
//
// Included only by the sources that emit LLVM IR.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "ops/scalar/slow_functions.h"

namespace glint::cpu {

using Builder = llvm::IRBuilder<>;

/// Where instructions go, shared by everything that emits one kernel.
struct Emission {
  llvm::Module& module;
  Builder& builder;
  /// The function's first block, for stack slots.
  llvm::BasicBlock* entry = nullptr;
  /// Whether the processor has AVX-512 (F and VL).
  bool avx512 = false;

  llvm::AllocaInst* stack_slot(llvm::Type* type, const char* name) {
    Builder at(entry, entry->getFirstInsertionPt());
    return at.CreateAlloca(type, nullptr, name);
  }
};

struct IrFloat {
  llvm::Value* value;
  Builder* builder;
  IrFloat operator-() const { return {builder->CreateFNeg(value), builder}; }
};
struct IrInt {
  llvm::Value* value;
  Builder* builder;
};

inline IrFloat operator+(IrFloat x, IrFloat y) {
  return {x.builder->CreateFAdd(x.value, y.value), x.builder};
}
inline IrFloat operator-(IrFloat x, IrFloat y) {
  return {x.builder->CreateFSub(x.value, y.value), x.builder};
}
inline IrFloat operator*(IrFloat x, IrFloat y) {
  return {x.builder->CreateFMul(x.value, y.value), x.builder};
}
inline IrFloat operator/(IrFloat x, IrFloat y) {
  return {x.builder->CreateFDiv(x.value, y.value), x.builder};
}
inline IrInt operator+(IrInt x, IrInt y) {
  return {x.builder->CreateAdd(x.value, y.value), x.builder};
}
inline IrInt operator-(IrInt x, IrInt y) {
  return {x.builder->CreateSub(x.value, y.value), x.builder};
}
inline IrInt operator&(IrInt x, IrInt y) {
  return {x.builder->CreateAnd(x.value, y.value), x.builder};
}
inline IrInt operator<<(IrInt x, IrInt y) {
  return {x.builder->CreateShl(x.value, y.value), x.builder};
}
inline IrInt operator>>(IrInt x, IrInt y) {
  return {x.builder->CreateAShr(x.value, y.value), x.builder};
}

template <class Real_>
class IrLanes {
 public:
  using Real = Real_;
  using Constants = scalar::Coefficients<Real>;
  using Float = IrFloat;
  using Int = IrInt;
  using Mask = llvm::Value*;
  using Wide = IrLanes<double>;

  /// `lanes` 0 means plain numbers rather than vectors.
  IrLanes(Emission& emission, unsigned lanes) : emission_(&emission), lanes_(lanes) {
    auto& context = emission.module.getContext();
    real_ = sizeof(Real) == 4 ? llvm::Type::getFloatTy(context) : llvm::Type::getDoubleTy(context);
    int_ = sizeof(Real) == 4 ? llvm::Type::getInt32Ty(context) : llvm::Type::getInt64Ty(context);
    if (lanes != 0) {
      real_ = llvm::FixedVectorType::get(real_, lanes);
      int_ = llvm::FixedVectorType::get(int_, lanes);
    }
  }

  Float wrap(llvm::Value* value) const { return {value, &builder()}; }
  Float real(double value) const { return wrap(llvm::ConstantFP::get(real_, rounded(value))); }
  Int integer(int64_t value) const {
    return {llvm::ConstantInt::getSigned(int_, value), &builder()};
  }

  Float fma(Float x, Float y, Float z) const {
    return wrap(
        builder().CreateIntrinsic(llvm::Intrinsic::fma, {real_}, {x.value, y.value, z.value}));
  }
  Float sqrt(Float x) const { return unary(llvm::Intrinsic::sqrt, x); }
  Float abs(Float x) const { return unary(llvm::Intrinsic::fabs, x); }
  Float floor(Float x) const { return unary(llvm::Intrinsic::floor, x); }
  Float ceil(Float x) const { return unary(llvm::Intrinsic::ceil, x); }
  Float trunc(Float x) const { return unary(llvm::Intrinsic::trunc, x); }
  Float round_even(Float x) const { return unary(llvm::Intrinsic::roundeven, x); }
  Float copysign(Float x, Float sign) const {
    return wrap(builder().CreateBinaryIntrinsic(llvm::Intrinsic::copysign, x.value, sign.value));
  }

  Mask less(Float x, Float y) const { return builder().CreateFCmpOLT(x.value, y.value); }
  Mask less_equal(Float x, Float y) const { return builder().CreateFCmpOLE(x.value, y.value); }
  Mask equal(Float x, Float y) const { return builder().CreateFCmpOEQ(x.value, y.value); }
  Mask unordered(Float x) const { return builder().CreateFCmpUNO(x.value, x.value); }
  Mask is_zero(Int x) const { return builder().CreateICmpEQ(x.value, integer(0).value); }
  Mask is_negative(Int x) const { return builder().CreateICmpSLT(x.value, integer(0).value); }
  Mask both(Mask x, Mask y) const { return builder().CreateAnd(x, y); }
  Mask either(Mask x, Mask y) const { return builder().CreateOr(x, y); }
  Mask negated(Mask x) const { return builder().CreateNot(x); }
  Float select(Mask mask, Float x, Float y) const {
    return wrap(builder().CreateSelect(mask, x.value, y.value));
  }

  Int bits(Float x) const { return {builder().CreateBitCast(x.value, int_), &builder()}; }
  Float from_bits(Int x) const { return wrap(builder().CreateBitCast(x.value, real_)); }

  Float lookup(const float (&table)[16], Int index) const;

  bool has_scale() const { return emission_->avx512 && lanes_ >= 4; }
  Float scale(Float x, Float n) const;

  Float patch(Mask mask, Float result, scalar::SlowUnary slow, Float x) const {
    return patch_by_name(mask, result, scalar::slow_function_name(slow), "glint_patch_unary", x, x);
  }
  Float patch(Mask mask, Float result, scalar::SlowBinary slow, Float x, Float y) const {
    return patch_by_name(mask, result, scalar::slow_function_name(slow), "glint_patch_binary", x,
                         y);
  }
  Float each(scalar::SlowUnary slow, Float x) const { return patch(all_lanes(), x, slow, x); }
  Float each(scalar::SlowBinary slow, Float x, Float y) const {
    return patch(all_lanes(), x, slow, x, y);
  }

  Wide wide() const { return Wide(*emission_, lanes_); }
  Float widen(Float x) const { return wrap(builder().CreateFPExt(x.value, wide().type())); }
  Float narrow(Float x) const { return wrap(builder().CreateFPTrunc(x.value, real_)); }

  llvm::Type* type() const { return real_; }
  Builder& builder() const { return emission_->builder; }

 private:
  static double rounded(double value) { return static_cast<double>(static_cast<Real>(value)); }

  Float unary(llvm::Intrinsic::ID id, Float x) const {
    return wrap(builder().CreateUnaryIntrinsic(id, x.value));
  }

  Mask all_lanes() const {
    llvm::Type* type = builder().getInt1Ty();
    if (lanes_ != 0) type = llvm::FixedVectorType::get(type, lanes_);
    return llvm::ConstantInt::get(type, 1);
  }

  Float patch_by_name(Mask mask, Float result, const char* slow, const char* helper, Float x,
                      Float y) const;

  Emission* emission_;
  unsigned lanes_;
  llvm::Type* real_;
  llvm::Type* int_;
};

/// A register's worth of `value` from lane `first` on; lanes beyond its end hold nothing.
inline llvm::Value* register_of(Builder& b, llvm::Value* value, unsigned first, unsigned width) {
  const auto count = llvm::cast<llvm::FixedVectorType>(value->getType())->getNumElements();
  if (first == 0 && width == count) return value;
  std::vector<int> lanes;
  for (unsigned lane = first; lane < first + width; ++lane) {
    lanes.push_back(lane < count ? static_cast<int>(lane) : llvm::PoisonMaskElem);
  }
  return b.CreateShuffleVector(value, lanes);
}

/// Registers of the same width, a power of two of them, in one vector of `lanes` lanes.
inline llvm::Value* joined_registers(Builder& b, std::vector<llvm::Value*> parts, unsigned lanes) {
  while (parts.size() > 1) {
    const auto count = llvm::cast<llvm::FixedVectorType>(parts[0]->getType())->getNumElements();
    std::vector<int> both(2 * count);
    std::iota(both.begin(), both.end(), 0);
    std::vector<llvm::Value*> joined;
    for (size_t i = 0; i < parts.size(); i += 2) {
      joined.push_back(b.CreateShuffleVector(parts[i], parts[i + 1], both));
    }
    parts = joined;
  }
  return register_of(b, parts[0], 0, lanes);
}

/// AVX-512 permutes a register that holds the table; elsewhere it is read from memory.
template <class Real>
IrFloat IrLanes<Real>::lookup(const float (&table)[16], Int index) const {
  Builder& b = builder();
  auto* constant = llvm::ConstantDataArray::get(b.getContext(), llvm::ArrayRef<float>(table));
  if (emission_->avx512 && lanes_ >= 4) {
    auto* numbers = llvm::ConstantDataVector::get(b.getContext(), llvm::ArrayRef<float>(table));
    std::vector<llvm::Value*> parts;
    for (unsigned first = 0; first < lanes_; first += 16) {
      parts.push_back(b.CreateIntrinsic(llvm::Intrinsic::x86_avx512_permvar_sf_512, {},
                                        {numbers, register_of(b, index.value, first, 16)}));
    }
    return wrap(joined_registers(b, std::move(parts), lanes_));
  }
  auto* memory = new llvm::GlobalVariable(emission_->module, constant->getType(), true,
                                          llvm::GlobalValue::PrivateLinkage, constant, "table");
  auto* place = b.CreateGEP(b.getFloatTy(), memory, (index & integer(15)).value);
  if (lanes_ == 0) return wrap(b.CreateLoad(real_, place));
  return wrap(b.CreateMaskedGather(real_, place, llvm::Align(4), all_lanes()));
}

/// A register at a time: the instruction has no vector type of its own in LLVM.
template <class Real>
IrFloat IrLanes<Real>::scale(Float x, Float n) const {
  Builder& b = builder();
  constexpr bool kSingle = sizeof(Real) == 4;
  const unsigned width = std::min<unsigned>(lanes_, 64 / sizeof(Real));
  const unsigned bits = width * sizeof(Real) * 8;
  using namespace llvm::Intrinsic;
  const ID id =
      bits == 512   ? (kSingle ? x86_avx512_mask_scalef_ps_512 : x86_avx512_mask_scalef_pd_512)
      : bits == 256 ? (kSingle ? x86_avx512_mask_scalef_ps_256 : x86_avx512_mask_scalef_pd_256)
                    : (kSingle ? x86_avx512_mask_scalef_ps_128 : x86_avx512_mask_scalef_pd_128);
  auto* mask = width == 16 ? b.getInt16(0xffff) : static_cast<llvm::ConstantInt*>(b.getInt8(0xff));
  std::vector<llvm::Value*> parts;
  for (unsigned first = 0; first < lanes_; first += width) {
    auto* part = register_of(b, x.value, first, width);
    std::vector<llvm::Value*> arguments = {part, register_of(b, n.value, first, width), part, mask};
    if (bits == 512) arguments.push_back(b.getInt32(4));  // the current rounding mode
    parts.push_back(b.CreateIntrinsic(id, {}, arguments));
  }
  return wrap(joined_registers(b, std::move(parts), lanes_));
}

template <class Real>
IrFloat IrLanes<Real>::patch_by_name(Mask mask, Float result, const char* slow, const char* helper,
                                     Float x, Float y) const {
  Builder& b = builder();
  auto* pointer = b.getPtrTy();
  const unsigned count = lanes_ == 0 ? 1 : lanes_;
  llvm::Value* any = lanes_ == 0 ? mask : b.CreateOrReduce(mask);
  auto* function = b.GetInsertBlock()->getParent();
  auto& context = b.getContext();
  auto* from = b.GetInsertBlock();
  auto* slow_block = llvm::BasicBlock::Create(context, "slow", function);
  auto* next = llvm::BasicBlock::Create(context, "patched", function);
  b.CreateCondBr(any, slow_block, next);

  b.SetInsertPoint(slow_block);
  llvm::Value* slots[3];
  llvm::Value* values[3] = {result.value, x.value, y.value};
  for (int i = 0; i < 3; ++i) {
    slots[i] = emission_->stack_slot(real_, "patch");
    b.CreateStore(values[i], slots[i]);
  }
  llvm::Value* bits = lanes_ == 0 ? mask : b.CreateBitCast(mask, b.getIntNTy(count));
  bits = b.CreateZExtOrTrunc(bits, b.getInt64Ty());
  const std::string name = std::string(helper) + (sizeof(Real) == 4 ? "_f32" : "_f64");
  auto* type = llvm::FunctionType::get(
      b.getVoidTy(), {pointer, b.getInt64Ty(), pointer, pointer, pointer, b.getInt64Ty()}, false);
  auto callee = emission_->module.getOrInsertFunction(name, type);
  auto* slow_value = emission_->module.getOrInsertGlobal(slow, b.getInt8Ty());
  b.CreateCall(callee, {slow_value, bits, slots[1], slots[2], slots[0], b.getInt64(count)});
  auto* patched = b.CreateLoad(real_, slots[0]);
  b.CreateBr(next);

  b.SetInsertPoint(next);
  auto* phi = b.CreatePHI(real_, 2);
  phi->addIncoming(result.value, from);
  phi->addIncoming(patched, slow_block);
  return wrap(phi);
}

}  // namespace glint::cpu
