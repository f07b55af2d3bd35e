// The output of a compilation, and a folder for the forms that are made on the
// way to it.

#ifndef CODEGEN_DRIVER_CODEOUTPUT_H_
#define CODEGEN_DRIVER_CODEOUTPUT_H_

#include <string>

#include "codegen/driver/Emit.h"
#include "dialects/support/LLVM.h"

namespace sbp {

/// The kind and the path of the output, and the folder for forms.
struct CodeOutput {
  Emit emit = Emit::Executable;
  std::string path;  // "-" is standard output
  /// Folder for text files of the forms that a compilation makes, the output's
  /// own included: all kinds of `Emit` but Object and Executable, and the tasks
  /// of entries (TaskForms.h). If empty, none are written.
  std::string formsFolder;
  /// Whether forms in MLIR say where ops stand in the model's text.
  bool hasPlaces = false;
};

/// Writes `text` to the file `name` in `output.formsFolder`. `name` may contain
/// folders; missing folders are made. Does nothing if `output.formsFolder` is
/// empty. Fails after a diagnostic.
LogicalResult writeForm(MLIRContext* context, const CodeOutput& output,
                        StringRef name, StringRef text);

}  // namespace sbp

#endif  // CODEGEN_DRIVER_CODEOUTPUT_H_
