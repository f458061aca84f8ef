#include "backends/cuda/libraries/cudnn.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "backends/cuda/libraries/cublas_lt.h"
#include "backends/cuda/libraries/cudnn_api.h"
#include "backends/cuda/libraries/find_function.h"
#include "backends/cuda/libraries/load_library.h"
#include "backends/cuda/libraries/owned.h"
#include "backends/cuda/libraries/plan_cache.h"

namespace glint::cuda {

bool find_functions(void* library, CudnnApi& dnn) {
  return find_function(library, "cudnnGetVersion", dnn.version) &&
         find_function(library, "cudnnCreate", dnn.create) &&
         find_function(library, "cudnnSetStream", dnn.use_stream) &&
         find_function(library, "cudnnCreateTensorDescriptor", dnn.make_tensor) &&
         find_function(library, "cudnnDestroyTensorDescriptor", dnn.drop_tensor) &&
         find_function(library, "cudnnSetTensorNdDescriptor", dnn.set_tensor) &&
         find_function(library, "cudnnCreateFilterDescriptor", dnn.make_filter) &&
         find_function(library, "cudnnDestroyFilterDescriptor", dnn.drop_filter) &&
         find_function(library, "cudnnSetFilterNdDescriptor", dnn.set_filter) &&
         find_function(library, "cudnnCreateConvolutionDescriptor", dnn.make_convolution) &&
         find_function(library, "cudnnDestroyConvolutionDescriptor", dnn.drop_convolution) &&
         find_function(library, "cudnnSetConvolutionNdDescriptor", dnn.set_convolution) &&
         find_function(library, "cudnnSetConvolutionMathType", dnn.set_math) &&
         find_function(library, "cudnnSetConvolutionGroupCount", dnn.set_groups) &&
         find_function(library, "cudnnAddTensor", dnn.add) &&
         find_function(library, "cudnnGetConvolutionForwardAlgorithm_v7", dnn.forward.propose) &&
         find_function(library, "cudnnConvolutionForward", dnn.forward.run) &&
         find_function(library, "cudnnGetConvolutionBackwardDataAlgorithm_v7",
                       dnn.of_input.propose) &&
         find_function(library, "cudnnConvolutionBackwardData", dnn.of_input.run) &&
         find_function(library, "cudnnGetConvolutionBackwardFilterAlgorithm_v7",
                       dnn.of_weight.propose) &&
         find_function(library, "cudnnConvolutionBackwardFilter", dnn.of_weight.run);
}

struct DnnPlan {
  bool works = false;
  ConvolutionPass pass = ConvolutionPass::kForward;
  bool is_wide = false;  ///< of float64
  Owned<DnnTensor> x, y, bias;
  Owned<DnnFilter> w;
  Owned<DnnConvolution> how;
  int algorithm = 0;
  size_t workspace_bytes = 0;
};

size_t workspace_bytes(const DnnPlan& plan) {
  return plan.workspace_bytes;
}

namespace {

constexpr SoughtLibrary kCudnn = {.name = "cuDNN",
                                  .purpose = "NVIDIA's library for convolutions",
                                  .stem = "libcudnn",
                                  .versions = {"9", "8"},
                                  .folder = "cudnn",
                                  .package = "nvidia-cudnn-cu13",
                                  .variable = environment::Variable::kCudnn};

constexpr size_t kMostPlans = 256;
constexpr size_t kMostWorkspace = 256 << 20;
/// More than any pass has.
constexpr int kMostProposals = 8;

DnnType type_of(DType dtype) {
  switch (dtype) {
    case DType::kFloat64:
      return kDnnFloat64;
    case DType::kFloat16:
      return kDnnFloat16;
    case DType::kBFloat16:
      return kDnnBFloat16;
    default:
      return kDnnFloat32;
  }
}

using Numbers = std::vector<int>;

/// Sizes as the library takes them, at least two dimensions for windows; nothing where one is no
/// int, or the tensor has no elements or more than an int counts.
std::optional<Numbers> sizes_of(const std::vector<int64_t>& sizes) {
  constexpr int64_t kMost = INT32_MAX;
  int64_t count = 1;
  Numbers made;
  for (const int64_t size : sizes) {
    if (size <= 0 || size > kMost / count) return std::nullopt;
    count *= size;
    made.push_back(static_cast<int>(size));
  }
  if (made.size() == 3) made.insert(made.begin() + 2, 1);
  return made;
}

/// A number for each dimension; `first`: of one that is added.
std::optional<Numbers> numbers_of(const std::vector<int64_t>& given, int first) {
  Numbers made;
  for (const int64_t number : given) {
    if (number < 0 || number > INT32_MAX) return std::nullopt;
    made.push_back(static_cast<int>(number));
  }
  if (made.size() == 1) made.insert(made.begin(), first);
  return made;
}

Numbers packed_strides(const Numbers& sizes) {
  Numbers strides(sizes.size(), 1);
  for (size_t i = sizes.size() - 1; i-- > 0;) strides[i] = strides[i + 1] * sizes[i + 1];
  return strides;
}

using Key = std::vector<int64_t>;
Key key_of(const DnnCall& call) {
  Key key = {static_cast<int64_t>(call.pass), static_cast<int64_t>(call.dtype), call.groups,
             int64_t{call.allows_tf32}, int64_t{call.is_repeatable}};
  for (const auto* numbers :
       {&call.input, &call.weight, &call.stride, &call.padding, &call.dilation, &call.result})
    key.insert(key.end(), numbers->begin(), numbers->end());
  return key;
}

/// Fills a plan, call by call; the first that fails ends it.
class PlanMaker {
 public:
  PlanMaker(const CudnnApi& dnn, DnnHandle handle, const DnnCall& call)
      : dnn_(dnn), handle_(handle), call_(call) {}

