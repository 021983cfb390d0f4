# Debian ships jemalloc without a CMake package. Defines Jemalloc::Jemalloc: the static library, made
# so that our counting malloc (src/base/heap_calls.cc) can stand before it:
#   - its functions are named je_malloc, je_free, ... ; mallctl keeps its name;
#   - its C++ operators are left out, so that new and delete go through malloc and are counted;
#   - the file of a profile is opened by holostat_open_heap_dump (src/base/heap_calls.cc).
include(FindPackageHandleStandardArgs)
find_library(JEMALLOC_LIBRARY NAMES libjemalloc_pic.a)
find_package_handle_standard_args(Jemalloc REQUIRED_VARS JEMALLOC_LIBRARY CMAKE_OBJCOPY CMAKE_AR)
if(Jemalloc_FOUND AND NOT TARGET Jemalloc::Jemalloc)
  set(jemalloc_renamed "${PROJECT_BINARY_DIR}/libjemalloc_renamed.a")
  set(jemalloc_names)
  foreach(name malloc calloc realloc free memalign aligned_alloc posix_memalign valloc malloc_usable_size)
    list(APPEND jemalloc_names --redefine-sym ${name}=je_${name})
  endforeach()
  add_custom_command(OUTPUT "${jemalloc_renamed}"
    COMMAND ${CMAKE_COMMAND} -E copy "${JEMALLOC_LIBRARY}" "${jemalloc_renamed}.new"
    COMMAND ${CMAKE_AR} d "${jemalloc_renamed}.new" jemalloc_cpp.pic.o
    COMMAND ${CMAKE_OBJCOPY} ${jemalloc_names} --redefine-sym creat=holostat_open_heap_dump "${jemalloc_renamed}.new"
    COMMAND ${CMAKE_COMMAND} -E rename "${jemalloc_renamed}.new" "${jemalloc_renamed}"
    DEPENDS "${JEMALLOC_LIBRARY}" COMMENT "Renaming the functions of jemalloc" VERBATIM)
  add_custom_target(jemalloc_renamed DEPENDS "${jemalloc_renamed}")
  find_package(Threads REQUIRED)
  add_library(Jemalloc::Jemalloc STATIC IMPORTED GLOBAL)
  add_dependencies(Jemalloc::Jemalloc jemalloc_renamed)
  set_target_properties(Jemalloc::Jemalloc PROPERTIES
    IMPORTED_LOCATION "${jemalloc_renamed}"
    INTERFACE_LINK_LIBRARIES "m;Threads::Threads;${CMAKE_DL_LIBS}")
  set(jemalloc_names)
endif()
mark_as_advanced(JEMALLOC_LIBRARY)
