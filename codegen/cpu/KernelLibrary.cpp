#include "codegen/cpu/KernelLibrary.h"

#include "codegen/cpu/KernelFunction.h"
#include "codegen/cpu/KernelOp.h"
#include "codegen/cpu/VectorLoops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

namespace sbp::cpu {

using namespace mlir;

KernelLibrary::KernelLibrary(MLIRContext* context, const Target& target)
    : module_(ModuleOp::create(UnknownLoc::get(context))), target_(target) {
  context->loadDialect<arith::ArithDialect, func::FuncDialect,
                       math::MathDialect, memref::MemRefDialect,
                       scf::SCFDialect, vector::VectorDialect>();
}

SmallVector<Operation*> KernelLibrary::addKernel(
    Operation* op, StringRef name, ArrayRef<BufferType> buffers,
    SplitArguments splitArguments) {
  addKernelFunction(
      *module_, op->getLoc(), name, buffers,
      [&](KernelBuilder& builder, ArrayRef<ElementRef> arguments) {
        const OpBuffers buffersOfOp = splitArguments(arguments).front();
        VectorLoops loops(target_.cpu());
        CpuKernel::of(op)->build(
            builder, {{buffersOfOp.operands, buffersOfOp.results, loops},
                      buffersOfOp.scratch,
                      target_.cpu()});
      });
  return {&module_->getBody()->back()};
}

}  // namespace sbp::cpu
