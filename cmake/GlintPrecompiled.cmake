# Headers that are parsed once and reused by every target of the same compile options.
#
#   glint_precompiled(operators LINKS glint_options FOLDERS ir ops)
#                                     a target with cmake/precompiled/operators.h, which sees these
#   glint_precompiled(library_seldom HEADER library ...)
#                                     one more of the same header, for other compile options
#   glint_reuse_precompiled(glint_passes operators)
#                                     whose header glint_passes starts from
#
# A header of the project's own belongs here only if all that reuse it link its folder, and most of
# their sources read it: whoever changes it builds them all. ccache takes part: the precompiled file
# itself, which names paths of this build folder, is never cached; what is compiled with it is, by the
# text of all that it holds (put_off.sh writes the .sum file that ccache reads in place of the binary),
# so that clones share what they compile. And the file is made when a compiler first reads it: a clone
# whose sources ccache knows makes none (when_read.sh).

# Without the header's own path behind it, which CMake adds and ccache does not understand.
set(CMAKE_CXX_COMPILE_OPTIONS_USE_PCH -Xclang -include-pch -Xclang <PCH_FILE>)

function(glint_precompiled name)
  cmake_parse_arguments(ARG "" "HEADER" "LINKS;FOLDERS" ${ARGN})
  if(NOT ARG_HEADER)
    set(ARG_HEADER ${name})
  endif()
  set(target glint_precompiled_${name})
  file(WRITE ${PROJECT_BINARY_DIR}/${target}.cpp "")
  add_library(${target} OBJECT ${PROJECT_BINARY_DIR}/${target}.cpp)
  target_link_libraries(${target} PRIVATE ${ARG_LINKS})
  foreach(folder ${ARG_FOLDERS})
    target_include_directories(${target} PRIVATE ${PROJECT_BINARY_DIR}/include/${folder})
  endforeach()
  target_precompile_headers(${target} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/precompiled/${ARG_HEADER}.h)
  if(CCACHE)
    set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER
      "${PROJECT_SOURCE_DIR}/cmake/precompiled/put_off.sh;${CMAKE_CXX_COMPILER_LAUNCHER}")
  endif()
endfunction()

function(glint_reuse_precompiled target name)
  target_precompile_headers(${target} REUSE_FROM glint_precompiled_${name})
endfunction()
