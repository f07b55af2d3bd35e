// Registration of the dialects in which a program may be written.

#ifndef DIALECTS_DIALECTS_H_
#define DIALECTS_DIALECTS_H_

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/Operation.h"

namespace sbp {

/// Registers `func`, `nn`, `sbp` and `rank`.
void registerDialects(mlir::DialectRegistry& registry);

/// Whether `op` belongs to a dialect of this project: `nn`, `sbp` or `rank`.
bool isOfProject(mlir::Operation* op);

}  // namespace sbp

#endif  // DIALECTS_DIALECTS_H_
