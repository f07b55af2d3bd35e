#include "codegen/driver/CodeOutput.h"

#include "codegen/driver/WriteText.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

namespace sbp {

LogicalResult writeForm(MLIRContext* context, const CodeOutput& output,
                        StringRef name, StringRef text) {
  if (output.formsFolder.empty()) return success();
  llvm::SmallString<128> path(output.formsFolder);
  llvm::sys::path::append(path, name);
  if (failed(makeFolder(context, llvm::sys::path::parent_path(path))))
    return failure();
  return writeText(context, path.str().str(), text);
}

}  // namespace sbp
