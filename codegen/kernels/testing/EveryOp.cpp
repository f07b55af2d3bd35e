// Tests that every op of the nn dialect has a kernel, or is listed here with a
// reason to have none.
//
// The kernels run on the instances of ops (codegen/interpreter/testing) with
// which signatures are tested. So the test fails for a new op without a kernel,
// and runs the kernel of every op.

#include <set>
#include <string>
#include <vector>

#include "codegen/interpreter/testing/Instances.h"
#include "codegen/kernels/testing/KernelsTest.h"
#include "gtest/gtest.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/TypeUtilities.h"

namespace sbp {
namespace {

using interpreter::Instance;
using interpreter::Instances;

class EveryOpTest : public KernelsTest {
 protected:
  /// Expects that the kernels of all instances of ops agree with the
  /// interpreter. Unless `inPlace` is None, skips ops whose kernel cannot write
  /// in place. Returns the names of the ops that were run.
  std::set<std::string> expectAllAgree(InPlace inPlace = InPlace::None);
};

INSTANTIATE_TEST_SUITE_P(Targets, EveryOpTest,
                         testing::ValuesIn(testedTargets()), nameOfTarget);

/// The ops that have no kernel, with the reasons.
const char* const kWithoutKernel[] = {
    // Parameters are buffers of a plan; getting or setting one names a buffer
    // and computes nothing.
    "nn.parameter",
    "nn.get",
    "nn.set",
    // Repetition is a loop of a plan, whose counter is a buffer that the
    // runtime writes.
    "nn.repeat",
    "nn.repetition",
};

/// Returns the text of the function from its argument list on, without its
/// name.
std::string textOf(Instance& instance) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  instance.function->print(stream);
  return text.substr(text.find('('));
}

/// Whether the op can be tested here. TensorMemory.h has no f64, and the text
/// of a function does not include the elements of a resource, which stand
/// elsewhere in the file.
bool canRun(mlir::Operation* op) {
  const auto isDouble = [](mlir::Type type) {
    return mlir::getElementTypeOrSelf(type).isF64();
  };
  bool hasResource = false;
  op->getAttrDictionary().walk(
      [&](mlir::DenseResourceElementsAttr) { hasResource = true; });
  return !hasResource && llvm::none_of(op->getOperandTypes(), isDouble) &&
         llvm::none_of(op->getResultTypes(), isDouble);
}

/// Whether the result of `op` is one of its operands. In place, the kernel has
/// nothing to store.
bool changesNothing(mlir::Operation* op) {
  llvm::SmallVector<mlir::OpFoldResult> results;
  return mlir::succeeded(op->fold(results)) && !results.empty() &&
         llvm::isa<mlir::Value>(results.front());
}

std::set<std::string> EveryOpTest::expectAllAgree(InPlace inPlace) {
  std::set<std::string> covered;
  for (const std::string& family : Instances::families()) {
    Instances instances(context, family, interpreter::Precision::AsWritten);
    std::vector<std::string> functions;
    for (Instance& instance : instances.list()) {
      if (!canRun(instance.op)) continue;
      if (inPlace != InPlace::None &&
          (!canWriteInPlace(instance.op) || changesNothing(instance.op)))
        continue;
      covered.insert(instance.op->getName().getStringRef().str());
      functions.push_back(textOf(instance));
    }
    expectKernelsAgree(functions, 2e-5, inPlace);
  }
  return covered;
}

TEST_P(EveryOpTest, HasAKernelThatAgreesWithTheInterpreter) {
  std::set<std::string> covered = expectAllAgree();
  for (const char* op : kWithoutKernel)
    EXPECT_TRUE(covered.insert(op).second) << op << " has a kernel";
  for (mlir::RegisteredOperationName op :
       context.get()->getRegisteredOperationsByDialect("nn"))
    EXPECT_TRUE(covered.count(op.getStringRef().str()))
        << op.getStringRef().str() << " has no instance";
}

TEST_P(EveryOpTest, AgreesWithTheInterpreterInPlace) {
  expectAllAgree(InPlace::FirstOperands);
  expectAllAgree(InPlace::LastOperands);
}

}  // namespace
}  // namespace sbp
