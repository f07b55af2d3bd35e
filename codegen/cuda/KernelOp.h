// The interface of ops that have a kernel of their own for GPUs
// (CudaKernelOpInterface, in KernelOp.td), and the choice of an op's kernel on
// a GPU.

#ifndef CODEGEN_CUDA_KERNELOP_H_
#define CODEGEN_CUDA_KERNELOP_H_

#include <optional>

#include "codegen/cuda/ThreadLoops.h"
#include "codegen/kernels/CommonKernel.h"
#include "codegen/kernels/KernelBuilder.h"
#include "codegen/kernels/KernelOp.h"
#include "mlir/IR/OpDefinition.h"

namespace sbp::cuda {

/// The arguments of a launch: those that kernels of all targets have
/// (codegen/kernels/KernelOp.h), scratch memory, and the threads.
struct KernelArguments : sbp::KernelArguments {
  /// The scratch memory: elements of i8, aligned to plan::kBufferAlignment.
  /// Null if the kernel needs no scratch memory.
  ElementRef scratch;
  ThreadLoops& threads;  // the same object as `loops`
};

/// Receives the launches of a kernel, in order. A launch starts when the one
/// before has finished, so it may read what launches before it have written.
class Launches {
 public:
  using Body = llvm::function_ref<void(KernelBuilder&, const KernelArguments&)>;

  virtual ~Launches() = default;

  /// Adds a launch whose code `body` emits. The launch has as many blocks of
  /// threads as its loops need (ThreadLoops::numBlocks).
  virtual void add(Body body) = 0;
};

}  // namespace sbp::cuda

#include "codegen/cuda/KernelOp.h.inc"

namespace sbp::cuda {

/// Implements CudaKernelOpInterface for `Op` by one launch without scratch
/// memory, whose code `kEmit` emits. Any result may be written to the buffer of
/// any operand whose number is in `kOperandsInPlace`.
template <typename Op,
          void (*kEmit)(Op, KernelBuilder&, const KernelArguments&),
          unsigned... kOperandsInPlace>
class SimpleKernel : public CudaKernelOpInterface::ExternalModel<
                         SimpleKernel<Op, kEmit, kOperandsInPlace...>, Op> {
 public:
  bool canWriteInPlaceOnGpu(mlir::Operation*, unsigned,
                            unsigned operand) const {
    return ((operand == kOperandsInPlace) || ...);
  }

  void buildKernel(mlir::Operation* op, Launches& launches) const {
    launches.add(
        [op](KernelBuilder& builder, const KernelArguments& arguments) {
          kEmit(llvm::cast<Op>(op), builder, arguments);
        });
  }
};

/// The kernel of an op on a GPU: the op's own kernel for GPUs, if it has one,
/// or else its kernel for all targets.
class CudaKernel {
 public:
  /// Returns the kernel of `op`, or nullopt if the op has none.
  static std::optional<CudaKernel> of(mlir::Operation* op);

  /// Bytes of the scratch buffer, which all launches of the kernel share; 0 if
  /// it needs none.
  int64_t scratchBytes() const;
  /// Whether the kernel is the one for all targets. Such a kernel is a single
  /// launch of parallel loops, and needs no scratch memory, so one launch can
  /// run the portable kernels of several ops at once.
  bool isPortable() const { return !own_; }
  /// Whether result `result` may be written to the buffer of operand `operand`.
  bool canWriteInPlace(unsigned result, unsigned operand) const;
  /// Emits the code of the kernel, as launches that it adds to `launches`.
  void build(Launches& launches) const;

 private:
  CudaKernelOpInterface own_;           // the kernel for GPUs, or null
  std::optional<CommonKernel> common_;  // the common kernel, or nullopt
};

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_KERNELOP_H_
