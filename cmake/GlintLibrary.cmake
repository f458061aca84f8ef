# One folder is one target, and a target sees only the folders that it links.
#
#   glint_library(tensor PATH core/tensor LINKS support)
#
# builds every *.cpp in core/tensor (not below it) into the static library `glint_tensor`. Headers
# are found through a staging folder of the target's own, `include/tensor/`, which holds nothing but
# links to the headers in core/tensor: `#include "core/tensor/tensor.h"` resolves for whoever links
# `tensor`, and for nobody else; so too of a folder inside of it that PARTS names, while another is a target of its own.
# That is how the one-way dependencies of docs/architecture.md are kept.
# PRECOMPILED names the header of cmake/precompiled/ that its sources start from; it is `library` where
# none is named. SELDOM says that it writes or shows what others computed: the sanitizers' build does not
# optimise it, since that takes longer than all that its tests run.

function(glint_library name)
  cmake_parse_arguments(ARG "SELDOM" "PATH;PRECOMPILED"
                        "PARTS;LINKS;PRIVATE_LINKS;EXTRA_SOURCES" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${ARG_PATH}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")

  set(stage ${PROJECT_BINARY_DIR}/include/${name})
  file(REMOVE_RECURSE ${stage})
  foreach(folder ${ARG_PATH} ${ARG_PARTS})
    file(GLOB headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${folder}/*.h)
    file(MAKE_DIRECTORY ${stage}/${folder})
    foreach(header ${headers})
      file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${header} ${stage}/${header} SYMBOLIC)
    endforeach()
  endforeach()

  list(TRANSFORM ARG_LINKS PREPEND glint_)
  if(sources)
    add_library(glint_${name} STATIC ${sources} ${ARG_EXTRA_SOURCES})
    target_include_directories(glint_${name} PUBLIC ${stage})
    target_link_libraries(glint_${name} PUBLIC glint_options ${ARG_LINKS}
                                        PRIVATE ${ARG_PRIVATE_LINKS})
    if(NOT ARG_PRECOMPILED)
      set(ARG_PRECOMPILED library)
    endif()
    if(ARG_SELDOM AND GLINT_SANITIZE)
      set_target_properties(glint_${name} PROPERTIES GLINT_RUNS_ONCE ON)
      string(APPEND ARG_PRECOMPILED _seldom)
    endif()
    glint_reuse_precompiled(glint_${name} ${ARG_PRECOMPILED})
    glint_compile_together(glint_${name} ${sources})
  else()
    add_library(glint_${name} INTERFACE)
    target_include_directories(glint_${name} INTERFACE ${stage})
    target_link_libraries(glint_${name} INTERFACE glint_options ${ARG_LINKS}
                                                  ${ARG_PRIVATE_LINKS})
  endif()
endfunction()

# glint_test(tensor LINKS tensor) builds tests/unit/tensor/*.cpp into one Catch2 program.
function(glint_test name)
  cmake_parse_arguments(ARG "" "PRECOMPILED" "LINKS" ${ARGN})
  if(NOT ARG_PRECOMPILED)
    set(ARG_PRECOMPILED tests)
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/unit/${name}/*.cpp)
  if(NOT sources)
    return()
  endif()
  list(TRANSFORM ARG_LINKS PREPEND glint_)
  add_executable(test_${name} ${sources} $<TARGET_OBJECTS:glint_catch_main>)
  target_link_libraries(test_${name} PRIVATE ${ARG_LINKS} glint_options Catch2::Catch2)
  set_target_properties(test_${name} PROPERTIES GLINT_RUNS_ONCE ON)
  glint_reuse_precompiled(test_${name} ${ARG_PRECOMPILED})
  glint_compile_together(test_${name} ${sources})
  target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests/unit)
  target_compile_definitions(test_${name} PRIVATE
    GLINT_SOURCE_DIR="${PROJECT_SOURCE_DIR}" GLINT_BINARY_DIR="${PROJECT_BINARY_DIR}")
  # What is tagged so measures for seconds, most of them in code that is not sanitized. A filter
  # that only leaves out would take in the hidden ones.
  add_test(NAME unit/${name} COMMAND test_${name} $<$<BOOL:${GLINT_SANITIZE}>:~[timed]~[.]>
           COMMAND_EXPAND_LISTS)
endfunction()
