# The examples of the commands (repl/examples.md), embedded in the program as text; repl/examples.h
# declares what is made.
set(glint_examples_source ${PROJECT_BINARY_DIR}/command_examples.cpp)
add_custom_command(
  OUTPUT ${glint_examples_source}
  COMMAND ${CMAKE_COMMAND} -DFILE=${PROJECT_SOURCE_DIR}/repl/examples.md
          -DOUT=${glint_examples_source} -P ${PROJECT_SOURCE_DIR}/cmake/EmbedExamples.cmake
  DEPENDS ${PROJECT_SOURCE_DIR}/repl/examples.md ${PROJECT_SOURCE_DIR}/cmake/EmbedExamples.cmake
          ${PROJECT_SOURCE_DIR}/cmake/EmbedText.cmake
  COMMENT "Embedding repl/examples.md"
  VERBATIM)
