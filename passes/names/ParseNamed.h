// Parses a file so that tensors keep the names from its text.

#ifndef PASSES_NAMES_PARSENAMED_H_
#define PASSES_NAMES_PARSENAMED_H_

#include "llvm/Support/SourceMgr.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

namespace sbp {

/// Parses the main file of `sources`, MLIR text or bytecode. Names in the text
/// become names of tensors (passes/names/Names.h); bytecode has no names.
/// Returns null, after a diagnostic, if the file cannot be parsed.
mlir::OwningOpRef<mlir::ModuleOp> parseNamed(mlir::MLIRContext& context,
                                             const llvm::SourceMgr& sources);

}  // namespace sbp

#endif  // PASSES_NAMES_PARSENAMED_H_
