# Stand-ins for NVIDIA's libraries, which compute on the processor in the memory of the stand-in driver;
# tests load them by GLINT_CUBLASLT and GLINT_CUDNN. They are written against NVIDIA's headers where
# those are, and then what we say of the libraries is held against them too.
find_path(GLINT_CUDA_HEADERS cublasLt.h PATHS /usr/local/cuda/include)

# fake_library(cublas_lt FILE libcublasLt.so.13 HEADER cublasLt.h)
function(fake_library name)
  cmake_parse_arguments(ARG "" "FILE;HEADER" "" ${ARGN})
  set(folder ${PROJECT_SOURCE_DIR}/tests/driver/libraries)
  add_library(fake_${name} MODULE ${folder}/${name}.cpp ${folder}/driver_memory.cpp)
  target_include_directories(fake_${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_options(fake_${name} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Werror -O2
    -fvisibility=hidden)
  set_target_properties(fake_${name} PROPERTIES PREFIX "" OUTPUT_NAME ${ARG_FILE} SUFFIX ""
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/driver)
  if(GLINT_CUDA_HEADERS AND EXISTS ${GLINT_CUDA_HEADERS}/${ARG_HEADER})
    target_include_directories(fake_${name} SYSTEM PRIVATE ${GLINT_CUDA_HEADERS})
    add_library(${name}_types OBJECT ${folder}/${name}_types.cpp)
    target_include_directories(${name}_types PRIVATE ${PROJECT_SOURCE_DIR})
    target_include_directories(${name}_types SYSTEM PRIVATE ${GLINT_CUDA_HEADERS})
  endif()
endfunction()

fake_library(cublas_lt FILE libcublasLt.so.13 HEADER cublasLt.h)
fake_library(cudnn FILE libcudnn.so.9 HEADER cudnn.h)
