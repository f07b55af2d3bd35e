#include "codegen/cpu/KernelLibrary.h"

#include <optional>

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

FailureOr<KernelNeeds> KernelLibrary::needsOf(Operation* op) {
  std::optional<CpuKernel> kernel = CpuKernel::of(op);
  if (!kernel) return op->emitOpError("has no CPU kernel");
  if (failed(checkTypes(op))) return failure();
  SmallVector<Type> types(op->getOperandTypes());
  llvm::append_range(types, op->getResultTypes());
  for (Type type : types)
    if (auto real = dyn_cast<FloatType>(getElementTypeOrSelf(type));
        real && real.getWidth() < 32)
      return op->emitOpError("has no CPU kernel for ") << real << " elements";
  KernelNeeds needs;
  needs.scratchBytes = kernel->scratchBytes(target_);
  for (unsigned result = 0; result < op->getNumResults(); ++result)
    for (unsigned operand = 0; operand < op->getNumOperands(); ++operand)
      if (kernel->canWriteInPlace(result, operand))
        needs.inPlace.push_back({operand, result});
  return needs;
}

void KernelLibrary::addKernel(
    Operation* op, StringRef name, ArrayRef<BufferType> buffers,
    llvm::function_ref<Places(ArrayRef<Place>)> placesOf) {
  addKernelFunction(*module_, op->getLoc(), name, buffers,
                    [&](KernelBuilder& builder, ArrayRef<Place> arguments) {
                      const Places places = placesOf(arguments);
                      VectorLoops loops(target_);
                      CpuKernel::of(op)->build(
                          builder, {{places.operands, places.results, loops},
                                    places.scratch,
                                    target_});
                    });
}

}  // namespace sbp::cpu
