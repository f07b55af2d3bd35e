// The `main` of every compiled program.

#include "runtime/Abi.h"
#include "runtime/main/Program.h"
#include "runtime/main/ProgramCode.h"

int main(int argc, char** argv) {
  sbp::program::ProgramCode code = {sbp_kernels, {sbp_cpu[0], {}}, {}};
  for (const char* const* feature = sbp_cpu + 1; *feature; ++feature)
    code.processor.features.push_back(*feature);
  for (const SbpImage* image = sbp_images; image->chip; ++image)
    code.images.push_back({image->chip, image->code});
  return sbp::program::runProgram(argc, argv, sbp_plan, code);
}
