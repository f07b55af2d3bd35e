// Reading a module from a file: the one way in for every tool.

#ifndef DIALECTS_TEXT_READMODULE_H_
#define DIALECTS_TEXT_READMODULE_H_

#include <memory>

#include "dialects/support/LLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "mlir/IR/OwningOpRef.h"

namespace sbp {

/// Fails with a diagnostic at the place in the main file of `sources` that
/// MLIR's parser cannot take (Nesting.h).
LogicalResult checkNesting(const llvm::SourceMgr& sources,
                           MLIRContext* context);

/// Makes the file `path` ("-" is standard input) the main file of `sources`.
/// Fails with a diagnostic if it cannot be read, or nests too deep to be
/// parsed.
LogicalResult openModule(StringRef path, llvm::SourceMgr& sources,
                         MLIRContext* context);

/// Opens `path` so, and reads it as MLIR text or bytecode. Null after a
/// diagnostic, if it cannot be read, parsed or verified.
mlir::OwningOpRef<ModuleOp> readModule(StringRef path, llvm::SourceMgr& sources,
                                       MLIRContext* context);

}  // namespace sbp

#endif  // DIALECTS_TEXT_READMODULE_H_
