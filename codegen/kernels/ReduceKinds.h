// The kinds of nn.reduce as combining kinds of the vector dialect.

#ifndef CODEGEN_KERNELS_REDUCEKINDS_H_
#define CODEGEN_KERNELS_REDUCEKINDS_H_

#include "dialects/nn/Nn.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace sbp {

/// Returns the combining kind of a reduction `kind` of elements of type
/// `element`. For a mean it is the sum: the caller divides.
mlir::vector::CombiningKind combiningKind(nn::ReduceKind kind,
                                          mlir::Type element);

}  // namespace sbp

#endif  // CODEGEN_KERNELS_REDUCEKINDS_H_
