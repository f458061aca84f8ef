# The page of the report (repl/report/page), embedded in the program as text: its frame, its styles,
# and its scripts in the order of this list, since they share one scope. repl/report/page_texts.h
# declares what is made.
#
# Dragging, zooming and pinching are d3-zoom's, taken from Debian's packages as its makers minified
# it. Of the packages that it names, d3-interpolate, d3-color, d3-ease and d3-timer serve animations
# alone, of which the page has none: without them the library is 41 KB and not 63.
set(glint_report_page page.html page.css
    document.js links.js elements.js lines.js source.js panels.js passes_panel.js entries_panel.js
    bars_panel.js layout.js labels.js folding.js drawing_panel.js stages.js light.js search.js keyboard.js
    address.js main.js)
list(TRANSFORM glint_report_page PREPEND ${PROJECT_SOURCE_DIR}/repl/report/page/)

find_path(GLINT_D3_ROOT d3-zoom/dist/d3-zoom.min.js PATHS /usr/share/nodejs)
find_file(GLINT_D3_LICENSE copyright PATHS /usr/share/doc/node-d3-zoom NO_DEFAULT_PATH)
if(NOT GLINT_D3_ROOT OR NOT GLINT_D3_LICENSE)
  message(FATAL_ERROR "d3-zoom, with which the report's drawings are dragged and zoomed, is missing: "
                      "run scripts/setup, or install Debian's node-d3-zoom")
endif()
# Its licence asks that its text goes wherever the library goes.
file(READ ${GLINT_D3_LICENSE} glint_d3_license)
string(REPLACE "*/" "* /" glint_d3_license "${glint_d3_license}")
set(glint_d3_notice ${PROJECT_BINARY_DIR}/d3_notice.js)
file(CONFIGURE OUTPUT ${glint_d3_notice} CONTENT "/*\n@glint_d3_license@*/\n" @ONLY)
set(glint_report_libraries ${glint_d3_notice})
foreach(part selection dispatch drag transition zoom)
  list(APPEND glint_report_libraries ${GLINT_D3_ROOT}/d3-${part}/dist/d3-${part}.min.js)
endforeach()

set(glint_report_texts ${glint_report_libraries} ${glint_report_page})
set(glint_report_source ${PROJECT_BINARY_DIR}/report_page.cpp)
add_custom_command(
  OUTPUT ${glint_report_source}
  COMMAND ${CMAKE_COMMAND} -DOUT=${glint_report_source} "-DFILES=${glint_report_texts}"
          -P ${PROJECT_SOURCE_DIR}/cmake/EmbedReport.cmake
  DEPENDS ${glint_report_texts} ${PROJECT_SOURCE_DIR}/cmake/EmbedReport.cmake
          ${PROJECT_SOURCE_DIR}/cmake/EmbedText.cmake
  COMMENT "Embedding repl/report/page/"
  VERBATIM)
