# LLVM, linked statically: 2 ms at start where the shared library costs 40. Its headers are seen by
# the sources of backends/cpu only.
llvm_map_components_to_libnames(GLINT_LLVM_COMPONENTS native orcjit bitwriter)
add_library(glint_llvm INTERFACE)
target_include_directories(glint_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
target_compile_definitions(glint_llvm INTERFACE ${LLVM_DEFINITIONS_LIST})
target_link_libraries(glint_llvm INTERFACE ${GLINT_LLVM_COMPONENTS})
set(GLINT_LLVM_LIBRARIES glint_llvm)
