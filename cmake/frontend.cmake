# The parser that ANTLR makes from grammar/: the lexer first, whose tokens the parser names.
find_package(antlr4-runtime 4.9 REQUIRED CONFIG)
find_program(ANTLR4_TOOL antlr4 REQUIRED)

set(grammar ${PROJECT_SOURCE_DIR}/grammar)
set(generated ${PROJECT_BINARY_DIR}/generated/grammar)
set(antlr_flags -Dlanguage=Cpp -no-listener -no-visitor -package glint::antlr -Xexact-output-dir)
file(MAKE_DIRECTORY ${generated})
add_custom_command(
  OUTPUT ${generated}/GlintLexer.cpp ${generated}/GlintLexer.h ${generated}/GlintLexer.tokens
  COMMAND ${ANTLR4_TOOL} ${antlr_flags} -o ${generated} ${grammar}/GlintLexer.g4
  DEPENDS ${grammar}/GlintLexer.g4
  COMMENT "ANTLR: lexer")
add_custom_command(
  OUTPUT ${generated}/GlintParser.cpp ${generated}/GlintParser.h
  COMMAND ${ANTLR4_TOOL} ${antlr_flags} -lib ${generated} -o ${generated} ${grammar}/GlintParser.g4
  DEPENDS ${grammar}/GlintParser.g4 ${generated}/GlintLexer.tokens
  COMMENT "ANTLR: parser")

# Unicode's ranges of letters, as CPython knows them.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(glint_identifier_source ${PROJECT_BINARY_DIR}/identifier_ranges.cpp)
add_custom_command(
  OUTPUT ${glint_identifier_source}
  COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/cmake/identifier_ranges.py
          ${glint_identifier_source}
  DEPENDS ${PROJECT_SOURCE_DIR}/cmake/identifier_ranges.py
  COMMENT "Unicode: characters of names")
set(GLINT_FRONTEND_EXTRA_SOURCES ${glint_identifier_source})

# The generated code is not ours to keep free of warnings; its u8 literals are char8_t in C++20.
add_library(glint_grammar STATIC ${generated}/GlintLexer.cpp ${generated}/GlintParser.cpp)
target_include_directories(glint_grammar SYSTEM PUBLIC ${generated} ${ANTLR4_INCLUDE_DIR})
target_compile_options(glint_grammar PRIVATE -w PUBLIC -fno-char8_t)
if(TARGET antlr4_static)
  target_link_libraries(glint_grammar PUBLIC antlr4_static)
else()
  target_link_libraries(glint_grammar PUBLIC antlr4_shared)
endif()
set(GLINT_FRONTEND_LIBRARIES glint_grammar)
