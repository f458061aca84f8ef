// Library steps of a schedule: the operator's own eager kernel, on the schedule's memory.
//
//     call %c = mm_epilogue %a, %b, activation="relu"      entry mm_epilogue
//                                                          arguments  a, b, None, "relu"
//                                                          tensors    0 and 1
//
// The operator is looked up and its arguments are put in order once; a call fills in the tensors
// and the sizes.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "backends/backend.h"
#include "backends/running_call.h"
#include "ops/op.h"

namespace glint {

class PreparedLibraryCall {
 public:
  PreparedLibraryCall(const Schedule& schedule, const LibraryCall& call);

  /// Whoever runs the call takes a result's memory for that of an output, and says whether it did.
  using Take = std::function<bool(TensorId output, const Tensor& result)>;

  /// Calls the operator and leaves its results in the ready outputs. `tensor` gives the tensor on a
  /// schedule's memory. An operator that makes its results itself may have them taken, else they
  /// are copied. Returns what went wrong, if something did.
  RunStatus run(std::span<const int64_t> symbols, const std::function<Tensor(TensorId)>& tensor,
                const Take& take);

 private:
  /// A tensor that each call fills in.
  struct TensorArgument {
    size_t place;
    TensorId id;
  };
  /// Sizes, or a list with tensors or sizes in it, that each call fills in.
  struct OtherArgument {
    size_t place;
    ScheduleArgument argument;
  };
  /// Of a call in a run: nothing that it holds outlives it.
  class Binding;

  Tensor& tensor_at(size_t place) { return std::get<Tensor>(arguments_[place].value); }

  std::string text_;                  ///< by which its kernels are known
  CallLaunches* launched_ = nullptr;  ///< null: it did not run on a device yet
  std::string failed_check_;          ///< what the last call told of a check on a device
  RunStatus malformed_;               ///< the schedule makes a call that the operator does not take
  const ops::OpEntry* entry_ = nullptr;
  std::vector<ops::Argument> arguments_;  ///< in the order of the signature
  std::vector<TensorArgument> tensors_;
  std::vector<OtherArgument> others_;
  std::vector<TensorId> outputs_;
  std::vector<Tensor> ready_;       ///< the outputs of the run at hand
  std::vector<uint32_t> versions_;  ///< theirs before the run
};

}  // namespace glint
