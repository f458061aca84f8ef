# The tests' `libcuda.so.1` (tests/driver): a driver on top of the simulator, in a folder of its own,
# which a test puts before the loader's others. It is a library that the program knows nothing of, so
# it has the few sources that the simulator needs a second time.
foreach(target glint_simulator glint_precompiled_simulator)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${target} PRIVATE -fvisibility=hidden)
endforeach()

file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/driver/*.cpp)
add_library(fake_driver MODULE ${sources}
  ${PROJECT_SOURCE_DIR}/core/support/environment.cpp
  ${PROJECT_SOURCE_DIR}/core/support/thread_pool.cpp
  ${PROJECT_SOURCE_DIR}/cmake/fmt/format.cpp)
glint_compile_together(fake_driver ${sources})
target_include_directories(fake_driver PRIVATE ${PROJECT_SOURCE_DIR})
# Handles are the stand-in's own types, which the program does not know.
target_compile_options(fake_driver PRIVATE -fvisibility=hidden
  $<TARGET_PROPERTY:glint_options,INTERFACE_COMPILE_OPTIONS> -fno-sanitize=function)
target_link_libraries(fake_driver PRIVATE $<TARGET_FILE:glint_simulator>)
target_link_options(fake_driver PRIVATE -fuse-ld=mold -static-libstdc++ -static-libgcc -Wl,--exclude-libs,ALL)
add_dependencies(fake_driver glint_simulator)
set_target_properties(fake_driver PROPERTIES POSITION_INDEPENDENT_CODE ON GLINT_RUNS_ONCE ON
  PREFIX "" OUTPUT_NAME libcuda SUFFIX ".so.1" LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/driver)
