// Checks the ops of nn as ops of plug-ins are checked: their CPU kernels keep
// what the ops declare.

#include <set>
#include <string>

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
  // Signatures_test runs meshes of two axes, in the interpreter.
  OpChecker checker(context_.get(), *target, {2, 1, {{2}, {3}}});
  // CPUs have no kernels for doubles.
  const std::set<std::string> exempt = {"cast_float_to_float"};
  for (Instance& instance : instances.list()) {
    const FailureOr<OpChecks> checks = checker.checkLike(instance.op);
    ASSERT_TRUE(succeeded(checks)) << instance.name() << "\n"
                                   << instances.program().error();
    EXPECT_EQ(checks->obstacle.empty(), exempt.count(instance.name()) == 0)
        << instance.name() << ": " << checks->obstacle;
  }
}

INSTANTIATE_TEST_SUITE_P(Families, CoreTest,
                         testing::ValuesIn(Instances::families()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace sbp::check
