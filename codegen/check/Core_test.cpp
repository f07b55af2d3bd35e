// Checks the ops of nn as ops of plug-ins are checked: their CPU kernels keep
// what the ops declare.

#include <chrono>
#include <iostream>

#include "codegen/check/CheckOp.h"
#include "codegen/cpu/Target.h"
#include "codegen/cpu/lower/Kernels.h"
#include "codegen/interpreter/testing/Instances.h"
#include "gtest/gtest.h"
#include "mlir/IR/Diagnostics.h"
#include "passes/differentiate/adjoints/Adjoints.h"

namespace sbp::check {
namespace {

using interpreter::Instance;
using interpreter::Instances;

class CoreTest : public testing::TestWithParam<std::string> {
 protected:
  CoreTest() {
    mlir::DialectRegistry registry;
    cpu::registerNnKernels(registry);
    registerAdjoints(registry);
    context_.get()->appendDialectRegistry(registry);
  }

  interpreter::TestContext context_;
};

TEST_P(CoreTest, OpsKeepWhatTheyDeclare) {
  Instances instances(context_, GetParam(), interpreter::Precision::AsWritten);
  const auto target = cpu::lookUpTarget("host", [&] {
    return mlir::emitError(mlir::UnknownLoc::get(context_.get()));
  });
  OpChecker checker(context_.get(), *target, Thoroughness());
  for (Instance& instance : instances.list()) {
    const auto start = std::chrono::steady_clock::now();
    const auto checks = checker.checkLike(instance.op);
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
            .count();
    EXPECT_TRUE(succeeded(checks)) << instance.name();
    std::cerr << instance.name() << " " << seconds << " "
              << instances.program().error();
    if (succeeded(checks))
      std::cerr << " " << checks->numInstances << " " << checks->numChoices
                << " " << checks->numGradients << " " << checks->numInPlace;
    std::cerr << "\n";
  }
}

INSTANTIATE_TEST_SUITE_P(Families, CoreTest,
                         testing::ValuesIn(Instances::families()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace sbp::check
