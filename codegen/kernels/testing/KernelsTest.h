// A test fixture that runs each op by its kernel and by the interpreter, and
// compares the results.
//
//   TEST_P(KernelsTest, Exponential) {
//     expectKernelsAgree({"(%x: tensor<7xf32>) -> tensor<7xf32> {"
//                         " %y = nn.exp %x : tensor<7xf32> return %y :"
//                         " tensor<7xf32> }"}, 1e-6);
//   }
//
// The tests are the same for all targets. The test program of a target links
// them with a file that defines testedTargets() and testedTarget().

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

/// A kind of CPU or GPU whose kernels are tested.
class TestedTarget {
 public:
  virtual ~TestedTarget() = default;

  /// The target that the kernels are compiled for.
  virtual const KernelTarget& kernelTarget() const = 0;

  /// The element type of the float tensors in the tests.
  virtual std::string floatElement() const { return "f32"; }

  /// Compiles the kernels of `ops`. Returns null after a diagnostic if that
  /// fails.
  virtual std::unique_ptr<RunnableKernels> compile(
      const std::vector<mlir::Operation*>& ops, InPlace inPlace) const = 0;
};

/// Returns the names of the tested targets, such as "x86-64-v3" or "bf16".
std::vector<std::string> testedTargets();

/// Returns the tested target `name`, for ops of `context`.
std::unique_ptr<TestedTarget> testedTarget(const std::string& name,
                                           mlir::MLIRContext& context);

/// The fixture. Its parameter is the name of a tested target.
class KernelsTest : public testing::TestWithParam<std::string> {
 protected:
  KernelsTest() : target_(testedTarget(GetParam(), *context.get())) {}

  /// Runs the op of each of `functions` (TestedOps) on random numbers, by its
  /// kernel and by the interpreter. Fails the test if results differ by more
  /// than `tolerance` (TestedOps::check). In the text of the functions, f32
  /// stands for the target's float element type.
  void expectKernelsAgree(std::vector<std::string> functions, double tolerance,
                          InPlace inPlace = InPlace::None);

  /// Whether the kernel of `op` can write a result to an operand's buffer.
  bool canWriteInPlace(mlir::Operation* op) const;

  interpreter::TestContext context;
  // Values for the operands: the members of SpecialValues in TestedOps.h.
  std::vector<double> specialValues;
  std::vector<int64_t> specialIntegers;

 private:
  std::unique_ptr<TestedTarget> target_;
};

/// Returns the name of a target with each `-` replaced by `_`, because a test's
/// name may not have a `-`.
std::string nameOfTarget(const testing::TestParamInfo<std::string>& info);

}  // namespace sbp

#endif  // CODEGEN_KERNELS_TESTING_KERNELSTEST_H_
