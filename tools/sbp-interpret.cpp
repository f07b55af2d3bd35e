// sbp-interpret: runs a program without compiling it.

#include "codegen/interpreter/tool/InterpretMain.h"
#include "tools/version/Version.h"

int main(int argc, char** argv) {
  return sbp::interpreter::interpretMain(argc, argv,
                                         sbp::versionOf("sbp-interpret"));
}
