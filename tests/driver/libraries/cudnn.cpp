// A stand-in for NVIDIA's libcudnn.so.9, for tests on machines without a GPU: it convolves on the
// processor, in memory of the stand-in driver (tests/driver), and is stricter than the real one.
//
//     GLINT_CUDNN=build/release/driver LD_LIBRARY_PATH=build/release/driver glint script.py
//
// Wrong use is an error status: descriptors that were never set, tensors that are not packed or do
// not fit together, fewer than four dimensions, an algorithm that was not proposed, a workspace of
// another size. Of the algorithms that it proposes the first does not work, the second needs more
// memory than there is, the third is not repeatable. To try the way back, it has none for windows 5
// wide.
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
#endif

#include <algorithm>
#include <cstdio>
#include <functional>
#include <numeric>
#include <vector>

#include "tests/driver/libraries/cudnn_names.h"
#include "tests/driver/libraries/driver_memory.h"

namespace {

using namespace glint::driver;

constexpr size_t kVersion = 91900;
constexpr int kRefusedWidth = 5;
/// The algorithms that work: one that may vary, one that does not, and their workspace.
constexpr int kFast = 3, kSteady = 1;
constexpr size_t kFastBytes = 512, kSteadyBytes = 1024;

struct Handle {
  cudaStream_t stream = nullptr;
};
/// A tensor, or a filter.
struct Array {
  cudnnDataType_t type = CUDNN_DATA_FLOAT;
  std::vector<int> sizes;

  size_t count() const {
    return std::accumulate(sizes.begin(), sizes.end(), size_t{1}, std::multiplies<>());
  }
};
struct How {
  std::vector<int> padding, stride, dilation;
  cudnnDataType_t computes_in = CUDNN_DATA_FLOAT;
  cudnnMathType_t math = CUDNN_DEFAULT_MATH;
  int groups = 1;
};

template <class T, class Object>
T& of(Object object) {
  return *reinterpret_cast<T*>(object);
}

template <class T, class Object>
cudnnStatus_t make(Object* made) {
  *made = reinterpret_cast<Object>(new T);
  return CUDNN_STATUS_SUCCESS;
}
template <class T, class Object>
cudnnStatus_t drop(Object object) {
  delete &of<T>(object);
  return CUDNN_STATUS_SUCCESS;
}

ElementType element_of(cudnnDataType_t type) {
  if (type == CUDNN_DATA_DOUBLE) return ElementType::kFloat64;
  if (type == CUDNN_DATA_HALF) return ElementType::kFloat16;
  return type == CUDNN_DATA_BFLOAT16 ? ElementType::kBFloat16 : ElementType::kFloat32;
}

/// One convolution, as its descriptors have it.
struct Call {
  const Array& x;
  const Array& w;
  const Array& y;
  const How& how;

  size_t dims() const { return x.sizes.size() - 2; }
  cudnnStatus_t check() const {
    const size_t rank = x.sizes.size();
    if (rank < 4 || w.sizes.size() != rank || y.sizes.size() != rank || how.stride.size() != dims())
      return CUDNN_STATUS_BAD_PARAM;
    const bool alike = x.type == w.type && w.type == y.type &&
                       (how.computes_in == CUDNN_DATA_DOUBLE) == (x.type == CUDNN_DATA_DOUBLE);
    const bool fits = x.sizes[0] == y.sizes[0] && x.sizes[1] == w.sizes[1] * how.groups &&
                      y.sizes[1] == w.sizes[0] && w.sizes[0] % how.groups == 0;
    if (!alike || !fits) return CUDNN_STATUS_BAD_PARAM;
    for (size_t i = 0; i < dims(); ++i) {
      const int reach = (w.sizes[2 + i] - 1) * how.dilation[i] + 1;
      const int room = x.sizes[2 + i] + 2 * how.padding[i] - reach;
      if (room < 0 || y.sizes[2 + i] != room / how.stride[i] + 1) return CUDNN_STATUS_BAD_PARAM;
    }
    return w.sizes.back() == kRefusedWidth ? CUDNN_STATUS_NOT_SUPPORTED : CUDNN_STATUS_SUCCESS;
  }

