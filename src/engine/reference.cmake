# The reference interpreter, the builder of model files, and what is checked with them, by tests and
# by the fuzzer. Nothing of the product links any of this.

add_library(holostat_model_builder STATIC EXCLUDE_FROM_ALL
  model_builder.cc "${HOLOSTAT_TFLITE_HEADER}")
target_include_directories(holostat_model_builder
  SYSTEM PUBLIC "${CMAKE_CURRENT_BINARY_DIR}/generated")
target_link_libraries(holostat_model_builder
  PUBLIC holostat_engine flatbuffers::flatbuffers PRIVATE holostat_flags)

add_library(holostat_reference STATIC EXCLUDE_FROM_ALL
  reference_interpreter.cc reference_operators.cc)
target_link_libraries(holostat_reference PUBLIC holostat_base PRIVATE holostat_flags)
# Plain loops over whole models: bearable only when optimised, in every preset.
target_compile_options(holostat_reference PRIVATE -O3)

add_library(holostat_comparison STATIC EXCLUDE_FROM_ALL
  reference_comparison.cc reference_exercise.cc)
target_link_libraries(holostat_comparison
  PUBLIC holostat_engine holostat_reference PRIVATE holostat_flags)

foreach(name reference_interpreter_test reference_operator_test reference_graph_test
        reference_corpus_test tflite_reader_malformed_test operator_reader_malformed_test)
  holostat_test(${name} SOURCES ${name}.cc
    DEPS holostat_comparison holostat_model_builder fmt::fmt)
endforeach()
holostat_test(reference_model_test SOURCES reference_model_test.cc
  DEPS holostat_comparison fmt::fmt LABELS golden TIMEOUT 600)
