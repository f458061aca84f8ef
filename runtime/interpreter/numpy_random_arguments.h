// What the natives of `_numpy_random` share: the objects, and how arguments become sizes and
// columns.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/random/draws.h"
#include "ops/call.h"
#include "runtime/interpreter/torch_values.h"

namespace glint::runtime {

struct SourceObject final : NativeDataObject {
  std::unique_ptr<random::BitSource> bits;
  explicit SourceObject(ClassObject* of) : NativeDataObject(of) {}
};
struct StreamObject final : NativeDataObject {
  Ref<SourceObject> source;
  random::Draws draws;
  StreamObject(ClassObject* of, Ref<SourceObject> from, bool legacy)
      : NativeDataObject(of), source(std::move(from)), draws{*source->bits, legacy} {}
};

/// The methods of a `Stream`.
std::span<const NativeDefinition> numpy_stream_methods();

/// Words of 32 bits; false if it raised.
bool words_argument(NativeCall& call, size_t place, std::vector<uint32_t>& out);
Value words_value(std::span<const uint32_t> words);

/// An int or a sequence of ints.
bool size_argument(NativeCall& call, size_t place, Dims& out);
/// A contiguous tensor on the CPU, with its memory; an undefined handle if it raised.
Tensor tensor_argument(NativeCall& call, const Value& value, DType dtype);
bool read_number(NativeCall& call, const Value& value, double& out);
bool read_number(NativeCall& call, const Value& value, int64_t& out);

/// What `fill` makes of a new tensor of the size in an argument.
template <class Fill>
Value new_tensor(NativeCall& call, size_t size_place, DType dtype, Fill fill) {
  Dims size;
  if (!size_argument(call, size_place, size)) return Value();
  try {
    Tensor made = Tensor::empty(size, dtype);
    if (!fill(made)) return Value();
    return Value(std::move(made).take());
  } catch (const ops::OpError& error) {
    return raise_op_error(call.interpreter, error);
  }
}

template <class T>
std::span<const T> elements_of(const Tensor& tensor) {
  return {tensor.data<T>(), static_cast<size_t>(tensor.numel())};
}

/// A parameter: one number for all elements of the result, or one for each.
template <class T>
struct Column {
  Tensor kept;
  T number{};
  bool is_tensor() const { return kept.defined(); }
  T at(int64_t i) const { return is_tensor() ? kept.data<T>()[i] : number; }
};

template <class T>
bool read_column(NativeCall& call, const Value& value, Column<T>& out) {
  if (!is_tensor(value)) return read_number(call, value, out.number);
  out.kept = tensor_argument(call, value, kDTypeOf<T>);
  return out.kept.defined();
}
/// Whether a column has a number for each element.
template <class T>
bool fits(NativeCall& call, const Column<T>& column, const Tensor& made) {
  if (!column.is_tensor() || column.kept.numel() == made.numel()) return true;
  return call.raise("ValueError",
                    "Output size is not compatible with broadcast dimensions of inputs."),
         false;
}

}  // namespace glint::runtime
