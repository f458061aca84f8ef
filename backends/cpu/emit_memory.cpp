// Addresses, loads and stores of the kernel emitter.
//
// An access is affine: a uniform part, so many elements a lane, and possibly an offset that each
// lane has loaded. A step of 1 is a vector load; another step (but see emit_across.cpp), or an
// offset, a gather; no step at all one load for all lanes.
#include "backends/cpu/kernel_emitter.h"
#include "core/support/check.h"

namespace glint::cpu {

llvm::Value* KernelEmitter::size(SymInt expression) {
  if (const auto constant = expression.maybe_constant()) return b().getInt64(*constant);
  auto [found, inserted] = sizes_.try_emplace(expression.key(), nullptr);
  if (inserted) {
    // Read once, at the start of the function.
    Builder at(emission_.entry, emission_.entry->getTerminator()->getIterator());
    at.SetCurrentDebugLocation(line_of(0));
    auto* slot = at.CreateConstInBoundsGEP1_64(at.getInt64Ty(), function_->getArg(kSizes),
                                               size_expressions_.size());
    found->second = at.CreateLoad(at.getInt64Ty(), slot, "size");
    size_expressions_.push_back(expression);
  }
  return found->second;
}

/// The value of an affine expression; varying where it holds the axis in lanes.
Emitted KernelEmitter::index_value(const IndexExpression& expression) {
  llvm::Value* uniform = size(expression.constant);
  llvm::Value* varying = nullptr;
  for (const IndexTerm& term : expression.terms) {
    const Emitted variable = values_[index(term.variable)];
    llvm::Value* factor = size(term.coefficient);
    if (variable.varying) {
      auto* product = b().CreateMul(variable.value, spread(factor));
      varying = varying == nullptr ? product : b().CreateAdd(varying, product);
      continue;
    }
    uniform = b().CreateAdd(uniform, b().CreateMul(variable.value, factor));
    if (lane_axis_ == term.variable) {
      std::vector<llvm::Constant*> numbers;
      for (unsigned lane = 0; lane < lanes_; ++lane) numbers.push_back(b().getInt64(lane));
      auto* steps = b().CreateMul(llvm::ConstantVector::get(numbers), spread(factor));
      varying = varying == nullptr ? steps : b().CreateAdd(varying, steps);
    }
  }
  if (varying == nullptr) return {uniform, false};
  return {b().CreateAdd(spread(uniform), varying), true};
}

KernelEmitter::Place KernelEmitter::place(BufferId buffer,
                                          const std::vector<IndexExpression>& indices) {
  const auto strides = kernel_[buffer].type.full_strides();
  IndexExpression flat;
  for (size_t d = 0; d < indices.size(); ++d) flat = flat + indices[d] * strides[d];
  Place place;
  llvm::Value* uniform = size(flat.constant);
  for (const IndexTerm& term : flat.terms) {
    const Emitted variable = values_[index(term.variable)];
    llvm::Value* factor = size(term.coefficient);
    if (variable.varying) {
      auto* product = b().CreateMul(variable.value, spread(factor));
      place.varying = place.varying == nullptr ? product : b().CreateAdd(place.varying, product);
      continue;
    }
    uniform = b().CreateAdd(uniform, b().CreateMul(variable.value, factor));
    if (lane_axis_ == term.variable) place.lane_step = term.coefficient;
  }
  place.uniform = uniform;
  return place;
}

llvm::Value* KernelEmitter::element_pointer(BufferId buffer, llvm::Value* element) {
  check(buffers_[index(buffer)] != nullptr, "a buffer is opened before it is used");
  return b().CreateInBoundsGEP(memory_type(kernel_[buffer].type.dtype, 0), buffers_[index(buffer)],
                               element);
}

llvm::Value* KernelEmitter::lane_pointers(BufferId buffer, const Place& place) {
  llvm::Value* offsets = spread(place.uniform);
  if (place.lane_step) {
    std::vector<llvm::Constant*> numbers;
    for (unsigned lane = 0; lane < lanes_; ++lane) numbers.push_back(b().getInt64(lane));
    offsets = b().CreateAdd(
        offsets, b().CreateMul(llvm::ConstantVector::get(numbers), spread(size(*place.lane_step))));
  }
  if (place.varying != nullptr) offsets = b().CreateAdd(offsets, place.varying);
  return b().CreateGEP(memory_type(kernel_[buffer].type.dtype, 0), buffers_[index(buffer)],
                       offsets);
}

/// Says that an access to one buffer touches no other, unless one lies over the other.
void KernelEmitter::tag_memory(llvm::Instruction* access, BufferId buffer) {
  auto& context = module_.getContext();
  const auto overlaps = [&](BufferId a, BufferId other) {
    return a == other || kernel_[a].over == other || kernel_[other].over == a ||
           (kernel_[a].over && kernel_[a].over == kernel_[other].over);
  };
  llvm::SmallVector<llvm::Metadata*, 8> others;
  const auto written = kernel_.written();
  const auto is_written = [&](size_t i) { return i >= kernel_.parameter_count || written[i]; };
  for (size_t i = 0; i < kernel_.buffers.size(); ++i) {
    // Two buffers that are only read may be the same memory.
    if (!is_written(i) && !is_written(index(buffer))) continue;
    if (!overlaps(buffer, BufferId(i))) others.push_back(alias_scopes_[i]);
  }
  access->setMetadata(llvm::LLVMContext::MD_alias_scope,
                      llvm::MDNode::get(context, {alias_scopes_[index(buffer)]}));
  if (!others.empty()) {
    access->setMetadata(llvm::LLVMContext::MD_noalias, llvm::MDNode::get(context, others));
  }
}

void KernelEmitter::emit_load(size_t i, const Load& load) {
  const DType dtype = kernel_[load.buffer].type.dtype;
  const Place at = place(load.buffer, load.indices);
  const llvm::Align alignment(dtype_size(dtype));
  const bool mask_varies = load.mask && is_varying(*load.mask);
  const bool varying = at.lane_step || at.varying != nullptr || mask_varies;
  const unsigned lanes = lanes_of(varying);
  llvm::Value* mask = load.mask ? operand(*load.mask, DType::kBool, varying) : nullptr;
  llvm::Value* lane_mask = varying ? lane_mask_ : nullptr;
  if (varying && mask != nullptr) {
    lane_mask = lane_mask == nullptr ? mask : b().CreateAnd(mask, lane_mask);
  }

  llvm::Value* stored = nullptr;
  auto* type = memory_type(dtype, lanes);
  if (!varying) {
    llvm::Value* pointer = element_pointer(load.buffer, at.uniform);
    if (mask != nullptr) {
      // Where the mask forbids the access, a slot of the stack is read instead.
      auto* slot = emission_.stack_slot(type, "masked");
      pointer = b().CreateSelect(mask, pointer, slot);
    }
    auto* access = b().CreateAlignedLoad(type, pointer, alignment);
    if (mask == nullptr) tag_memory(access, load.buffer);
    stored = access;
  } else if (at.varying == nullptr && at.lane_step && at.lane_step->is(1)) {
    llvm::Value* pointer = element_pointer(load.buffer, at.uniform);
    prefetch_soon(pointer, dtype);
    llvm::Instruction* access = nullptr;
    if (lane_mask == nullptr) {
      access = b().CreateAlignedLoad(type, pointer, alignment);
    } else {
      access = b().CreateMaskedLoad(type, pointer, alignment, lane_mask,
                                    llvm::Constant::getNullValue(type));
    }
    tag_memory(access, load.buffer);
    stored = access;
  } else if (tiles_.contains(i)) {
    stored = tile_row(i, dtype);
  } else if (at.varying == nullptr && at.lane_step && lane_mask == nullptr &&
             is_short_step(*at.lane_step)) {
    stored =
        load_every(load, element_pointer(load.buffer, at.uniform), *at.lane_step->maybe_constant());
  } else {
    llvm::Value* pointers = lane_pointers(load.buffer, at);
    llvm::Value* allowed = lane_mask == nullptr ? all_lanes_mask() : lane_mask;
    auto* access = b().CreateMaskedGather(type, pointers, alignment, allowed,
                                          llvm::Constant::getNullValue(type));
    tag_memory(access, load.buffer);
    stored = access;
  }
  llvm::Value* value = decode(dtype, stored, lanes);
  if (mask != nullptr) {
    value = b().CreateSelect(mask, value, operand(*load.otherwise, dtype, varying));
  }
  values_[i] = {value, varying};
}

void KernelEmitter::emit_store(const Store& store) {
  const DType dtype = kernel_[store.buffer].type.dtype;
  const Place at = place(store.buffer, store.indices);
  const llvm::Align alignment(dtype_size(dtype));
  const bool varying = at.lane_step || at.varying != nullptr;
  llvm::Value* value = encode(dtype, operand(store.value, dtype, varying), lanes_of(varying));
  llvm::Value* mask = store.mask ? operand(*store.mask, DType::kBool, varying) : nullptr;
  if (!varying) {
    llvm::Value* pointer = element_pointer(store.buffer, at.uniform);
    if (mask != nullptr) {
      pointer = b().CreateSelect(mask, pointer, emission_.stack_slot(value->getType(), "masked"));
    }
    auto* access = b().CreateAlignedStore(value, pointer, alignment);
    if (mask == nullptr) tag_memory(access, store.buffer);
    return;
  }
  llvm::Value* lane_mask = lane_mask_;
  if (mask != nullptr) lane_mask = lane_mask == nullptr ? mask : b().CreateAnd(mask, lane_mask);
  llvm::Instruction* access = nullptr;
  if (at.varying == nullptr && at.lane_step->is(1)) {
    llvm::Value* pointer = element_pointer(store.buffer, at.uniform);
    if (lane_mask == nullptr) {
      access = b().CreateAlignedStore(value, pointer, alignment);
    } else {
      access = b().CreateMaskedStore(value, pointer, alignment, lane_mask);
    }
  } else {
    access = b().CreateMaskedScatter(value, lane_pointers(store.buffer, at), alignment,
                                     lane_mask == nullptr ? all_lanes_mask() : lane_mask);
  }
  tag_memory(access, store.buffer);
}

/// From memory's form to a value's: see `value_type` and `memory_type`.
llvm::Value* KernelEmitter::decode(DType dtype, llvm::Value* stored, unsigned lanes) {
  switch (dtype) {
    case DType::kBool:
      return b().CreateICmpNE(stored, llvm::Constant::getNullValue(stored->getType()));
    case DType::kFloat16:
      return b().CreateFPExt(stored, value_type(dtype, lanes));
    case DType::kBFloat16: {
      auto* words = b().CreateZExt(stored, with_lanes(b().getInt32Ty(), lanes));
      return b().CreateBitCast(b().CreateShl(words, 16), value_type(dtype, lanes));
    }
    default:
      return stored;
  }
}

llvm::Value* KernelEmitter::encode(DType dtype, llvm::Value* value, unsigned lanes) {
  switch (dtype) {
    case DType::kBool:
      return b().CreateZExt(value, memory_type(dtype, lanes));
    case DType::kFloat16:
      return b().CreateFPTrunc(value, memory_type(dtype, lanes));
    case DType::kBFloat16: {
      // The value is rounded already: its upper half is exact.
      auto* words = b().CreateBitCast(value, with_lanes(b().getInt32Ty(), lanes));
      return b().CreateTrunc(b().CreateLShr(words, 16), memory_type(dtype, lanes));
    }
    default:
      return value;
  }
}

}  // namespace glint::cpu