  /// Calls `use(x, w, y)`, the places of each product that is part of the result.
  template <class F>
  void for_each_product(const F& use) const {
    const int outputs = w.sizes[0] / how.groups, channels = w.sizes[1];
    std::vector<int> place(y.sizes.size());
    for (size_t at = 0; at < y.count(); ++at) {
      unravel(at, y.sizes, place);
      std::vector<int> tap(w.sizes.size());
      for (size_t k = 0; k < w.count() / size_t(w.sizes[0]); ++k) {
        unravel(k, w.sizes, tap);
        const int channel = place[1] / outputs * channels + tap[1];
        size_t seen = size_t(place[0]) * size_t(x.sizes[1]) + size_t(channel);
        bool inside = true;
        for (size_t i = 0; i < dims() && inside; ++i) {
          const int of_x =
              place[2 + i] * how.stride[i] + tap[2 + i] * how.dilation[i] - how.padding[i];
          inside = of_x >= 0 && of_x < x.sizes[2 + i];
          seen = seen * size_t(x.sizes[2 + i]) + size_t(of_x);
        }
        if (inside) use(seen, size_t(place[1]) * (w.count() / size_t(w.sizes[0])) + k, at);
      }
    }
  }

 private:
  static void unravel(size_t rest, const std::vector<int>& sizes, std::vector<int>& place) {
    for (size_t i = sizes.size(); i-- > 0;) {
      place[i] = int(rest % size_t(sizes[i]));
      rest /= size_t(sizes[i]);
    }
  }
};

template <class Proposal>
cudnnStatus_t propose(const Call& call, int most, int* found, Proposal* proposals) {
  *found = 0;
  if (const cudnnStatus_t status = call.check(); status != CUDNN_STATUS_SUCCESS) return status;
  const auto add = [&](int algorithm, cudnnStatus_t status, size_t bytes, bool repeats) {
    if (*found == most) return;
    Proposal& made = proposals[(*found)++];
    made = {};
    made.algo = static_cast<decltype(made.algo)>(algorithm);
    made.status = status;
    made.memory = bytes;
    made.determinism = repeats ? CUDNN_DETERMINISTIC : CUDNN_NON_DETERMINISTIC;
    made.mathType = call.how.math;
  };
  add(0, CUDNN_STATUS_NOT_SUPPORTED, 0, true);
  add(2, CUDNN_STATUS_SUCCESS, size_t{1} << 40, true);
  add(kFast, CUDNN_STATUS_SUCCESS, kFastBytes, false);
  add(kSteady, CUDNN_STATUS_SUCCESS, kSteadyBytes, true);
  return CUDNN_STATUS_SUCCESS;
}

enum class Result { kX, kW, kY };

std::string text_of(const std::vector<int>& sizes) {
  std::string text;
  for (const int size : sizes) text += (text.empty() ? "" : "x") + std::to_string(size);
  return text;
}

struct Addresses {
  const void* x;
  const void* w;
  const void* y;
};

bool read(const DriverMemory& memory, const void* address, const Array& array,
          std::vector<double>& values) {
  return memory.read(address, element_of(array.type), values);
}

cudnnStatus_t run(const char* name, Handle& handle, const Call& call, Result wanted,
                  const Addresses& at, int algorithm, void* workspace, size_t bytes,
                  const void* alpha, const void* beta) {
  if (const cudnnStatus_t status = call.check(); status != CUDNN_STATUS_SUCCESS) return status;
  const bool wide = call.x.type == CUDNN_DATA_DOUBLE;
  const auto number = [wide](const void* place) {
    return wide ? *static_cast<const double*>(place) : double{*static_cast<const float*>(place)};
  };
  const size_t needed = algorithm == kFast ? kFastBytes : kSteadyBytes;
  const bool known =
      (algorithm == kFast || algorithm == kSteady) && bytes == needed && workspace != nullptr;
  if (!known || number(alpha) != 1.0 || number(beta) != 0.0) return CUDNN_STATUS_BAD_PARAM;
  const DriverMemory& memory = DriverMemory::open();
  std::vector<double> x(call.x.count()), w(call.w.count()), y(call.y.count());
  const bool ready = memory.finish(handle.stream) && memory.spoil(workspace, bytes) &&
                     (wanted == Result::kX || read(memory, at.x, call.x, x)) &&
                     (wanted == Result::kW || read(memory, at.w, call.w, w)) &&
                     (wanted == Result::kY || read(memory, at.y, call.y, y));
  if (!ready) return CUDNN_STATUS_EXECUTION_FAILED;
  call.for_each_product([&](size_t of_x, size_t of_w, size_t of_y) {
    if (wanted == Result::kX)
      x[of_x] += y[of_y] * w[of_w];
    else if (wanted == Result::kW)
      w[of_w] += x[of_x] * y[of_y];
    else
      y[of_y] += x[of_x] * w[of_w];
  });
  const void* target = wanted == Result::kX ? at.x : wanted == Result::kW ? at.w : at.y;
  const std::vector<double>& made = wanted == Result::kX ? x : wanted == Result::kW ? w : y;
  if (!memory.write(const_cast<void*>(target), element_of(call.x.type), made))
    return CUDNN_STATUS_EXECUTION_FAILED;
  DriverMemory::log(std::string(name) + " " + text_of(call.x.sizes) + " by " +
                    text_of(call.w.sizes) + ", algorithm " + std::to_string(algorithm) + ", math " +
                    std::to_string(call.how.math));
  return CUDNN_STATUS_SUCCESS;
}

}  // namespace

