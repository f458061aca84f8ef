// Holds what backends/cuda/libraries/cudnn_api.h says of cuDNN against NVIDIA's own header. It is
// built where that header is; nothing runs.
//
//     static_assert(kDnnBFloat16 == CUDNN_DATA_BFLOAT16);
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
#include <cudnn.h>

#include <cstddef>

#include "backends/cuda/libraries/cudnn_api.h"
#include "tests/driver/libraries/same_call.h"

namespace glint::cuda {

static_assert(kDnnSuccess == CUDNN_STATUS_SUCCESS);
static_assert(int{kDnnFloat32} == CUDNN_DATA_FLOAT && int{kDnnFloat64} == CUDNN_DATA_DOUBLE);
static_assert(int{kDnnFloat16} == CUDNN_DATA_HALF && int{kDnnBFloat16} == CUDNN_DATA_BFLOAT16);
static_assert(int{kDnnRowMajor} == CUDNN_TENSOR_NCHW);
static_assert(int{kDnnCrossCorrelation} == CUDNN_CROSS_CORRELATION);
static_assert(int{kDnnDefaultMath} == CUDNN_DEFAULT_MATH);
static_assert(int{kDnnTensorMath} == CUDNN_TENSOR_OP_MATH);
static_assert(int{kDnnFullMath} == CUDNN_FMA_MATH);
static_assert(int{kDnnVaries} == CUDNN_NON_DETERMINISTIC);
static_assert(int{kDnnDeterministic} == CUDNN_DETERMINISTIC);

template <class Theirs>
constexpr bool kSameProposal =
    sizeof(DnnProposal) == sizeof(Theirs) &&
    offsetof(DnnProposal, algorithm) == offsetof(Theirs, algo) &&
    offsetof(DnnProposal, status) == offsetof(Theirs, status) &&
    offsetof(DnnProposal, milliseconds) == offsetof(Theirs, time) &&
    offsetof(DnnProposal, workspace_bytes) == offsetof(Theirs, memory) &&
    offsetof(DnnProposal, determinism) == offsetof(Theirs, determinism) &&
    offsetof(DnnProposal, math) == offsetof(Theirs, mathType);
static_assert(kSameProposal<cudnnConvolutionFwdAlgoPerf_t>);
static_assert(kSameProposal<cudnnConvolutionBwdDataAlgoPerf_t>);
static_assert(kSameProposal<cudnnConvolutionBwdFilterAlgoPerf_t>);

static_assert(kSameCall<decltype(cudnnGetVersion), decltype(CudnnApi::version)>);
static_assert(kSameCall<decltype(cudnnCreate), decltype(CudnnApi::create)>);
static_assert(kSameCall<decltype(cudnnSetStream), decltype(CudnnApi::use_stream)>);
static_assert(kSameCall<decltype(cudnnCreateTensorDescriptor), decltype(CudnnApi::make_tensor)>);
static_assert(kSameCall<decltype(cudnnDestroyTensorDescriptor), decltype(CudnnApi::drop_tensor)>);
static_assert(kSameCall<decltype(cudnnSetTensorNdDescriptor), decltype(CudnnApi::set_tensor)>);
static_assert(kSameCall<decltype(cudnnCreateFilterDescriptor), decltype(CudnnApi::make_filter)>);
static_assert(kSameCall<decltype(cudnnDestroyFilterDescriptor), decltype(CudnnApi::drop_filter)>);
static_assert(kSameCall<decltype(cudnnSetFilterNdDescriptor), decltype(CudnnApi::set_filter)>);
static_assert(
    kSameCall<decltype(cudnnCreateConvolutionDescriptor), decltype(CudnnApi::make_convolution)>);
static_assert(
    kSameCall<decltype(cudnnDestroyConvolutionDescriptor), decltype(CudnnApi::drop_convolution)>);
static_assert(
    kSameCall<decltype(cudnnSetConvolutionNdDescriptor), decltype(CudnnApi::set_convolution)>);
static_assert(kSameCall<decltype(cudnnSetConvolutionMathType), decltype(CudnnApi::set_math)>);
static_assert(kSameCall<decltype(cudnnSetConvolutionGroupCount), decltype(CudnnApi::set_groups)>);
static_assert(kSameCall<decltype(cudnnAddTensor), decltype(CudnnApi::add)>);
static_assert(kSameCall<decltype(cudnnGetConvolutionForwardAlgorithm_v7),
                        decltype(CudnnApi::Forward::propose)>);
static_assert(kSameCall<decltype(cudnnConvolutionForward), decltype(CudnnApi::Forward::run)>);
static_assert(kSameCall<decltype(cudnnGetConvolutionBackwardDataAlgorithm_v7),
                        decltype(CudnnApi::OfInput::propose)>);
static_assert(kSameCall<decltype(cudnnConvolutionBackwardData), decltype(CudnnApi::OfInput::run)>);
static_assert(kSameCall<decltype(cudnnGetConvolutionBackwardFilterAlgorithm_v7),
                        decltype(CudnnApi::OfWeight::propose)>);
static_assert(
    kSameCall<decltype(cudnnConvolutionBackwardFilter), decltype(CudnnApi::OfWeight::run)>);

}  // namespace glint::cuda
