// Where what the compiler makes goes: a file or standard output.

#ifndef CODEGEN_DRIVER_WRITETEXT_H_
#define CODEGEN_DRIVER_WRITETEXT_H_

#include <string>

#include "absl/status/status.h"
#include "dialects/support/LLVM.h"

namespace sbp {

/// Success of `status`, or a diagnostic about the command with its message.
LogicalResult reportError(MLIRContext* context, const absl::Status& status);

/// Whether `path` is there and neither a regular file nor a folder: /dev/null,
/// /dev/stdout, a pipe.
bool isDevice(const std::string& path);

/// Writes `text` to the file `path`, whole or not at all; to what is no regular
/// file as it is; or to standard output for "-". Fails after a diagnostic.
LogicalResult writeText(MLIRContext* context, const std::string& path,
                        StringRef text);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_WRITETEXT_H_
