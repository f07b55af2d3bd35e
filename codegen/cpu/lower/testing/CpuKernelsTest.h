// Kernels for CPUs against the interpreter.
//
//   INSTANTIATE_TEST_SUITE_P(Cpus, CpuKernelsTest, testedCpus(), nameOfTarget);

#ifndef CODEGEN_CPU_LOWER_TESTING_CPUKERNELSTEST_H_
#define CODEGEN_CPU_LOWER_TESTING_CPUKERNELSTEST_H_

#include <memory>
#include <vector>

#include "codegen/kernels/testing/KernelsTest.h"
#include "gtest/gtest.h"

namespace sbp::cpu {

/// The CPUs for which kernels are tested: this one, and two older ones.
inline auto testedCpus() {
  return testing::Values("host", "x86-64-v3", "x86-64-v2");
}

class CpuKernelsTest : public KernelsTest {
 protected:
  CpuKernelsTest();

  std::unique_ptr<RunnableKernels> compile(
      const std::vector<mlir::Operation*>& ops) override;
};

}  // namespace sbp::cpu

#endif  // CODEGEN_CPU_LOWER_TESTING_CPUKERNELSTEST_H_
