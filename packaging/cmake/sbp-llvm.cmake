# Finds what plug-ins are compiled with, and checks its versions. Sets sbp_FOUND to FALSE,
# and sbp_NOT_FOUND_MESSAGE to the first reason, if anything is missing or is another version.

function(sbp_refuse reason)
  set(sbp_FOUND FALSE PARENT_SCOPE)
  set(sbp_NOT_FOUND_MESSAGE "${reason}" PARENT_SCOPE)
endfunction()

set(sbp_llvm_folder "/usr/lib/llvm-${sbp_CLANG_MAJOR}")

# Headers and generator come from Debian's packages, or from where the user says. MLIR's own
# MLIRConfig.cmake is not used: it needs all libraries and tools of LLVM, and nothing is linked.
find_path(sbp_LLVM_INCLUDE_DIR llvm/Config/llvm-config.h
  HINTS "${sbp_llvm_folder}/include" NO_DEFAULT_PATH
  DOC "Folder with the headers of LLVM and MLIR")
find_program(sbp_MLIR_TBLGEN NAMES mlir-tblgen-${sbp_CLANG_MAJOR} mlir-tblgen
  HINTS "${sbp_llvm_folder}/bin"
  DOC "MLIR's generator of C++ from .td files")
mark_as_advanced(sbp_LLVM_INCLUDE_DIR sbp_MLIR_TBLGEN)

string(REGEX MATCH "^[0-9]+" sbp_compiler_major "${CMAKE_CXX_COMPILER_VERSION}")
if(NOT CMAKE_CXX_COMPILER_LOADED)
  sbp_refuse("the project does not have the language CXX")
elseif(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang"
    OR NOT sbp_compiler_major STREQUAL sbp_CLANG_MAJOR)
  sbp_refuse("plug-ins are compiled by clang ${sbp_CLANG_MAJOR}, but the compiler is \
${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}; install clang-${sbp_CLANG_MAJOR} and \
configure an empty folder with -DCMAKE_CXX_COMPILER=clang++-${sbp_CLANG_MAJOR}")
elseif(NOT sbp_LLVM_INCLUDE_DIR)
  sbp_refuse("there are no headers of LLVM in ${sbp_llvm_folder}/include; install \
llvm-${sbp_CLANG_MAJOR}-dev, or set sbp_LLVM_INCLUDE_DIR")
elseif(NOT EXISTS "${sbp_LLVM_INCLUDE_DIR}/mlir/IR/OpBase.td")
  sbp_refuse("there are no headers of MLIR in ${sbp_LLVM_INCLUDE_DIR}; install \
libmlir-${sbp_CLANG_MAJOR}-dev")
elseif(NOT sbp_MLIR_TBLGEN)
  sbp_refuse("there is no program mlir-tblgen-${sbp_CLANG_MAJOR}; install \
mlir-${sbp_CLANG_MAJOR}-tools, or set sbp_MLIR_TBLGEN")
else()
  file(STRINGS "${sbp_LLVM_INCLUDE_DIR}/llvm/Config/llvm-config.h" sbp_version_line
    REGEX "^#define LLVM_VERSION_STRING ")
  string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+" sbp_found_version "${sbp_version_line}")
  execute_process(COMMAND "${sbp_MLIR_TBLGEN}" --version
    OUTPUT_VARIABLE sbp_tblgen_output ERROR_QUIET)
  string(REGEX MATCH "LLVM version ([0-9]+\\.[0-9]+\\.[0-9]+)" sbp_version_line
    "${sbp_tblgen_output}")
  set(sbp_tblgen_version "${CMAKE_MATCH_1}")
  if(NOT sbp_found_version STREQUAL sbp_LLVM_VERSION)
    sbp_refuse("sbp was built with LLVM ${sbp_LLVM_VERSION}, but the headers in \
${sbp_LLVM_INCLUDE_DIR} are of LLVM ${sbp_found_version}; install llvm-${sbp_CLANG_MAJOR}-dev and \
libmlir-${sbp_CLANG_MAJOR}-dev of version ${sbp_LLVM_VERSION}, or set sbp_LLVM_INCLUDE_DIR")
  elseif(NOT sbp_tblgen_version STREQUAL sbp_LLVM_VERSION)
    sbp_refuse("sbp was built with LLVM ${sbp_LLVM_VERSION}, but ${sbp_MLIR_TBLGEN} is of LLVM \
${sbp_tblgen_version}; install mlir-${sbp_CLANG_MAJOR}-tools of version ${sbp_LLVM_VERSION}, or set \
sbp_MLIR_TBLGEN")
  endif()
endif()
