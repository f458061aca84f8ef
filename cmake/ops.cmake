# The eager loops of ops/scalar and the row kernels of ops/rows are compiled twice, for x86-64-v3 and
# for x86-64-v4 (AVX-512); the program chooses when it starts. Each build lives in a namespace of its
# own, v3 or v4. The levels are spelled out as features, since the whole program's -march comes later
# on the command line and would take back an earlier one.
set(GLINT_FEATURES_v3 -mavx -mavx2 -mbmi -mbmi2 -mf16c -mfma -mlzcnt -mmovbe)
set(GLINT_FEATURES_v4 ${GLINT_FEATURES_v3}
  -mavx512f -mavx512bw -mavx512cd -mavx512dq -mavx512vl -mprefer-vector-width=512)

file(GLOB GLINT_SCALAR_LOOPS CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/ops/scalar/loops/*.cpp ${PROJECT_SOURCE_DIR}/ops/rows/*.cpp)
set(levels v3)
if(NOT GLINT_SANITIZE)  # as kHasWideLoops of ops/scalar/elementwise_kernels.h says
  list(APPEND levels v4)
endif()
foreach(level ${levels})
  add_library(glint_scalar_${level} OBJECT ${GLINT_SCALAR_LOOPS})
  glint_compile_together(glint_scalar_${level} ${GLINT_SCALAR_LOOPS})
  target_compile_definitions(glint_scalar_${level} PRIVATE GLINT_INSTRUCTION_SET=${level})
  target_compile_options(glint_scalar_${level} PRIVATE
    ${GLINT_FEATURES_${level}} -fno-trapping-math -Wno-psabi)
  target_link_libraries(glint_scalar_${level} PRIVATE glint_options glint_ir glint_tensor)
  target_include_directories(glint_scalar_${level} PRIVATE ${PROJECT_BINARY_DIR}/include/ops)
  list(APPEND loops $<TARGET_OBJECTS:glint_scalar_${level}>)
endforeach()

file(GLOB GLINT_OPS_EXTRA_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/ops/scalar/*.cpp)
list(APPEND GLINT_OPS_EXTRA_SOURCES ${loops})
