# The text of a file as C++ string literals, one behind the other; see EmbedExamples.cmake and
# EmbedReport.cmake, which make arrays of them.
#
#     string_literals(text page/page.html)      R"GLINT(<!doctype html>...)GLINT"
function(string_literals OUT_TEXT FILE)
  file(READ ${FILE} content)
  string(LENGTH "${content}" length)
  set(text "")
  # A string literal may hold 64 KiB by the standard; clang takes more, but pieces stay portable.
  set(at 0)
  while(at LESS length)
    string(SUBSTRING "${content}" ${at} 8000 piece)
    string(APPEND text "R\"GLINT(${piece})GLINT\"\n")
    math(EXPR at "${at} + 8000")
  endwhile()
  if(length EQUAL 0)
    set(text "\"\"")
  endif()
  set(${OUT_TEXT} "${text}" PARENT_SCOPE)
endfunction()
