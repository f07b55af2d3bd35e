// sbp-interpret: runs a program without compiling it.

#include "codegen/interpreter/tool/InterpretMain.h"

int main(int argc, char** argv) {
  return sbp::interpreter::interpretMain(argc, argv);
}
