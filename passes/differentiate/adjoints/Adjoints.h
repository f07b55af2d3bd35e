// Attaches the adjoints of all differentiable ops of `nn` and `sbp`. Each
// family of ops has a file.
//
// These ops have no adjoint: `compare` and other ops with integer results;
// sources (`constant`, `iota`); `get` and `set`, which differentiation handles
// itself; and gradients and optimiser steps, which differentiation makes.

#ifndef PASSES_DIFFERENTIATE_ADJOINTS_ADJOINTS_H_
#define PASSES_DIFFERENTIATE_ADJOINTS_ADJOINTS_H_

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"

namespace sbp {

/// Makes `registry` attach the adjoints to the ops of `nn` and `sbp` when these
/// dialects are loaded.
void registerAdjoints(mlir::DialectRegistry& registry);

/// Attach the adjoints of one family of `nn` ops. The dialect must be loaded in
/// `context`.
void attachElementwiseAdjoints(mlir::MLIRContext* context);
void attachShapeAdjoints(mlir::MLIRContext* context);
void attachTensorAdjoints(mlir::MLIRContext* context);
void attachLossAdjoints(mlir::MLIRContext* context);
void attachBatchNormAdjoints(mlir::MLIRContext* context);
void attachWindowAdjoints(mlir::MLIRContext* context);

}  // namespace sbp

#endif  // PASSES_DIFFERENTIATE_ADJOINTS_ADJOINTS_H_
