# Writes OUT, a C++ source with the text of FILE; see examples.cmake.
include(${CMAKE_CURRENT_LIST_DIR}/EmbedText.cmake)
string_literals(literals ${FILE})
set(text "#include \"repl/examples.h\"\n\nnamespace glint {\n\n")
string(APPEND text "std::string_view examples_page() {\n  return\n${literals};\n}\n\n}  // namespace glint\n")
file(WRITE ${OUT}.new "${text}")
file(COPY_FILE ${OUT}.new ${OUT})
