// The `main` of every compiled program.

#include "runtime/Abi.h"
#include "runtime/main/Program.h"

int main(int argc, char** argv) {
  return sbp::program::runProgram(argc, argv, sbp_plan, sbp_kernels);
}
