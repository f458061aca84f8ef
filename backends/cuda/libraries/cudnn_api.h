// cuDNN as its manual has it: types, numbers, functions. No header of NVIDIA's is needed.
//
//     CudnnApi dnn;
//     find_functions(library, dnn)         true: all of them are there
//     dnn.forward.run(handle, ...)         cudnnConvolutionForward
//
// Where the toolkit's headers are, tests/driver/libraries/cudnn_types.cpp holds each of these
// against them.
#pragma once

#include <cstddef>

namespace glint::cuda {

using DnnHandle = struct OpaqueDnnHandle*;
using DnnTensor = struct OpaqueDnnTensor*;            ///< cudnnTensorDescriptor_t
using DnnFilter = struct OpaqueDnnFilter*;            ///< cudnnFilterDescriptor_t
using DnnConvolution = struct OpaqueDnnConvolution*;  ///< cudnnConvolutionDescriptor_t
using DnnStream = struct OpaqueStream*;               ///< cudaStream_t, CUstream
using DnnStatus = int;

constexpr DnnStatus kDnnSuccess = 0;

/// cudnnDataType_t
enum DnnType : int { kDnnFloat32 = 0, kDnnFloat64 = 1, kDnnFloat16 = 2, kDnnBFloat16 = 9 };
/// cudnnTensorFormat_t
enum DnnFormat : int { kDnnRowMajor = 0 };
/// cudnnConvolutionMode_t: windows are taken as they are, not turned.
enum DnnMode : int { kDnnCrossCorrelation = 1 };
/// cudnnMathType_t: TF32 as the library likes; tensor cores; float32 throughout.
enum DnnMath : int { kDnnDefaultMath = 0, kDnnTensorMath = 1, kDnnFullMath = 3 };
/// cudnnDeterminism_t
enum DnnDeterminism : int { kDnnVaries = 0, kDnnDeterministic = 1 };

/// cudnnConvolutionFwdAlgoPerf_t, and those of the two gradients, which are alike.
struct DnnProposal {
  int algorithm;
  DnnStatus status;
  float milliseconds;
  size_t workspace_bytes;
  DnnDeterminism determinism;
  DnnMath math;
  int reserved[3];
};

struct CudnnApi {
  size_t (*version)();
  DnnStatus (*create)(DnnHandle*);
  DnnStatus (*use_stream)(DnnHandle, DnnStream);
  DnnStatus (*make_tensor)(DnnTensor*);
  DnnStatus (*drop_tensor)(DnnTensor);
  DnnStatus (*set_tensor)(DnnTensor, DnnType, int rank, const int* sizes, const int* strides);
  DnnStatus (*make_filter)(DnnFilter*);
  DnnStatus (*drop_filter)(DnnFilter);
  DnnStatus (*set_filter)(DnnFilter, DnnType, DnnFormat, int rank, const int* sizes);
  DnnStatus (*make_convolution)(DnnConvolution*);
  DnnStatus (*drop_convolution)(DnnConvolution);
  DnnStatus (*set_convolution)(DnnConvolution, int dims, const int* padding, const int* stride,
                               const int* dilation, DnnMode, DnnType computes_in);
  DnnStatus (*set_math)(DnnConvolution, DnnMath);
  DnnStatus (*set_groups)(DnnConvolution, int groups);
  /// target = one * source + other * target
  DnnStatus (*add)(DnnHandle, const void* one, DnnTensor, const void* source, const void* other,
                   DnnTensor, void* target);

  /// What gives y of x and w.
  struct Forward {
    DnnStatus (*propose)(DnnHandle, DnnTensor x, DnnFilter w, DnnConvolution, DnnTensor y, int most,
                         int* found, DnnProposal*);
    DnnStatus (*run)(DnnHandle, const void* one, DnnTensor, const void* x, DnnFilter, const void* w,
                     DnnConvolution, int algorithm, void* workspace, size_t workspace_bytes,
                     const void* other, DnnTensor, void* y);
  } forward;
  /// What gives the gradient of x of w and that of y.
  struct OfInput {
    DnnStatus (*propose)(DnnHandle, DnnFilter w, DnnTensor y, DnnConvolution, DnnTensor x, int most,
                         int* found, DnnProposal*);
    DnnStatus (*run)(DnnHandle, const void* one, DnnFilter, const void* w, DnnTensor, const void* y,
                     DnnConvolution, int algorithm, void* workspace, size_t workspace_bytes,
                     const void* other, DnnTensor, void* x);
  } of_input;
  /// What gives the gradient of w of x and that of y.
  struct OfWeight {
    DnnStatus (*propose)(DnnHandle, DnnTensor x, DnnTensor y, DnnConvolution, DnnFilter w, int most,
                         int* found, DnnProposal*);
    DnnStatus (*run)(DnnHandle, const void* one, DnnTensor, const void* x, DnnTensor, const void* y,
                     DnnConvolution, int algorithm, void* workspace, size_t workspace_bytes,
                     const void* other, DnnFilter, void* w);
  } of_weight;
};

bool find_functions(void* library, CudnnApi& dnn);

}  // namespace glint::cuda
