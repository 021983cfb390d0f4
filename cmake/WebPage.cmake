# The web page as a C++ source. Vite builds it once for all presets, into build/web (tools/build_page.py).
find_package(Python3 REQUIRED COMPONENTS Interpreter)
find_program(HOLOSTAT_NPM npm)
if(NOT HOLOSTAT_NPM AND NOT EXISTS "${PROJECT_SOURCE_DIR}/build/web/index.html")
  message(FATAL_ERROR "npm is not installed, and the web page (web/) is built with it: "
                      "./dev setup installs all that is needed; or, on Debian: apt-get install nodejs npm")
endif()

# holostat_embed_page(target): adds the source that defines server::EmbeddedFiles() to `target`.
function(holostat_embed_page target)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS
    "${PROJECT_SOURCE_DIR}/web/src/*" "${PROJECT_SOURCE_DIR}/web/public/*")
  file(GLOB settings CONFIGURE_DEPENDS
    "${PROJECT_SOURCE_DIR}/web/*.html" "${PROJECT_SOURCE_DIR}/web/*.json" "${PROJECT_SOURCE_DIR}/web/*.ts")
  set(embedded "${PROJECT_BINARY_DIR}/web/embedded_files.cc")
  set(tools "${PROJECT_SOURCE_DIR}/tools")
  file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/web")
  add_custom_command(
    OUTPUT "${embedded}"
    COMMAND Python3::Interpreter "${tools}/build_page.py"
    COMMAND Python3::Interpreter "${tools}/embed_files.py" "${PROJECT_SOURCE_DIR}/build/web" "${embedded}"
    DEPENDS ${sources} ${settings} "${PROJECT_SOURCE_DIR}/assets/demo/upper-hands-up.jpg"
            "${tools}/build_page.py" "${tools}/embed_files.py"
    COMMENT "Building the web page"
    VERBATIM)
  target_sources(${target} PRIVATE "${embedded}")
endfunction()
