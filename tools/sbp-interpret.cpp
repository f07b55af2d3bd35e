// sbp-interpret: runs a program without compiling it.

#include "codegen/interpreter/tool/InterpretMain.h"
#include "runtime/file/ProcessStart.h"
#include "tools/version/Version.h"

int main(int argc, char** argv) {
  sbp::file::startProcess();
  return sbp::interpreter::interpretMain(argc, argv,
                                         sbp::versionOf("sbp-interpret"));
}
