#include "codegen/driver/WriteText.h"

#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/Diagnostics.h"
#include "runtime/file/OutputFile.h"

namespace sbp {
namespace {

absl::Status writeFile(const std::string& path, StringRef text) {
  absl::StatusOr<file::OutputFile> file = file::OutputFile::create(path);
  if (!file.ok()) return file.status();
  absl::Status status = file->write(text);
  return status.ok() ? file->commit() : status;
}

}  // namespace

LogicalResult reportError(MLIRContext* context, const absl::Status& status) {
  if (status.ok()) return success();
  absl::string_view message = status.message();
  return mlir::emitError(mlir::UnknownLoc::get(context))
         << StringRef(message.data(), message.size());
}

LogicalResult writeText(MLIRContext* context, const std::string& path,
                        StringRef text) {
  if (path != "-") return reportError(context, writeFile(path, text));
  llvm::raw_fd_ostream& out = llvm::outs();
  out << text;
  out.flush();
  if (!out.has_error()) return success();
  std::error_code error = out.error();
  out.clear_error();
  return mlir::emitError(mlir::UnknownLoc::get(context))
         << "cannot write standard output: " << error.message();
}

}  // namespace sbp
