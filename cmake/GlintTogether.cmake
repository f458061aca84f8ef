# Sources of one folder that are compiled together, a few at a time: what they all use of the
# standard library is then parsed, instantiated and optimised once, which saves a third of a clean
# build.
#
#   glint_compile_together(glint_passes passes/dead_code.cpp passes/fuse.cpp ...)
#
# A source is written as if it were compiled alone, which GLINT_TOGETHER=OFF does. So two sources that
# each have a `run` or a `kTable` of their own, or that look into different namespaces, go to different
# groups; every table of operators is called kEntries, and that one name is made unique for each source.

option(GLINT_TOGETHER "compile a folder's sources a few at a time" ON)
set(GLINT_MOST_TOGETHER 8)

# The `using` lines of a source that change what a name of its headers means (glint has a Value too, and
# frontend a Constant), and after them the names that it defines: what stands at the beginning of a line,
# outside of any function.
function(glint_names_of source result)
  file(READ ${source} text)
  # Brackets and semicolons are what CMake's lists are written with.
  string(REGEX REPLACE "[][]" "(" text "${text}")
  string(REPLACE ";" "," text "${text}")
  string(REPLACE "\n" ";" lines "${text}")
  list(FILTER lines INCLUDE REGEX "^[a-zA-Z].*[,{=(}]$|^using [a-z]")
  set(names "")
  set(usings "")
  foreach(line IN LISTS lines)
    if(line MATCHES "^using (namespace [a-z_:]+|runtime::Value|program::Constant),")
      string(APPEND usings "${CMAKE_MATCH_0}")
    elseif(line MATCHES "^(struct|class|enum class) ([A-Za-z_0-9]+)[ ,]")
      list(APPEND names "${CMAKE_MATCH_2}")
    elseif(NOT line MATCHES "^using " AND line MATCHES "^[^({=]*[ *&]([A-Za-z_0-9]+) *[({=]")
      list(APPEND names "${CMAKE_MATCH_1}")
    endif()
  endforeach()
  list(REMOVE_ITEM names glint kEntries __attribute__)
  list(REMOVE_DUPLICATES names)
  set(${result} "${usings};${names}" PARENT_SCOPE)
endfunction()

# Sources go, in their order, to the first group that has room for them and none of their names.
function(glint_compile_together target)
  if(NOT GLINT_TOGETHER)
    return()
  endif()
  set(groups 0)
  foreach(source IN LISTS ARGN)
    glint_names_of(${source} names)
    list(POP_FRONT names usings)
    set(group 0)
    while(group LESS groups)
      list(LENGTH members_${group} count)
      set(common ${names})
      list(FILTER common INCLUDE REGEX "^(${taken_${group}})$")
      if(count LESS GLINT_MOST_TOGETHER AND NOT common AND usings STREQUAL usings_${group})
        break()
      endif()
      math(EXPR group "${group} + 1")
    endwhile()
    if(group EQUAL groups)
      set(usings_${group} "${usings}")
      math(EXPR groups "${groups} + 1")
    endif()
    list(APPEND members_${group} ${source})
    list(APPEND names ${taken_${group}})
    list(JOIN names "|" taken_${group})
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${target}_${group})
  endforeach()
  string(JOIN "\n" own_entries
    "#define GLINT_JOIN_TEXT(a, b) a##b"
    "#define GLINT_JOIN(a, b) GLINT_JOIN_TEXT(a, b)"
    "#define kEntries GLINT_JOIN(kEntries_, GLINT_SOURCE)")
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP
    UNITY_BUILD_UNIQUE_ID GLINT_SOURCE UNITY_BUILD_CODE_BEFORE_INCLUDE "${own_entries}")
endfunction()
