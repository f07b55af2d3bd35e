// Loading of plug-ins: shared libraries with dialects, or with interfaces of
// ops.

#ifndef DIALECTS_LOADPLUGIN_H_
#define DIALECTS_LOADPLUGIN_H_

#include <string>

#include "llvm/Support/Error.h"
#include "mlir/IR/DialectRegistry.h"

namespace sbp {

/// Registers the dialects and extensions of the shared library `path`. A name
/// without a slash is a file in the current folder if that exists, otherwise a
/// library of the system. The error contains `path` and the reason why the
/// library cannot be loaded.
llvm::Error loadDialectPlugin(const std::string& path,
                              mlir::DialectRegistry& registry);

}  // namespace sbp

#endif  // DIALECTS_LOADPLUGIN_H_
