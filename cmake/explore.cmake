# The plugin of `glint explore` (repl/explore), which serves a report by cpp-httplib. It is loaded by
# that word alone and sees nothing of the program but repl/explore/host.h. Without cpp-httplib the
# program is built without it, and `glint explore` says so.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(httplib QUIET cpp-httplib)
endif()

if(httplib_FOUND)
  set(stage ${PROJECT_BINARY_DIR}/include/explore)
  file(MAKE_DIRECTORY ${stage}/repl)
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/repl/explore ${stage}/repl/explore SYMBOLIC)
  add_library(glint_explore MODULE ${PROJECT_SOURCE_DIR}/repl/explore/server.cpp)
  target_include_directories(glint_explore PRIVATE ${stage})
  # Its headers have other layouts without the flags that the library was built with.
  target_compile_options(glint_explore PRIVATE ${httplib_CFLAGS}
    -Wall -Wextra -Wshadow -Werror -fvisibility=hidden -O1)
  set_target_properties(glint_explore PROPERTIES POSITION_INDEPENDENT_CODE ON
    PREFIX "" OUTPUT_NAME glint-explore LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  target_link_libraries(glint_explore PRIVATE ${httplib_LINK_LIBRARIES})
  target_link_options(glint_explore PRIVATE -fuse-ld=mold -Wl,--as-needed)
else()
  message(STATUS "no cpp-httplib: the program is built without `glint explore`")
endif()
