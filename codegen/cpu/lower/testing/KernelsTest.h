// A test fixture that runs ops twice: by their kernels, and by the interpreter.
//
//   INSTANTIATE_TEST_SUITE_P(Cpus, KernelsTest, testedCpus(), nameOfCpu);
//
//   TEST_P(KernelsTest, Exponential) {
//     expectKernelsAgree({"(%x: tensor<7xf32>) -> tensor<7xf32> {"
//                         " %y = nn.exp %x : tensor<7xf32> return %y :"
//                         " tensor<7xf32> }"}, 1e-6);
//   }

#ifndef CODEGEN_CPU_LOWER_TESTING_KERNELSTEST_H_
#define CODEGEN_CPU_LOWER_TESTING_KERNELSTEST_H_

#include <cstdint>
#include <string>
#include <vector>

#include "codegen/cpu/Target.h"
#include "codegen/cpu/testing/LoadedKernels.h"
#include "codegen/interpreter/Tensor.h"
#include "codegen/interpreter/testing/Programs.h"
#include "gtest/gtest.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace sbp::cpu {

/// The CPUs for which kernels are tested: this one, and two older ones.
inline auto testedCpus() {
  return testing::Values("host", "x86-64-v3", "x86-64-v2");
}

/// The CPU as part of a test's name.
std::string nameOfCpu(const testing::TestParamInfo<const char*>& info);

class KernelsTest : public testing::TestWithParam<const char*> {
 protected:
  KernelsTest();

  /// Runs each function of `functions`, which is one op, and its kernel on
  /// random numbers; tensors may differ by `tolerance`, relative to 1 or their
  /// elements. A function is all that follows `func.func @name`.
  void expectKernelsAgree(const std::vector<std::string>& functions,
                          double tolerance);

  interpreter::TestContext context;
  std::vector<double> specialValues;  // to put into the operands
  std::vector<int64_t> specialIntegers;

 private:
  Target target();
  void runBoth(interpreter::Program& program, mlir::func::FuncOp function,
               int64_t scratchBytes, const std::string& name,
               const LoadedKernels& loaded, double tolerance);

  /// The tensor with every other element one of `specialValues`, if it has
  /// reals, or all of them those of `specialIntegers`, if it has as many.
  interpreter::Tensor withSpecialValues(const interpreter::Tensor& tensor);
};

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_LOWER_TESTING_KERNELSTEST_H_
