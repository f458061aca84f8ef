# The standard library, written in the language itself (library/**/*.py), embedded in the program as
# text: one generated source with a table of (module name, file, text). library/library.h declares it.
file(GLOB_RECURSE glint_library_files CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/library
     ${PROJECT_SOURCE_DIR}/library/*.py)
list(SORT glint_library_files)
set(glint_library_paths ${glint_library_files})
list(TRANSFORM glint_library_paths PREPEND ${PROJECT_SOURCE_DIR}/library/)
set(glint_library_source ${PROJECT_BINARY_DIR}/library_modules.cpp)

add_custom_command(
  OUTPUT ${glint_library_source}
  COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR}/library -DOUT=${glint_library_source}
          "-DFILES=${glint_library_files}" -P ${PROJECT_SOURCE_DIR}/cmake/EmbedLibrary.cmake
  DEPENDS ${glint_library_paths} ${PROJECT_SOURCE_DIR}/cmake/EmbedLibrary.cmake
          ${PROJECT_SOURCE_DIR}/cmake/EmbedText.cmake
  COMMENT "Embedding library/"
  VERBATIM)

glint_library(library PATH library EXTRA_SOURCES ${glint_library_source})
