// Kernels for GPUs against the interpreter, run on this CPU in several orders
// of their threads (codegen/cuda/simt/Machine.h).
//
//   INSTANTIATE_TEST_SUITE_P(Chips, CudaKernelsTest, testedChips(),
//                            nameOfTarget);

#ifndef CODEGEN_CUDA_TESTING_CUDAKERNELSTEST_H_
#define CODEGEN_CUDA_TESTING_CUDAKERNELSTEST_H_

#include <memory>
#include <vector>

#include "codegen/kernels/testing/KernelsTest.h"
#include "gtest/gtest.h"

namespace sbp::cuda {

/// The chips for which kernels are tested.
inline auto testedChips() { return testing::Values("sm_80"); }

class CudaKernelsTest : public KernelsTest {
 protected:
  CudaKernelsTest();

  std::unique_ptr<RunnableKernels> compile(
      const std::vector<mlir::Operation*>& ops) override;

  /// Of the kernels that were compiled last.
  std::string ptx;
};

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_TESTING_CUDAKERNELSTEST_H_
