// Numbers that are part of a kernel's code.

#ifndef CODEGEN_KERNELS_CONSTANTDATA_H_
#define CODEGEN_KERNELS_CONSTANTDATA_H_

#include "codegen/kernels/KernelBuilder.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace sbp {

/// Adds `elements`, one after the other, as data of the module that the kernel
/// with the argument `ofKernel` is in, and gives their beginning in it. Those
/// of type i1 are i8.
Place addConstantData(KernelBuilder& builder, Place ofKernel,
                      mlir::DenseElementsAttr elements);

}  // namespace sbp

#endif  // CODEGEN_KERNELS_CONSTANTDATA_H_
