// Dialects, and ways to run ops, from shared libraries.

#ifndef DIALECTS_LOADPLUGIN_H_
#define DIALECTS_LOADPLUGIN_H_

#include <string>

#include "llvm/Support/Error.h"
#include "mlir/IR/DialectRegistry.h"

namespace sbp {

/// Registers what the shared library `path` brings. A name without a slash is
/// that of a file here, if there is one, or else of a library of the system.
/// The error names the file, and says why it cannot be loaded.
llvm::Error loadDialectPlugin(const std::string& path,
                              mlir::DialectRegistry& registry);

}  // namespace sbp

#endif  // DIALECTS_LOADPLUGIN_H_
