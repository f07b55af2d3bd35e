# Adds the target `name`: the plug-in `name`.so in the current binary folder.
#
#   sbp_add_dialect_plugin(name SOURCES a.cpp [b.cpp ...] [TD Mine.td])
#
# SOURCES are compiled as C++17 with the headers of sbp, LLVM and MLIR. Nothing is linked: a
# plug-in finds what it uses in the tool that loads it. From Mine.td, which defines one dialect
# and its ops, four files are generated for the sources to include:
#
#   Mine.h.inc, Mine.cpp.inc         declarations and definitions of the dialect
#   MineOps.h.inc, MineOps.cpp.inc   those of the ops
function(sbp_add_dialect_plugin name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TD" "SOURCES")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "sbp_add_dialect_plugin(${name}) has the argument \
'${arg_UNPARSED_ARGUMENTS}'; it takes SOURCES and TD")
  endif()
  if(NOT arg_SOURCES)
    message(FATAL_ERROR "sbp_add_dialect_plugin(${name}) has no SOURCES")
  endif()

  set(folders "${CMAKE_CURRENT_SOURCE_DIR}" ${sbp_INCLUDE_DIRS})
  list(TRANSFORM folders PREPEND "-I")
  set(generated)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${name}.generated")
  if(arg_TD)
    get_filename_component(td "${arg_TD}" ABSOLUTE)
    get_filename_component(stem "${arg_TD}" NAME_WE)
    file(MAKE_DIRECTORY "${folder}")
    foreach(output IN ITEMS
        "${stem}.h.inc=dialect-decls" "${stem}.cpp.inc=dialect-defs"
        "${stem}Ops.h.inc=op-decls" "${stem}Ops.cpp.inc=op-defs")
      string(REPLACE "=" ";" output "${output}")
      list(GET output 0 file)
      list(GET output 1 generator)
      add_custom_command(
        OUTPUT "${folder}/${file}"
        COMMAND "${sbp_MLIR_TBLGEN}" -gen-${generator} "${td}" ${folders}
          -o "${folder}/${file}" -d "${folder}/${file}.d"
        DEPENDS "${td}"
        DEPFILE "${folder}/${file}.d"
        COMMENT "Generating ${file}"
        VERBATIM)
      list(APPEND generated "${folder}/${file}")
    endforeach()
  endif()

  add_library(${name} MODULE ${arg_SOURCES} ${generated})
  target_include_directories(${name} PRIVATE
    "${folder}" "${CMAKE_CURRENT_SOURCE_DIR}" "${sbp_PREFIX}/include/sbp")
  target_include_directories(${name} SYSTEM PRIVATE "${sbp_LLVM_INCLUDE_DIR}")
  # Without a build type, code is optimised: a plug-in runs in the compiler.
  target_compile_options(${name} PRIVATE $<$<CONFIG:>:-O2>)
  set_target_properties(${name} PROPERTIES
    CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF
    POSITION_INDEPENDENT_CODE ON
    PREFIX "" SUFFIX ".so")
endfunction()
