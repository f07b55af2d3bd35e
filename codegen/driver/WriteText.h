// Writes outputs of the compiler to a file or standard output, and makes
// folders for them.

#ifndef CODEGEN_DRIVER_WRITETEXT_H_
#define CODEGEN_DRIVER_WRITETEXT_H_

#include <string>

#include "absl/status/status.h"
#include "dialects/support/LLVM.h"

namespace sbp {

/// Fails if `status` is not ok, with its message as a diagnostic without a
/// location.
LogicalResult reportError(MLIRContext* context, const absl::Status& status);

/// Whether `path` exists and is neither a regular file nor a folder, for
/// example /dev/null or a pipe. Follows links.
bool isDevice(const std::string& path);

/// Writes `text` to `path`. A regular file is written whole or not at all; to a
/// device (isDevice) the text is written directly; "-" is standard output.
/// Fails after a diagnostic.
LogicalResult writeText(MLIRContext* context, const std::string& path,
                        StringRef text);

/// Makes the folder `path` and its parents, unless they exist. Fails after a
/// diagnostic.
LogicalResult makeFolder(MLIRContext* context, StringRef path);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_WRITETEXT_H_