  DnnPlan make() {
    DnnPlan plan;
    plan.pass = call_.pass;
    plan.is_wide = call_.dtype == DType::kFloat64;
    plan.works = describe(plan) && choose(plan);
    return plan;
  }

 private:
  static bool done(DnnStatus status) { return status == kDnnSuccess; }

  bool describe(DnnPlan& plan) {
    const auto input = sizes_of(call_.input), weight = sizes_of(call_.weight),
               result = sizes_of(call_.result);
    if (!input || !weight || !result) return false;
    const Numbers bias = [&] {
      Numbers sizes(result->size(), 1);
      sizes[1] = (*result)[1];
      return sizes;
    }();
    DnnFilter* filter = plan.w.made_with(dnn_.drop_filter);
    return set_tensor(plan.x, *input) && set_tensor(plan.y, *result) &&
           set_tensor(plan.bias, bias) && done(dnn_.make_filter(filter)) &&
           done(dnn_.set_filter(*filter, type_of(call_.dtype), kDnnRowMajor,
                                static_cast<int>(weight->size()), weight->data())) &&
           set_windows(plan);
  }

  bool set_tensor(Owned<DnnTensor>& tensor, const Numbers& sizes) {
    DnnTensor* made = tensor.made_with(dnn_.drop_tensor);
    return done(dnn_.make_tensor(made)) &&
           done(dnn_.set_tensor(*made, type_of(call_.dtype), static_cast<int>(sizes.size()),
                                sizes.data(), packed_strides(sizes).data()));
  }

  bool set_windows(DnnPlan& plan) {
    const auto stride = numbers_of(call_.stride, 1), padding = numbers_of(call_.padding, 0),
               dilation = numbers_of(call_.dilation, 1);
    if (!stride || !padding || !dilation) return false;
    DnnConvolution* made = plan.how.made_with(dnn_.drop_convolution);
    const DnnType sums = plan.is_wide ? kDnnFloat64 : kDnnFloat32;
    return done(dnn_.make_convolution(made)) &&
           done(dnn_.set_convolution(*made, static_cast<int>(stride->size()), padding->data(),
                                     stride->data(), dilation->data(), kDnnCrossCorrelation,
                                     sums)) &&
           done(dnn_.set_groups(*made, static_cast<int>(call_.groups))) &&
           done(dnn_.set_math(*made, wanted_math()));
  }

  DnnMath wanted_math() const {
    if (call_.dtype == DType::kFloat32 && !call_.allows_tf32) return kDnnFullMath;
    return dtype_size(call_.dtype) == 2 ? kDnnTensorMath : kDnnDefaultMath;
  }

  /// The first that works, fits, and gives the same bits each time where that is asked for.
  bool choose(DnnPlan& plan) {
    DnnProposal proposals[kMostProposals] = {};
    int found = 0;
    if (!done(propose(plan, &found, proposals))) return false;
    for (const DnnProposal& each : std::span(proposals, static_cast<size_t>(found))) {
      const bool repeats = !call_.is_repeatable || each.determinism == kDnnDeterministic;
      if (!done(each.status) || !repeats || each.workspace_bytes > kMostWorkspace) continue;
      plan.algorithm = each.algorithm;
      plan.workspace_bytes = each.workspace_bytes;
      return done(dnn_.set_math(plan.how.get(), each.math));
    }
    return false;
  }

  DnnStatus propose(const DnnPlan& plan, int* found, DnnProposal* proposals) {
    const DnnTensor x = plan.x.get(), y = plan.y.get();
    const DnnFilter w = plan.w.get();
    const DnnConvolution how = plan.how.get();
    switch (plan.pass) {
      case ConvolutionPass::kOfInput:
        return dnn_.of_input.propose(handle_, w, y, how, x, kMostProposals, found, proposals);
      case ConvolutionPass::kOfWeight:
        return dnn_.of_weight.propose(handle_, x, y, how, w, kMostProposals, found, proposals);
      case ConvolutionPass::kForward:
        break;
    }
    return dnn_.forward.propose(handle_, x, w, how, y, kMostProposals, found, proposals);
  }

