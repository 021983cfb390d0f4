# The reference interpreter and what is checked with it. Test-only: nothing of the product links it.
if(HOLOSTAT_BUILD_TESTS)
  add_library(holostat_reference STATIC reference_interpreter.cc reference_operators.cc)
  target_link_libraries(holostat_reference PUBLIC holostat_base PRIVATE holostat_flags)
  # Plain loops over whole models: bearable only when optimised, in every preset.
  target_compile_options(holostat_reference PRIVATE -O3)

  holostat_test(reference_interpreter_test
    SOURCES reference_interpreter_test.cc DEPS holostat_reference)
  # GCC 12 warns of every member that a designated initialiser leaves at its default.
  target_compile_options(reference_interpreter_test PRIVATE -Wno-missing-field-initializers)
endif()
