// The `main` of every compiled program.

#include "runtime/Abi.h"
#include "runtime/cpu/Features.h"
#include "runtime/main/Program.h"

int main(int argc, char** argv) {
  sbp::cpu::Processor processor = {sbp_cpu[0], {}};
  for (const char* const* feature = sbp_cpu + 1; *feature; ++feature)
    processor.features.push_back(*feature);
  return sbp::program::runProgram(argc, argv, sbp_plan, sbp_kernels, processor);
}
