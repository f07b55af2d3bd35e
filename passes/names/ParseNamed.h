// Parsing a file so that tensors keep the names that its text gives them.

#ifndef PASSES_NAMES_PARSENAMED_H_
#define PASSES_NAMES_PARSENAMED_H_

#include "llvm/Support/SourceMgr.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

namespace sbp {

/// Parses the main file of `sources`, MLIR text or bytecode. What the text
/// calls a tensor becomes its name (passes/names/Names.h); bytecode has no
/// names. Null after a diagnostic where it cannot be parsed.
mlir::OwningOpRef<mlir::ModuleOp> parseNamed(mlir::MLIRContext& context,
                                             const llvm::SourceMgr& sources);

}  // namespace sbp

#endif  // PASSES_NAMES_PARSENAMED_H_
