# The Jupyter kernel's plugin (notebook/jupyter), which speaks the protocol with xeus. It is loaded by
# `glint kernel` alone, so that no other start of the program pays for its libraries, and it sees
# nothing of the program but notebook/host.h. Without xeus the program is built without it, and
# `glint kernel` says so.
find_package(xeus 2.4 QUIET CONFIG)

if(TARGET xeus)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/notebook/jupyter/*.cpp)
  set(stage ${PROJECT_BINARY_DIR}/include/jupyter)
  file(MAKE_DIRECTORY ${stage}/notebook)
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/notebook/host.h ${stage}/notebook/host.h SYMBOLIC)
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/notebook/jupyter ${stage}/notebook/jupyter SYMBOLIC)
  add_library(glint_jupyter MODULE ${sources})
  glint_compile_together(glint_jupyter ${sources})
  target_include_directories(glint_jupyter PRIVATE ${stage})
  target_include_directories(glint_jupyter SYSTEM PRIVATE
    $<TARGET_PROPERTY:xeus,INTERFACE_INCLUDE_DIRECTORIES>)
  target_compile_options(glint_jupyter PRIVATE -Wall -Wextra -Werror
    $<$<NOT:$<BOOL:${GLINT_TOGETHER}>>:-Wshadow> -fvisibility=hidden -O1)
  set_target_properties(glint_jupyter PROPERTIES POSITION_INDEPENDENT_CODE ON
    PREFIX "" OUTPUT_NAME glint-jupyter LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  # libxeus and libzmq alone: what they need they bring.
  target_link_libraries(glint_jupyter PRIVATE $<TARGET_PROPERTY:xeus,LOCATION> zmq)
  target_link_options(glint_jupyter PRIVATE -fuse-ld=mold -Wl,--as-needed)
else()
  message(STATUS "no xeus: the program is built without the Jupyter kernel")
endif()
