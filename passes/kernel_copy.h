// Statements of one kernel copied into another, with the buffers and origins that they name.
//
//     KernelCopy rest(whole, "sum");                     kernel sum(%out)
//     rest.copy(0);                                        acc = reduction sum : f32
//     rest.copy(4);                                        store %out[] = acc
//     Kernel kernel = rest.finish();
//
// Parameters stand in the order in which copied statements first name them; `parameters` says which
// of the original they are.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ir/kernel.h"

namespace glint::passes {

class KernelCopy {
 public:
  KernelCopy(const Kernel& from, std::string name);

  /// A parameter that the original has not.
  BufferId add_parameter(std::string name, TensorType type);
  /// A statement that the original has not; `origin` is one of the original's.
  StatementId add(Statement::Kind kind, std::string name, uint32_t origin);
  /// Ends a loop that was added.
  void close(StatementId loop);

  void copy(size_t statement);
  /// Whole loops only.
  void copy(size_t first, size_t last);
  StatementId place_of(size_t statement) const { return places_[statement]; }

  /// The original's loop becomes one over a block of its iterations, inside a loop over the blocks:
  /// copies name index `inside + size * blocks` where the original names its index.
  struct Block {
    StatementId blocks;
    StatementId inside;
    SymInt size;
  };
  void cut_loop(size_t loop, Block block);

  Kernel finish();
  /// Nothing for added ones.
  const std::vector<std::optional<BufferId>>& parameters() const { return parameters_; }

 private:
  void move_into_block(IndexExpression& expression) const;
  BufferId buffer(BufferId id);
  uint32_t copy_origin(uint32_t origin);

  const Kernel& from_;
  Kernel to_;
  std::vector<StatementId> places_;  ///< of the copies
  std::vector<std::optional<BufferId>> parameters_;
  std::map<uint32_t, uint32_t> origins_;
  std::optional<Block> block_;
};

}  // namespace glint::passes
