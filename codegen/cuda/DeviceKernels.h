// The kernels of a program for a GPU, and what launches of them need.
//
//   DeviceKernels device(context);
//   FailureOr<int64_t> kernel = device.kernelFor(op);    // for every op
//   device.launches()[*kernel]                           // one or more
//   lowerToLlvm(device.kernels());                       // when all are there
//   DeviceCode::of(device.kernels(), chip)->ptx(loc);

#ifndef CODEGEN_CUDA_DEVICEKERNELS_H_
#define CODEGEN_CUDA_DEVICEKERNELS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "codegen/kernels/KernelSet.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace sbp::cuda {

/// One launch of a kernel, which has the addresses of all its buffers as
/// arguments: operands, results, scratch.
struct Launch {
  std::string function;  // its name
  int64_t blocks = 1;
  int64_t threads = 1;  // of each block
};

class DeviceKernels : public KernelSet {
 public:
  explicit DeviceKernels(mlir::MLIRContext* context);

  mlir::FailureOr<KernelNeeds> needsOf(mlir::Operation* op) override;

  /// The kernels, in gpu, scf, memref, vector, arith and math.
  mlir::gpu::GPUModuleOp kernels() { return kernels_; }

  /// By kernel, as kernelNames() has them: what is launched, one behind the
  /// other.
  const std::vector<std::vector<Launch>>& launches() const { return launches_; }

 private:
  class Functions;

  void addKernel(
      mlir::Operation* op, llvm::StringRef name,
      llvm::ArrayRef<BufferType> buffers,
      llvm::function_ref<Places(llvm::ArrayRef<Place>)> placesOf) override;

  mlir::OwningOpRef<mlir::ModuleOp> module_;
  mlir::gpu::GPUModuleOp kernels_;
  std::vector<std::vector<Launch>> launches_;
};

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_DEVICEKERNELS_H_
