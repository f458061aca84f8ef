# Unicode's tables of characters, as CPython knows them, for the module `unicodedata`.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(glint_unicode_source ${PROJECT_BINARY_DIR}/unicode_tables.cpp)
add_custom_command(
  OUTPUT ${glint_unicode_source}
  COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/cmake/unicode_tables.py
          ${glint_unicode_source}
  DEPENDS ${PROJECT_SOURCE_DIR}/cmake/unicode_tables.py
  COMMENT "Unicode: categories and forms of characters")
