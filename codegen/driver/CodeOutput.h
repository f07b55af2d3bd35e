// The output of the compiler: its kind, and the path that it is written to.

#ifndef CODEGEN_DRIVER_CODEOUTPUT_H_
#define CODEGEN_DRIVER_CODEOUTPUT_H_

#include <string>

#include "codegen/driver/Emit.h"
#include "dialects/support/LLVM.h"

namespace sbp {

/// The kind and the path of the output.
struct CodeOutput {
  Emit emit = Emit::Executable;
  std::string path;         // "-" is standard output
  std::string formsFolder;  // folder for every form as a file; or empty
};

/// Writes `text` to the file `name` in `output.formsFolder`, if that is given.
/// Fails after a diagnostic.
LogicalResult writeForm(MLIRContext* context, const CodeOutput& output,
                        StringRef name, StringRef text);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_CODEOUTPUT_H_
