// The kernels of a program for a GPU, as a module of the gpu dialect.
//
//   DeviceKernels device(context);
//   FailureOr<int64_t> kernel = device.kernelFor(op);    // for every op
//   device.launchesOf(*kernel)                           // one or more
//   lowerToLlvm(device.kernels());                       // after the last op
//   DeviceCode::of(device.kernels(), chip)->ptx(loc);

#ifndef CODEGEN_CUDA_DEVICEKERNELS_H_
#define CODEGEN_CUDA_DEVICEKERNELS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "codegen/cuda/CudaKernelTarget.h"
#include "codegen/kernels/KernelSet.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "runtime/plan/Plan.h"

namespace sbp::cuda {

/// Emits the code of kernels for GPUs, and reports how they are launched.
class DeviceKernels : public KernelSet {
 public:
  explicit DeviceKernels(mlir::MLIRContext* context);

  const KernelTarget& target() const override { return target_; }

  /// Returns the kernels so far, in the dialects gpu, scf, memref, vector,
  /// arith and math. A kernel has one function per launch.
  mlir::gpu::GPUModuleOp kernels() { return kernels_; }

  std::vector<plan::Launch> launchesOf(int64_t kernel) const override {
    return launches_[kernel];
  }

  std::optional<plan::Launch> squaresOf(
      mlir::RankedTensorType gradient) override;

 private:
  class LaunchFunctions;

  llvm::SmallVector<mlir::Operation*> addKernel(
      mlir::Operation* op, llvm::StringRef name,
      llvm::ArrayRef<BufferType> buffers,
      SplitArguments splitArguments) override;

  mlir::OwningOpRef<mlir::ModuleOp> module_;
  mlir::gpu::GPUModuleOp kernels_;
  CudaKernelTarget target_;
  std::vector<std::vector<plan::Launch>> launches_;  // by kernel
  // By element type and number of elements of the gradient.
  std::map<std::pair<const void*, int64_t>, plan::Launch> squares_;
};

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_DEVICEKERNELS_H_
