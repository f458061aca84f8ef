// A call without what may change from one to the next: sizes become symbols, numbers inputs.
//
//     multiply(f32[3, 8], 2.5)     multiply(f32[s0, s1], number)   symbols 3, 8   numbers 2.5
//
// With a tensor that the result goes into, that is the first one, `%x` below; what shows the same
// elements is it too:
//
//     torch.add(y, 2.5, out=x)     add(%y, number), written into %x
//     x.add_(2.5)                  add(%x, number), written into %x
//
// A tensor of the processor without dimensions is a number too, of its own dtype.
// The key says all that is left; two calls of one key differ in symbols and numbers alone.
#pragma once

#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backends/backend.h"
#include "ir/graph.h"
#include "ops/element.h"
#include "ops/op.h"

namespace glint::device {

class AbstractCall {
 public:
  /// `target`, if there is one, is what the result is written into. It is the first tensor, and
  /// arguments that show the same elements are it.
  AbstractCall(const ops::OpEntry& entry, ops::Arguments arguments, const Tensor* target = nullptr);
  AbstractCall(const AbstractCall&) = delete;
  AbstractCall& operator=(const AbstractCall&) = delete;

  const std::string& key() const { return key_; }
  /// All of the key but the operator: calls of one kind differ in what they compute alone.
  std::string_view kind() const { return std::string_view(key_).substr(kind_begin_); }
  const std::vector<int64_t>& symbols() const { return symbols_; }
  bool has_target() const { return target_ != nullptr; }
  /// Whether an argument is the target.
  bool reads_target() const;
  /// What goes into a compiled graph: the tensors, then the numbers.
  std::vector<RunInput> inputs() const;

  /// The parameters of a graph for such calls, and its one call's arguments. The symbols are new
  /// ones of `shapes`, in the order of `symbols()`.
  std::vector<Argument> write_graph(Graph& graph, ShapeEnvironment& shapes) const;

 private:
  struct AbstractTensor {
    TensorImpl* tensor;
    std::vector<int> sizes;      ///< of each dimension, its symbol; else -1 - size
    std::vector<uint8_t> order;  ///< of a dense layout: dimensions, innermost first
    bool row_major = true;
  };
  struct Number {
    DType dtype;  ///< float64 or int64
    ops::Element value;
  };
  void add(const ops::Argument& argument);
  void add_sizes(const ops::Argument& argument);
  void add_number(const Scalar& number);
  void add_argument(const Tensor& tensor);
  void add_near_number(const Tensor& tensor);
  void add_tensor(const Tensor& tensor);
  void add_layout(const Tensor& tensor, AbstractTensor& made);
  template <class T>
  void add_plain(const T& value) {
    const auto bytes = std::as_bytes(std::span(&value, 1));
    key_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  int symbol_for(int64_t size, size_t place, const std::vector<int>& taken);
  static Argument written_sizes(const ops::Argument& argument, const std::vector<int>& chosen,
                                const std::vector<SymInt>& symbols);
  TensorType type_of(const AbstractTensor& tensor, const std::vector<SymInt>& symbols) const;

  const ops::OpEntry& entry_;
  ops::Arguments arguments_;
  const Tensor* target_;
  std::string key_;
  size_t kind_begin_ = 0;  ///< behind the operator
  std::vector<int64_t> symbols_;
  std::vector<AbstractTensor> tensors_;
  /// Of each argument that is a size, or sizes: their symbols; -1: it is as given.
  std::vector<std::vector<int>> listed_sizes_;
  std::vector<size_t> places_;  ///< of each tensor among the arguments, which of these it is
  std::deque<Number> numbers_;
  /// What became of each argument.
  enum class Role : uint8_t { kFixed, kNumber, kSize };
  std::vector<Role> roles_;
};

}  // namespace glint::device
