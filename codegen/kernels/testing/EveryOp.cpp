// Every op of nn has a kernel, or a reason to have none.
//
// The instances of ops, which signatures are proved over, are run by their
// kernels too. So an op without a kernel is not forgotten, nor one whose kernel
// stands in no list of tests.

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
  /// Expects that the kernels of all instances of ops, or of those that can
  /// write in place, agree with the interpreter. The names of these ops.
  std::set<std::string> expectAllAgree(InPlace inPlace = InPlace::None);
};

INSTANTIATE_TEST_SUITE_P(Targets, EveryOpTest,
                         testing::ValuesIn(testedTargets()), nameOfTarget);

/// Ops without kernel, and why.
const char* const kWithoutKernel[] = {
    // A plan has buffers for parameters; to get and set them is to name these.
    "nn.parameter",
    "nn.get",
    "nn.set",
    // A plan has loops, whose counter is a buffer that the runtime writes.
    "nn.repeat",
    "nn.repetition",
};

/// All of the function that follows its name.
std::string textOf(Instance& instance) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  instance.function->print(stream);
  return text.substr(text.find('('));
}

/// Whether generated code has tensors like those of the op, and `textOf` says
/// all of it: elements of a resource stand beside the functions of a file.
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

std::set<std::string> EveryOpTest::expectAllAgree(InPlace inPlace) {
  std::set<std::string> covered;
  for (const std::string& family : Instances::families()) {
    Instances instances(context, family, interpreter::Precision::AsWritten);
    std::vector<std::string> functions;
    for (Instance& instance : instances.list()) {
      if (!canRun(instance.op)) continue;
      if (inPlace != InPlace::None && !canWriteInPlace(instance.op)) continue;
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