extern "C" {

#define FAKE __attribute__((visibility("default")))

FAKE size_t cudnnGetVersion() {
  return kVersion;
}
FAKE cudnnStatus_t cudnnCreate(cudnnHandle_t* made) {
  return make<Handle>(made);
}
FAKE cudnnStatus_t cudnnSetStream(cudnnHandle_t handle, cudaStream_t stream) {
  of<Handle>(handle).stream = stream;
  return CUDNN_STATUS_SUCCESS;
}

FAKE cudnnStatus_t cudnnCreateTensorDescriptor(cudnnTensorDescriptor_t* made) {
  return make<Array>(made);
}
FAKE cudnnStatus_t cudnnDestroyTensorDescriptor(cudnnTensorDescriptor_t object) {
  return drop<Array>(object);
}
FAKE cudnnStatus_t cudnnSetTensorNdDescriptor(cudnnTensorDescriptor_t object, cudnnDataType_t type,
                                              int rank, const int sizes[], const int strides[]) {
  int packed = 1;
  for (int i = rank - 1; i >= 0; --i) {
    if (sizes[i] < 1 || strides[i] != packed) return CUDNN_STATUS_BAD_PARAM;
    packed *= sizes[i];
  }
  of<Array>(object) = {type, {sizes, sizes + rank}};
  return rank < 4 ? CUDNN_STATUS_BAD_PARAM : CUDNN_STATUS_SUCCESS;
}

FAKE cudnnStatus_t cudnnCreateFilterDescriptor(cudnnFilterDescriptor_t* made) {
  return make<Array>(made);
}
FAKE cudnnStatus_t cudnnDestroyFilterDescriptor(cudnnFilterDescriptor_t object) {
  return drop<Array>(object);
}
FAKE cudnnStatus_t cudnnSetFilterNdDescriptor(cudnnFilterDescriptor_t object, cudnnDataType_t type,
                                              cudnnTensorFormat_t format, int rank,
                                              const int sizes[]) {
  if (format != CUDNN_TENSOR_NCHW || rank < 4) return CUDNN_STATUS_BAD_PARAM;
  of<Array>(object) = {type, {sizes, sizes + rank}};
  return CUDNN_STATUS_SUCCESS;
}

FAKE cudnnStatus_t cudnnCreateConvolutionDescriptor(cudnnConvolutionDescriptor_t* made) {
  return make<How>(made);
}
FAKE cudnnStatus_t cudnnDestroyConvolutionDescriptor(cudnnConvolutionDescriptor_t object) {
  return drop<How>(object);
}
FAKE cudnnStatus_t cudnnSetConvolutionNdDescriptor(cudnnConvolutionDescriptor_t object, int dims,
                                                   const int padding[], const int stride[],
                                                   const int dilation[],
                                                   cudnnConvolutionMode_t mode,
                                                   cudnnDataType_t computes_in) {
  How& its = of<How>(object);
  its.padding.assign(padding, padding + dims);
  its.stride.assign(stride, stride + dims);
  its.dilation.assign(dilation, dilation + dims);
  its.computes_in = computes_in;
  const bool positive = std::all_of(stride, stride + dims, [](int each) { return each > 0; }) &&
                        std::all_of(dilation, dilation + dims, [](int each) { return each > 0; });
  return positive && mode == CUDNN_CROSS_CORRELATION ? CUDNN_STATUS_SUCCESS
                                                     : CUDNN_STATUS_BAD_PARAM;
}
FAKE cudnnStatus_t cudnnSetConvolutionMathType(cudnnConvolutionDescriptor_t object,
                                               cudnnMathType_t math) {
  of<How>(object).math = math;
  return CUDNN_STATUS_SUCCESS;
}
FAKE cudnnStatus_t cudnnSetConvolutionGroupCount(cudnnConvolutionDescriptor_t object, int groups) {
  of<How>(object).groups = groups;
  return groups > 0 ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_BAD_PARAM;
}

/// A bias: one element for each channel, added to all places.
FAKE cudnnStatus_t cudnnAddTensor(cudnnHandle_t handle, const void*, cudnnTensorDescriptor_t source,
                                  const void* from, const void*, cudnnTensorDescriptor_t target,
                                  void* to) {
  const Array &bias = of<Array>(source), &y = of<Array>(target);
  if (bias.type != y.type || bias.sizes.size() != y.sizes.size() ||
      bias.count() != size_t(y.sizes[1]) || bias.sizes[1] != y.sizes[1])
    return CUDNN_STATUS_BAD_PARAM;
  const DriverMemory& memory = DriverMemory::open();
  std::vector<double> added(bias.count()), values(y.count());
  if (!memory.finish(of<Handle>(handle).stream) || !read(memory, from, bias, added) ||
      !read(memory, to, y, values))
    return CUDNN_STATUS_EXECUTION_FAILED;
  const size_t inner = y.count() / size_t(y.sizes[0]) / added.size();
  for (size_t i = 0; i < values.size(); ++i) values[i] += added[i / inner % added.size()];
  return memory.write(to, element_of(y.type), values) ? CUDNN_STATUS_SUCCESS
                                                      : CUDNN_STATUS_EXECUTION_FAILED;
}

FAKE cudnnStatus_t cudnnGetConvolutionForwardAlgorithm_v7(
    cudnnHandle_t, cudnnTensorDescriptor_t x, cudnnFilterDescriptor_t w,
    cudnnConvolutionDescriptor_t how, cudnnTensorDescriptor_t y, int most, int* found,
    cudnnConvolutionFwdAlgoPerf_t* proposals) {
  return propose({of<Array>(x), of<Array>(w), of<Array>(y), of<How>(how)}, most, found, proposals);
}
FAKE cudnnStatus_t cudnnConvolutionForward(cudnnHandle_t handle, const void* alpha,
                                           cudnnTensorDescriptor_t x, const void* x_at,
                                           cudnnFilterDescriptor_t w, const void* w_at,
                                           cudnnConvolutionDescriptor_t how,
                                           cudnnConvolutionFwdAlgo_t algorithm, void* workspace,
                                           size_t bytes, const void* beta,
                                           cudnnTensorDescriptor_t y, void* y_at) {
  return run("cudnnConvolutionForward", of<Handle>(handle),
             {of<Array>(x), of<Array>(w), of<Array>(y), of<How>(how)}, Result::kY,
             {x_at, w_at, y_at}, algorithm, workspace, bytes, alpha, beta);
}

FAKE cudnnStatus_t cudnnGetConvolutionBackwardDataAlgorithm_v7(
    cudnnHandle_t, cudnnFilterDescriptor_t w, cudnnTensorDescriptor_t y,
    cudnnConvolutionDescriptor_t how, cudnnTensorDescriptor_t x, int most, int* found,
    cudnnConvolutionBwdDataAlgoPerf_t* proposals) {
  return propose({of<Array>(x), of<Array>(w), of<Array>(y), of<How>(how)}, most, found, proposals);
}
FAKE cudnnStatus_t cudnnConvolutionBackwardData(cudnnHandle_t handle, const void* alpha,
                                                cudnnFilterDescriptor_t w, const void* w_at,
                                                cudnnTensorDescriptor_t y, const void* y_at,
                                                cudnnConvolutionDescriptor_t how,
                                                cudnnConvolutionBwdDataAlgo_t algorithm,
                                                void* workspace, size_t bytes, const void* beta,
                                                cudnnTensorDescriptor_t x, void* x_at) {
  return run("cudnnConvolutionBackwardData", of<Handle>(handle),
             {of<Array>(x), of<Array>(w), of<Array>(y), of<How>(how)}, Result::kX,
             {x_at, w_at, y_at}, algorithm, workspace, bytes, alpha, beta);
}

FAKE cudnnStatus_t cudnnGetConvolutionBackwardFilterAlgorithm_v7(
    cudnnHandle_t, cudnnTensorDescriptor_t x, cudnnTensorDescriptor_t y,
    cudnnConvolutionDescriptor_t how, cudnnFilterDescriptor_t w, int most, int* found,
    cudnnConvolutionBwdFilterAlgoPerf_t* proposals) {
  return propose({of<Array>(x), of<Array>(w), of<Array>(y), of<How>(how)}, most, found, proposals);
}
FAKE cudnnStatus_t cudnnConvolutionBackwardFilter(cudnnHandle_t handle, const void* alpha,
                                                  cudnnTensorDescriptor_t x, const void* x_at,
                                                  cudnnTensorDescriptor_t y, const void* y_at,
                                                  cudnnConvolutionDescriptor_t how,
                                                  cudnnConvolutionBwdFilterAlgo_t algorithm,
                                                  void* workspace, size_t bytes, const void* beta,
                                                  cudnnFilterDescriptor_t w, void* w_at) {
  return run("cudnnConvolutionBackwardFilter", of<Handle>(handle),
             {of<Array>(x), of<Array>(w), of<Array>(y), of<How>(how)}, Result::kW,
             {x_at, w_at, y_at}, algorithm, workspace, bytes, alpha, beta);
}

}  // extern "C"
