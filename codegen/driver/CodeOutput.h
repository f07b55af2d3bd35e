// What a compilation writes: the output (kind and path), and optionally each
// form on the way.

#ifndef CODEGEN_DRIVER_CODEOUTPUT_H_
#define CODEGEN_DRIVER_CODEOUTPUT_H_

#include <string>

#include "codegen/driver/Emit.h"
#include "dialects/support/LLVM.h"

namespace sbp {

/// The output, and the folder for the forms that are made on the way to it.
struct CodeOutput {
  Emit emit = Emit::Executable;
  std::string path;  // "-" is standard output
  /// Folder that gets each form made on the way as a text file (not obj or
  /// exe); empty: none.
  std::string formsFolder;
};

/// Writes `text` to the file `name` in `output.formsFolder`, if that is not
/// empty; `name` may have folders, which are made. Fails after a diagnostic.
LogicalResult writeForm(MLIRContext* context, const CodeOutput& output,
                        StringRef name, StringRef text);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_CODEOUTPUT_H_
