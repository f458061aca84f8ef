# The standard library, written in the language itself (library/**/*.py), embedded in the program:
# glint_embed_library, a tool of the build, lowers every file and writes one source with a table of
# (module name, file, text, program). library/library.h declares it.
file(GLOB_RECURSE glint_library_files CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/library
     ${PROJECT_SOURCE_DIR}/library/*.py)
list(SORT glint_library_files)
set(glint_library_paths ${glint_library_files})
list(TRANSFORM glint_library_paths PREPEND ${PROJECT_SOURCE_DIR}/library/)
set(glint_library_source ${PROJECT_BINARY_DIR}/library_modules.cpp)

add_executable(glint_embed_library library/embed/main.cpp)
target_link_libraries(glint_embed_library PRIVATE glint_frontend)
glint_reuse_precompiled(glint_embed_library library)

add_custom_command(
  OUTPUT ${glint_library_source}
  COMMAND glint_embed_library ${PROJECT_SOURCE_DIR}/library ${glint_library_source}
          ${glint_library_files}
  DEPENDS ${glint_library_paths} glint_embed_library
  COMMENT "Lowering and embedding library/"
  VERBATIM)

glint_library(library PATH library EXTRA_SOURCES ${glint_library_source})
