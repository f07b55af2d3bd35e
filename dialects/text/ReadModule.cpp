#include "dialects/text/ReadModule.h"

#include <optional>
#include <string>
#include <utility>

#include "dialects/text/Nesting.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"

namespace sbp {

LogicalResult checkNesting(const llvm::SourceMgr& sources,
                           MLIRContext* context) {
  unsigned file = sources.getMainFileID();
  const llvm::MemoryBuffer* buffer = sources.getMemoryBuffer(file);
  if (mlir::isBytecode(*buffer)) return success();
  std::optional<TextFault> fault = findTextFault(buffer->getBuffer());
  if (!fault) return success();
  auto [line, column] = sources.getLineAndColumn(
      llvm::SMLoc::getFromPointer(buffer->getBufferStart() + fault->offset),
      file);
  return mlir::emitError(
      mlir::FileLineColLoc::get(context, buffer->getBufferIdentifier(), line,
                                column),
      fault->message);
}

LogicalResult openModule(StringRef path, llvm::SourceMgr& sources,
                         MLIRContext* context) {
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> file = mlir::openInputFile(path, &error);
  if (!file) return mlir::emitError(mlir::UnknownLoc::get(context), error);
  sources.AddNewSourceBuffer(std::move(file), llvm::SMLoc());
  return checkNesting(sources, context);
}

mlir::OwningOpRef<ModuleOp> readModule(StringRef path, llvm::SourceMgr& sources,
                                       MLIRContext* context) {
  if (failed(openModule(path, sources, context))) return {};
  return mlir::parseSourceFile<ModuleOp>(sources, context);
}

}  // namespace sbp
