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

#include "codegen/interpreter/Tensor.h"
#include "codegen/interpreter/testing/Programs.h"
#include "gtest/gtest.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sbp {

/// Kernels of some ops, which can be run in this process.
class RunnableKernels {
 public:
  struct Buffer {
    void* begin = nullptr;
    int64_t bytes = 0;
  };

  virtual ~RunnableKernels() = default;

  /// Of the kernel of op number `op`.
  virtual int64_t scratchBytes(size_t op) const = 0;
  virtual std::string name(size_t op) const = 0;

  /// Runs it on the buffers of operands, results and scratch memory. What was
  /// wrong, or "".
  virtual std::string run(size_t op, const std::vector<Buffer>& buffers) = 0;
};

/// A CPU, or a chip.
class TestedTarget {
 public:
  virtual ~TestedTarget() = default;

  /// The kernels of `ops`; null after a diagnostic.
  virtual std::unique_ptr<RunnableKernels> compile(
      const std::vector<mlir::Operation*>& ops) const = 0;
};

/// The names of what is tested, such as "x86-64-v3".
std::vector<std::string> testedTargets();

/// The one named so, for ops of `context`.
std::unique_ptr<TestedTarget> testedTarget(const std::string& name,
                                           mlir::MLIRContext& context);

class KernelsTest : public testing::TestWithParam<std::string> {
 protected:
  KernelsTest() : target_(testedTarget(GetParam(), *context.get())) {}

  /// Runs each function of `functions`, which is one op, and its kernel on
  /// random numbers; tensors may differ by `tolerance`, relative to 1 or their
  /// elements. A function is all that follows `func.func @name`.
  void expectKernelsAgree(const std::vector<std::string>& functions,
                          double tolerance);

  interpreter::TestContext context;
  std::vector<double> specialValues;  // to put into the operands
  std::vector<int64_t> specialIntegers;

 private:
  void runBoth(interpreter::Program& program, mlir::func::FuncOp function,
               RunnableKernels& kernels, size_t op, double tolerance);

  /// The tensor with every other element one of `specialValues`, if it has
  /// reals, or all of them those of `specialIntegers`, if it has as many.
  interpreter::Tensor withSpecialValues(const interpreter::Tensor& tensor);

  std::unique_ptr<TestedTarget> target_;
};

/// A target as part of a test's name.
std::string nameOfTarget(const testing::TestParamInfo<std::string>& info);

}  // namespace sbp

#endif  // CODEGEN_KERNELS_TESTING_KERNELSTEST_H_
