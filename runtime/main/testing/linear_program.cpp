// The linear model as a program for 2 x 2 ranks, to be started by a launcher.

#include "runtime/main/Program.h"
#include "runtime/main/testing/LinearModel.h"

int main(int argc, char** argv) {
  namespace testing = sbp::program::testing;
  const std::string plan = sbp::plan::toJson(testing::linearPlan(2, 2));
  const auto kernels = testing::linearKernels(2, 2);
  return sbp::program::runProgram(argc, argv, plan, {kernels.data(), {}, {}});
}
