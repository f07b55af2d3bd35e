// Reading of a module from a file, for all tools.

#ifndef DIALECTS_TEXT_READMODULE_H_
#define DIALECTS_TEXT_READMODULE_H_

#include <memory>

#include "dialects/support/LLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "mlir/IR/OwningOpRef.h"

namespace sbp {

/// Fails if the main file of `sources` has a fault for which MLIR's parser must
/// not be called (Nesting.h), with a diagnostic at the fault. Succeeds for
/// bytecode without a check.
LogicalResult checkNesting(const llvm::SourceMgr& sources,
                           MLIRContext* context);

/// Makes the file `path` ("-" is standard input) the main file of `sources`,
/// which has no file yet. Fails with a diagnostic if the file cannot be read,
/// or if checkNesting() fails.
LogicalResult openModule(StringRef path, llvm::SourceMgr& sources,
                         MLIRContext* context);

/// Opens `path` as openModule does, and reads it as MLIR text or bytecode.
/// Returns null after a diagnostic if the file cannot be read, parsed or
/// verified.
mlir::OwningOpRef<ModuleOp> readModule(StringRef path, llvm::SourceMgr& sources,
                                       MLIRContext* context);

}  // namespace sbp

#endif  // DIALECTS_TEXT_READMODULE_H_
