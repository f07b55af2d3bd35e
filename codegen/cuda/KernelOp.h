// The interface of ops that have a kernel for GPUs alone, and the kernels that
// ops have on a GPU.

#ifndef CODEGEN_CUDA_KERNELOP_H_
#define CODEGEN_CUDA_KERNELOP_H_

#include <optional>

#include "codegen/cuda/ThreadLoops.h"
#include "codegen/kernels/KernelBuilder.h"
#include "codegen/kernels/KernelOp.h"
#include "mlir/IR/OpDefinition.h"

namespace sbp::cuda {

/// What the code of a launch has to work with (codegen/kernels/KernelOp.h).
struct KernelArguments : sbp::KernelArguments {
  Place scratch;  // of i8, aligned like every buffer
  ThreadLoops& threads;
};

/// The launches of a kernel. One runs when the one before is over, so that it
/// finds what that has written.
class Launches {
 public:
  using Body = llvm::function_ref<void(KernelBuilder&, const KernelArguments&)>;

  virtual ~Launches() = default;

  /// Adds one, of as many blocks as its loops take; `body` emits its code.
  virtual void add(Body body) = 0;
};

}  // namespace sbp::cuda

#include "codegen/cuda/KernelOp.h.inc"

namespace sbp::cuda {

/// The interface for `Op`, by one function that emits the code of one launch,
/// for kernels that need no scratch memory; its result may be in the buffer of
/// one of `kOperandsInPlace`.
template <typename Op,
          void (*kEmit)(Op, KernelBuilder&, const KernelArguments&),
          unsigned... kOperandsInPlace>
class SimpleKernel : public CudaKernelOpInterface::ExternalModel<
                         SimpleKernel<Op, kEmit, kOperandsInPlace...>, Op> {
 public:
  bool canWriteInPlace(mlir::Operation*, unsigned, unsigned operand) const {
    return ((operand == kOperandsInPlace) || ...);
  }

  void buildKernel(mlir::Operation* op, Launches& launches) const {
    launches.add(
        [op](KernelBuilder& builder, const KernelArguments& arguments) {
          kEmit(llvm::cast<Op>(op), builder, arguments);
        });
  }
};

/// The kernel of an op on a GPU: its own one, or else that for all targets.
class CudaKernel {
 public:
  /// None if the op has no kernel.
  static std::optional<CudaKernel> of(mlir::Operation* op);

  int64_t scratchBytes() const;
  /// Whether it is one launch without scratch memory, all of whose threads do
  /// what ThreadLoops says: so that several like it can be one.
  bool isOfLoops() const { return !own_; }
  bool canWriteInPlace(unsigned result, unsigned operand) const;
  void build(Launches& launches) const;

 private:
  CudaKernelOpInterface own_;  // one of these is null
  KernelOpInterface portable_;
};

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_KERNELOP_H_