  const CudnnApi& dnn_;
  DnnHandle handle_;
  const DnnCall& call_;
};

class LoadedCudnn final : public Cudnn {
 public:
  LoadedCudnn(std::string path, const CudnnApi& dnn)
      : path_(std::move(path)), dnn_(dnn), number_(dnn.version()) {
    const size_t major = number_ >= 90000 ? 10000 : 1000;
    version_ = fmt::format("{}.{}.{}", number_ / major, number_ % major / 100, number_ % 100);
  }
  const std::string& path() const override { return path_; }
  size_t number() const override { return number_; }
  const std::string& version() const override { return version_; }

  bool works() override {
    if (!opened_) open();
    return handle_ != nullptr;
  }
  const DnnPlan* plan(const DnnCall& call) override {
    if (!works()) return nullptr;
    const DnnPlan& found =
        plans_.find_or_make(key_of(call), [&] { return PlanMaker(dnn_, handle_, call).make(); });
    return found.works ? &found : nullptr;
  }

  std::optional<Error> run(const DnnPlan& plan, const DnnOperands& operands, uint64_t workspace,
                           uint64_t stream) override {
    if (auto fault = use(stream)) return fault;
    const auto at = [](uint64_t address) { return std::bit_cast<void*>(address); };
    const auto* one = plan.is_wide ? static_cast<const void*>(&kOne) : &kOneFloat;
    const auto* none = plan.is_wide ? static_cast<const void*>(&kZero) : &kZeroFloat;
    const DnnTensor x = plan.x.get(), y = plan.y.get();
    const DnnFilter w = plan.w.get();
    const DnnConvolution how = plan.how.get();
    void* room = at(workspace);
    switch (plan.pass) {
      case ConvolutionPass::kOfInput:
        return outcome(
            dnn_.of_input.run(handle_, one, w, at(operands.w), y, at(operands.y), how,
                              plan.algorithm, room, plan.workspace_bytes, none, x, at(operands.x)),
            "ConvolutionBackwardData");
      case ConvolutionPass::kOfWeight:
        return outcome(
            dnn_.of_weight.run(handle_, one, x, at(operands.x), y, at(operands.y), how,
                               plan.algorithm, room, plan.workspace_bytes, none, w, at(operands.w)),
            "ConvolutionBackwardFilter");
      case ConvolutionPass::kForward:
        break;
    }
    auto fault = outcome(
        dnn_.forward.run(handle_, one, x, at(operands.x), w, at(operands.w), how, plan.algorithm,
                         room, plan.workspace_bytes, none, y, at(operands.y)),
        "ConvolutionForward");
    if (fault || operands.bias == 0) return fault;
    return outcome(
        dnn_.add(handle_, one, plan.bias.get(), at(operands.bias), one, y, at(operands.y)),
        "AddTensor");
  }

 private:
  static constexpr double kOne = 1, kZero = 0;
  static constexpr float kOneFloat = 1, kZeroFloat = 0;

  /// A library that cannot work with the driver there is (it is newer) is as none.
  void open() {
    opened_ = true;
    // It looks for that one by its name only.
    static_cast<void>(load_cublas_lt());
    if (dnn_.create(&handle_) != kDnnSuccess) handle_ = nullptr;
  }
  std::optional<Error> use(uint64_t stream) {
    if (stream == stream_) return std::nullopt;
    stream_ = stream;
    return outcome(dnn_.use_stream(handle_, std::bit_cast<DnnStream>(stream)), "SetStream");
  }
  static std::optional<Error> outcome(DnnStatus status, std::string_view call) {
    if (status == kDnnSuccess) return std::nullopt;
    return Error{fmt::format("cuDNN error: status {} of `cudnn{}`", status, call)};
  }

  std::string path_;
  CudnnApi dnn_;
  size_t number_;
  std::string version_;
  bool opened_ = false;
  DnnHandle handle_ = nullptr;
  uint64_t stream_ = 0;  ///< that the handle works in
  PlanCache<Key, DnnPlan> plans_{kMostPlans};
};

Result<Cudnn*> find_cudnn() {
  CudnnApi dnn{};
  auto found = load_library(kCudnn, [&dnn](void* library) { return find_functions(library, dnn); });
  if (!found) return found.error();
  // Kept until the process ends, as the library is.
  return static_cast<Cudnn*>(new LoadedCudnn(std::move(found->path), dnn));
}

}  // namespace

const Result<Cudnn*>& load_cudnn() {
  static const Result<Cudnn*> loaded = find_cudnn();
  return loaded;
}

}  // namespace glint::cuda
