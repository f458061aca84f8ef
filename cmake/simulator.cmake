# The simulator's loops over lanes are compiled for x86-64-v3, which the loops of ops/scalar ask for
# too: fused multiply-adds and half floats are instructions there. A register's lanes are read as
# what the instruction says, floats or integers, so types may alias.
add_library(glint_simulator_options INTERFACE)
target_compile_options(glint_simulator_options INTERFACE
  ${GLINT_FEATURES_v3} -fno-strict-aliasing -fno-trapping-math)

if(NOT GLINT_SANITIZE)
  add_executable(bench_simulator ${PROJECT_SOURCE_DIR}/bench/simulator.cpp)
  target_link_libraries(bench_simulator PRIVATE glint_simulator)
  target_compile_definitions(bench_simulator PRIVATE GLINT_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
endif()
