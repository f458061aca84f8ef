# oneDNN's headers describe the functions that core/platform finds in the library at run time; the
# library itself is not linked, so that a program without large matrix products never loads it.
find_path(GLINT_ONEDNN_INCLUDE oneapi/dnnl/dnnl.h REQUIRED)
set(GLINT_PLATFORM_LIBRARIES ${CMAKE_DL_LIBS})
