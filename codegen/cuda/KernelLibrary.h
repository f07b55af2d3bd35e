// The kernels of a program for a GPU, and what launches of them need.
//
//   KernelLibrary library(context);
//   FailureOr<int64_t> kernel = library.kernelFor(op);    // for every op
//   library.launches()[*kernel]                           // blocks, threads
//   lowerToLlvm(library.kernels());                       // when all are there
//   DeviceCode::of(library.kernels(), chip)->ptx(loc);

#ifndef CODEGEN_CUDA_KERNELLIBRARY_H_
#define CODEGEN_CUDA_KERNELLIBRARY_H_

#include <cstdint>
#include <vector>

#include "codegen/kernels/KernelLibrary.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace sbp::cuda {

/// How a kernel is launched. Its arguments are the addresses of its buffers.
struct Launch {
  int64_t blocks = 1;
  int64_t threads = 1;  // of each block
};

class KernelLibrary : public sbp::KernelLibrary {
 public:
  explicit KernelLibrary(mlir::MLIRContext* context);

  mlir::FailureOr<KernelNeeds> needsOf(mlir::Operation* op) override;

  /// The kernels, in gpu, scf, memref, vector, arith and math.
  mlir::gpu::GPUModuleOp kernels() { return kernels_; }

  /// By kernel, as kernelNames() has them.
  const std::vector<Launch>& launches() const { return launches_; }

 private:
  void addKernel(
      mlir::Operation* op, llvm::StringRef name,
      llvm::ArrayRef<BufferType> buffers,
      llvm::function_ref<Places(llvm::ArrayRef<Place>)> placesOf) override;

  mlir::OwningOpRef<mlir::ModuleOp> module_;
  mlir::gpu::GPUModuleOp kernels_;
  std::vector<Launch> launches_;
};

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_KERNELLIBRARY_H_
