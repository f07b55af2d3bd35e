// Constant tensors that are embedded in the module of a kernel.

#ifndef CODEGEN_KERNELS_CONSTANTDATA_H_
#define CODEGEN_KERNELS_CONSTANTDATA_H_

#include "codegen/kernels/KernelBuilder.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace sbp {

/// Adds a constant global with `elements`, row-major, to the module of a
/// kernel, and returns a reference to the first element. `ofKernel` is any
/// argument of the kernel. Elements of type i1 are stored as i8. Must be called
/// at most once per kernel, because the global is named after the kernel.
ElementRef addConstantData(KernelBuilder& builder, ElementRef ofKernel,
                           mlir::DenseElementsAttr elements);

}  // namespace sbp

#endif  // CODEGEN_KERNELS_CONSTANTDATA_H_
