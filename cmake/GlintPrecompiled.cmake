# Headers that are parsed once and reused by every target of the same compile options.
#
#   glint_precompiled(library LINKS glint_options)      a target with cmake/precompiled/library.h
#   glint_reuse_precompiled(glint_tensor library)       whose header glint_tensor starts from
#
# ccache takes part: the precompiled file itself, which names paths of this build folder, is never
# cached; what is compiled with it is, by the text of the header (the .sum file that ccache reads in
# place of the binary), so that clones share what they compile.

function(glint_precompiled name)
  cmake_parse_arguments(ARG "" "" "LINKS" ${ARGN})
  set(header ${PROJECT_SOURCE_DIR}/cmake/precompiled/${name}.h)
  set(target glint_precompiled_${name})
  file(WRITE ${PROJECT_BINARY_DIR}/${target}.cpp "")
  add_library(${target} OBJECT ${PROJECT_BINARY_DIR}/${target}.cpp)
  target_link_libraries(${target} PRIVATE ${ARG_LINKS})
  target_precompile_headers(${target} PRIVATE ${header})
  set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER "")

  file(GLOB texts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/precompiled/*.h)
  # Headers change with their packages.
  file(GLOB standard_library LIST_DIRECTORIES true /usr/include/c++/*)
  set(sum "${fmt_VERSION} ${Catch2_VERSION} ${CMAKE_CXX_COMPILER_VERSION} ${standard_library} ")
  foreach(text ${texts})
    file(SHA256 ${text} hash)
    string(APPEND sum ${hash})
  endforeach()
  file(WRITE ${PROJECT_BINARY_DIR}/CMakeFiles/${target}.dir/cmake_pch.hxx.pch.sum "${sum}")
endfunction()

function(glint_reuse_precompiled target name)
  target_precompile_headers(${target} REUSE_FROM glint_precompiled_${name})
endfunction()
