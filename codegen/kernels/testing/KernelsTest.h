// A test fixture that runs ops twice: by their kernels, and by the interpreter.
//
//   TEST_P(KernelsTest, Exponential) {
//     expectKernelsAgree({"(%x: tensor<7xf32>) -> tensor<7xf32> {"
//                         " %y = nn.exp %x : tensor<7xf32> return %y :"
//                         " tensor<7xf32> }"}, 1e-6);
//   }
//
// Tests are the same for all targets. A test program links them with one, which
// defines the two functions below.

#ifndef CODEGEN_KERNELS_TESTING_KERNELSTEST_H_
#define CODEGEN_KERNELS_TESTING_KERNELSTEST_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "codegen/interpreter/testing/Programs.h"
#include "codegen/kernels/testing/InPlace.h"
#include "codegen/kernels/testing/RunnableKernels.h"
#include "codegen/plan/KernelTarget.h"
#include "gtest/gtest.h"
#include "mlir/IR/Operation.h"

namespace sbp {

/// A CPU, or a chip.
class TestedTarget {
 public:
  virtual ~TestedTarget() = default;

  /// What its kernels are for.
  virtual const KernelTarget& kernelTarget() const = 0;

  /// The element type of the tensors of floats that it is tested with.
  virtual std::string floatElement() const { return "f32"; }

  /// The kernels of `ops`; null after a diagnostic.
  virtual std::unique_ptr<RunnableKernels> compile(
      const std::vector<mlir::Operation*>& ops, InPlace inPlace) const = 0;
};

/// The names of what is tested, such as "x86-64-v3", or "bf16".
std::vector<std::string> testedTargets();

/// The one named so, for ops of `context`.
std::unique_ptr<TestedTarget> testedTarget(const std::string& name,
                                           mlir::MLIRContext& context);

class KernelsTest : public testing::TestWithParam<std::string> {
 protected:
  KernelsTest() : target_(testedTarget(GetParam(), *context.get())) {}

  /// Runs the kernels of `functions`, each of which is one op, and the
  /// interpreter on random numbers; tensors may differ by `tolerance`
  /// (TestedOps.h). What the functions call f32 is the target's float element.
  void expectKernelsAgree(std::vector<std::string> functions, double tolerance,
                          InPlace inPlace = InPlace::None);

  /// Whether the kernel of `op` can write a result where an operand lies.
  bool canWriteInPlace(mlir::Operation* op) const;

  interpreter::TestContext context;
  std::vector<double> specialValues;  // to put into the operands
  std::vector<int64_t> specialIntegers;

 private:
  std::unique_ptr<TestedTarget> target_;
};

/// A target as part of a test's name.
std::string nameOfTarget(const testing::TestParamInfo<std::string>& info);

}  // namespace sbp

#endif  // CODEGEN_KERNELS_TESTING_KERNELSTEST_H_
