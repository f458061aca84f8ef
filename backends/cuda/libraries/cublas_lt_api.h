// cuBLASLt as its manual has it: types, numbers, functions. No header of NVIDIA's is needed.
//
//     CublasLtApi lt;
//     find_functions(library, lt)          true: all of them are there
//     lt.multiply(handle, ...)             cublasLtMatmul
//
// Where the toolkit's headers are, tests/driver/library_types.cpp holds each of these against them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace glint::cuda {

using LtHandle = struct OpaqueLtHandle*;
using LtMultiplication = struct OpaqueLtMultiplication*;  ///< cublasLtMatmulDesc_t
using LtLayout = struct OpaqueLtLayout*;                  ///< cublasLtMatrixLayout_t
using LtPreference = struct OpaqueLtPreference*;          ///< cublasLtMatmulPreference_t
using LtStream = struct OpaqueStream*;                    ///< cudaStream_t, CUstream
using LtStatus = int;

struct LtAlgorithm {
  uint64_t data[8];
};
/// cublasLtMatmulHeuristicResult_t
struct LtProposal {
  LtAlgorithm algorithm;
  size_t workspace_bytes;
  LtStatus status;
  float waves;
  int reserved[4];
};

constexpr LtStatus kLtSuccess = 0;

/// cudaDataType
enum LtType : int { kLtFloat32 = 0, kLtFloat64 = 1, kLtFloat16 = 2, kLtBFloat16 = 14 };
/// cublasComputeType_t: what sums are held in, and what operands may be rounded to before.
enum LtCompute : int { kLtInFloat32 = 68, kLtInFloat64 = 70, kLtInTf32 = 77 };
/// cublasOperation_t
enum LtOperation : int { kLtAsIs = 0, kLtTransposed = 1 };
/// cublasLtEpilogue_t; `relu` and `gelu` may each be together with `bias`.
enum LtEpilogue : uint32_t {
  kLtNoEpilogue = 1,
  kLtRelu = 2,
  kLtBias = 4,
  kLtReluBias = 6,
  kLtGelu = 32,
  kLtGeluBias = 36,
};
/// cublasLtMatmulDescAttributes_t
enum LtMultiplicationAttribute : int {
  kLtOperationOfA = 3,  ///< int32_t
  kLtOperationOfB = 4,  ///< int32_t
  kLtEpilogueOf = 7,    ///< uint32_t
  kLtBiasAddress = 8,   ///< a pointer
};
/// cublasLtMatrixLayoutAttribute_t
enum LtLayoutAttribute : int {
  kLtBatches = 5,    ///< int32_t
  kLtBatchStep = 6,  ///< int64_t, elements
};
/// cublasLtMatmulPreferenceAttributes_t
enum LtPreferenceAttribute : int {
  kLtMostWorkspace = 1,  ///< uint64_t, bytes
  kLtAlignmentOfA = 5,   ///< uint32_t, bytes, and those below
  kLtAlignmentOfB = 6,
  kLtAlignmentOfC = 7,
  kLtAlignmentOfD = 8,
};

struct CublasLtApi {
  size_t (*version)();
  LtStatus (*create)(LtHandle*);
  LtStatus (*make_multiplication)(LtMultiplication*, LtCompute, LtType scale);
  LtStatus (*drop_multiplication)(LtMultiplication);
  LtStatus (*set_multiplication)(LtMultiplication, LtMultiplicationAttribute, const void* value,
                                 size_t bytes);
  /// Of a matrix by columns: `step` elements from the beginning of one to that of the next.
  LtStatus (*make_layout)(LtLayout*, LtType, uint64_t rows, uint64_t columns, int64_t step);
  LtStatus (*drop_layout)(LtLayout);
  LtStatus (*set_layout)(LtLayout, LtLayoutAttribute, const void* value, size_t bytes);
  LtStatus (*make_preference)(LtPreference*);
  LtStatus (*drop_preference)(LtPreference);
  LtStatus (*set_preference)(LtPreference, LtPreferenceAttribute, const void* value, size_t bytes);
  LtStatus (*propose)(LtHandle, LtMultiplication, LtLayout a, LtLayout b, LtLayout c, LtLayout d,
                      LtPreference, int most, LtProposal* proposals, int* found);
  LtStatus (*multiply)(LtHandle, LtMultiplication, const void* alpha, const void* a, LtLayout,
                       const void* b, LtLayout, const void* beta, const void* c, LtLayout, void* d,
                       LtLayout, const LtAlgorithm*, void* workspace, size_t workspace_bytes,
                       LtStream);
};

bool find_functions(void* library, CublasLtApi& lt);

}  // namespace glint::cuda
