// The output of the compiler: what it is, and where it goes.

#ifndef CODEGEN_DRIVER_CODEOUTPUT_H_
#define CODEGEN_DRIVER_CODEOUTPUT_H_

#include <string>

#include "codegen/driver/Emit.h"
#include "dialects/support/LLVM.h"

namespace sbp {

struct CodeOutput {
  Emit emit = Emit::Executable;
  std::string path;         // "-" is standard output
  std::string formsFolder;  // gets every text on the way as a file; or empty
};

/// Writes `text` as the file `name` of the folder of forms, if there is to be
/// one. Fails after a diagnostic.
LogicalResult writeForm(MLIRContext* context, const CodeOutput& output,
                        StringRef name, StringRef text);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_CODEOUTPUT_H_
