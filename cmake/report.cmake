# The page of the report (repl/report/page), embedded in the program as text: its frame, its styles,
# and its scripts in the order of this list, since they share one scope. repl/report/page_texts.h
# declares what is made.
set(glint_report_page page.html page.css
    document.js links.js elements.js lines.js source.js panels.js passes_panel.js entries_panel.js
    bars_panel.js layout.js folding.js drawing_panel.js stages.js light.js search.js keyboard.js address.js
    main.js)
set(glint_report_paths ${glint_report_page})
list(TRANSFORM glint_report_paths PREPEND ${PROJECT_SOURCE_DIR}/repl/report/page/)
set(glint_report_source ${PROJECT_BINARY_DIR}/report_page.cpp)

add_custom_command(
  OUTPUT ${glint_report_source}
  COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR}/repl/report/page -DOUT=${glint_report_source}
          "-DFILES=${glint_report_page}" -P ${PROJECT_SOURCE_DIR}/cmake/EmbedReport.cmake
  DEPENDS ${glint_report_paths} ${PROJECT_SOURCE_DIR}/cmake/EmbedReport.cmake
          ${PROJECT_SOURCE_DIR}/cmake/EmbedText.cmake
  COMMENT "Embedding repl/report/page/"
  VERBATIM)
