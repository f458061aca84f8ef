// Holds what backends/cuda/libraries/cublas_lt_api.h says of cuBLASLt against NVIDIA's own header.
// It is built where the toolkit's headers are; nothing runs.
//
//     static_assert(kLtBias == CUBLASLT_EPILOGUE_BIAS);
#include <cublasLt.h>

#include <cstddef>

#include "backends/cuda/libraries/cublas_lt_api.h"
#include "tests/driver/libraries/same_call.h"

namespace glint::cuda {

static_assert(kLtSuccess == CUBLAS_STATUS_SUCCESS);
static_assert(int{kLtFloat32} == CUDA_R_32F && int{kLtFloat64} == CUDA_R_64F);
static_assert(int{kLtFloat16} == CUDA_R_16F && int{kLtBFloat16} == CUDA_R_16BF);
static_assert(int{kLtInFloat32} == CUBLAS_COMPUTE_32F && int{kLtInFloat64} == CUBLAS_COMPUTE_64F);
static_assert(int{kLtInTf32} == CUBLAS_COMPUTE_32F_FAST_TF32);
static_assert(int{kLtAsIs} == CUBLAS_OP_N && int{kLtTransposed} == CUBLAS_OP_T);
static_assert(int{kLtNoEpilogue} == CUBLASLT_EPILOGUE_DEFAULT);
static_assert(int{kLtRelu} == CUBLASLT_EPILOGUE_RELU && int{kLtBias} == CUBLASLT_EPILOGUE_BIAS);
static_assert(int{kLtReluBias} == CUBLASLT_EPILOGUE_RELU_BIAS);
static_assert(int{kLtGelu} == CUBLASLT_EPILOGUE_GELU);
static_assert(int{kLtGeluBias} == CUBLASLT_EPILOGUE_GELU_BIAS);
static_assert(int{kLtOperationOfA} == CUBLASLT_MATMUL_DESC_TRANSA);
static_assert(int{kLtOperationOfB} == CUBLASLT_MATMUL_DESC_TRANSB);
static_assert(int{kLtEpilogueOf} == CUBLASLT_MATMUL_DESC_EPILOGUE);
static_assert(int{kLtBiasAddress} == CUBLASLT_MATMUL_DESC_BIAS_POINTER);
static_assert(int{kLtBatches} == CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT);
static_assert(int{kLtBatchStep} == CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET);
static_assert(int{kLtMostWorkspace} == CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES);
static_assert(int{kLtAlignmentOfA} == CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES);
static_assert(int{kLtAlignmentOfB} == CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES);
static_assert(int{kLtAlignmentOfC} == CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES);
static_assert(int{kLtAlignmentOfD} == CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES);

static_assert(sizeof(LtAlgorithm) == sizeof(cublasLtMatmulAlgo_t));
static_assert(sizeof(LtProposal) == sizeof(cublasLtMatmulHeuristicResult_t));
static_assert(offsetof(LtProposal, workspace_bytes) ==
              offsetof(cublasLtMatmulHeuristicResult_t, workspaceSize));
static_assert(offsetof(LtProposal, status) == offsetof(cublasLtMatmulHeuristicResult_t, state));
static_assert(offsetof(LtProposal, waves) == offsetof(cublasLtMatmulHeuristicResult_t, wavesCount));

static_assert(kSameCall<decltype(cublasLtGetVersion), decltype(CublasLtApi::version)>);
static_assert(kSameCall<decltype(cublasLtCreate), decltype(CublasLtApi::create)>);
static_assert(
    kSameCall<decltype(cublasLtMatmulDescCreate), decltype(CublasLtApi::make_multiplication)>);
static_assert(
    kSameCall<decltype(cublasLtMatmulDescDestroy), decltype(CublasLtApi::drop_multiplication)>);
static_assert(
    kSameCall<decltype(cublasLtMatmulDescSetAttribute), decltype(CublasLtApi::set_multiplication)>);
static_assert(kSameCall<decltype(cublasLtMatrixLayoutCreate), decltype(CublasLtApi::make_layout)>);
static_assert(kSameCall<decltype(cublasLtMatrixLayoutDestroy), decltype(CublasLtApi::drop_layout)>);
static_assert(
    kSameCall<decltype(cublasLtMatrixLayoutSetAttribute), decltype(CublasLtApi::set_layout)>);
static_assert(
    kSameCall<decltype(cublasLtMatmulPreferenceCreate), decltype(CublasLtApi::make_preference)>);
static_assert(
    kSameCall<decltype(cublasLtMatmulPreferenceDestroy), decltype(CublasLtApi::drop_preference)>);
static_assert(kSameCall<decltype(cublasLtMatmulPreferenceSetAttribute),
                        decltype(CublasLtApi::set_preference)>);
static_assert(kSameCall<decltype(cublasLtMatmulAlgoGetHeuristic), decltype(CublasLtApi::propose)>);
static_assert(kSameCall<decltype(cublasLtMatmul), decltype(CublasLtApi::multiply)>);

}  // namespace glint::cuda
