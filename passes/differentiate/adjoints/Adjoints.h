// The adjoints of all differentiable ops of `nn` and `sbp`, one file per
// family.
//
// The others have none: `compare` and what else gives integers; sources
// (`constant`, `iota`); `get` and `set`, which the walk through the graph
// treats itself; and the gradients and optimiser steps, which training makes.

#ifndef PASSES_DIFFERENTIATE_ADJOINTS_ADJOINTS_H_
#define PASSES_DIFFERENTIATE_ADJOINTS_ADJOINTS_H_

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"

namespace sbp {

/// Attaches every adjoint below when its dialect is loaded.
void registerAdjoints(mlir::DialectRegistry& registry);

void attachElementwiseAdjoints(mlir::MLIRContext* context);
void attachShapeAdjoints(mlir::MLIRContext* context);
void attachTensorAdjoints(mlir::MLIRContext* context);
void attachLossAdjoints(mlir::MLIRContext* context);
void attachBatchNormAdjoints(mlir::MLIRContext* context);
void attachWindowAdjoints(mlir::MLIRContext* context);

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_ADJOINTS_ADJOINTS_H_
