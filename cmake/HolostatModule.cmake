# Helpers that keep the CMakeLists.txt of a module to a list of names.

# Warnings and sanitizers, in one place; errors only where a preset asks for them.
add_library(holostat_flags INTERFACE)
# A product and a sum stay two roundings on every processor: compilers would else join them into one
# where there is an instruction for it (on ARM by default), and landmarks would differ.
target_compile_options(holostat_flags INTERFACE -ffp-contract=off)
target_compile_options(holostat_flags INTERFACE
  -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Wcast-qual -Wold-style-cast -Woverloaded-virtual
  -Wdouble-promotion -Wformat=2 $<$<BOOL:${HOLOSTAT_WERROR}>:-Werror>)
if(HOLOSTAT_SANITIZE)
  target_compile_options(holostat_flags INTERFACE
    -fsanitize=${HOLOSTAT_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(holostat_flags INTERFACE -fsanitize=${HOLOSTAT_SANITIZE})
endif()

# holostat_module(base SOURCES a.cc b.cc [PUBLIC_DEPS ...] [DEPS ...])
# A static library holostat_<name>. DEPS stay private to the module's sources.
function(holostat_module name)
  cmake_parse_arguments(ARG "" "" "SOURCES;PUBLIC_DEPS;DEPS" ${ARGN})
  add_library(holostat_${name} STATIC ${ARG_SOURCES})
  target_include_directories(holostat_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
  target_link_libraries(holostat_${name}
    PUBLIC TlExpected::tl_expected ${ARG_PUBLIC_DEPS} PRIVATE holostat_flags ${ARG_DEPS})
endfunction()

# holostat_test(result_test SOURCES result_test.cc DEPS holostat_base [LABELS unit] [TIMEOUT 120])
# Every test binary sees the checkout and, where it exists, the shared media beside it. ctest shows it
# as skipped when all of its cases were skipped; if it is golden, when any was: half a proof is none.
function(holostat_test name)
  if(NOT HOLOSTAT_BUILD_TESTS)
    return()
  endif()
  cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;DEPS;LABELS" ${ARGN})
  if(NOT ARG_LABELS)
    set(ARG_LABELS unit)
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE holostat_flags ${ARG_DEPS} holostat_test_main)
  target_compile_definitions(${name} PRIVATE
    HOLOSTAT_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
    HOLOSTAT_MODELS_DIR="${PROJECT_SOURCE_DIR}/build/models")
  add_test(NAME ${name} COMMAND ${name})
  set(skipped_if all)
  if("golden" IN_LIST ARG_LABELS)
    set(skipped_if any)
  endif()
  set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT ${ARG_TIMEOUT}
    ENVIRONMENT HOLOSTAT_SKIPPED_IF=${skipped_if} SKIP_RETURN_CODE 77)
endfunction()

# holostat_fuzz(tflite_reader_fuzz SOURCES ... DEPS ...)
function(holostat_fuzz name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_compile_options(${name} PRIVATE -fsanitize=fuzzer)
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  target_link_libraries(${name} PRIVATE holostat_flags ${ARG_DEPS})
endfunction()
