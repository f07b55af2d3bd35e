// The kinds of nn.reduce as vectors combine.

#ifndef CODEGEN_KERNELS_REDUCEKINDS_H_
#define CODEGEN_KERNELS_REDUCEKINDS_H_

#include "dialects/nn/Nn.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace sbp {

/// How elements of type `element` are combined; of a mean, to the sum.
mlir::vector::CombiningKind combiningKind(nn::ReduceKind kind,
                                          mlir::Type element);

}  // namespace sbp

#endif  // CODEGEN_KERNELS_REDUCEKINDS_H_
