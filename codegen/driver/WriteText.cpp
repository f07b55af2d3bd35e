#include "codegen/driver/WriteText.h"

#include <system_error>

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/Diagnostics.h"
#include "runtime/file/OutputFile.h"

namespace sbp {
namespace {

/// Writes `text` to `out`; `name` names it in errors. Fails after a diagnostic.
LogicalResult writeStream(MLIRContext* context, llvm::raw_fd_ostream& out,
                          StringRef name, StringRef text) {
  out << text;
  out.flush();
  if (!out.has_error()) return success();
  const std::error_code error = out.error();
  out.clear_error();
  return mlir::emitError(mlir::UnknownLoc::get(context))
         << "cannot write " << name << ": " << error.message();
}

/// Writes `text` to the device `path`, which a regular file must not replace.
LogicalResult writeDevice(MLIRContext* context, const std::string& path,
                          StringRef text) {
  std::error_code error;
  llvm::raw_fd_ostream out(path, error, llvm::sys::fs::CD_OpenExisting);
  if (!error) return writeStream(context, out, path, text);
  return mlir::emitError(mlir::UnknownLoc::get(context))
         << "cannot write " << path << ": " << error.message();
}

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

bool isDevice(const std::string& path) {
  llvm::sys::fs::file_status status;
  return !llvm::sys::fs::status(path, status) &&
         status.type() != llvm::sys::fs::file_type::regular_file &&
         status.type() != llvm::sys::fs::file_type::directory_file;
}

LogicalResult writeText(MLIRContext* context, const std::string& path,
                        StringRef text) {
  if (path == "-")
    return writeStream(context, llvm::outs(), "standard output", text);
  if (isDevice(path)) return writeDevice(context, path, text);
  return reportError(context, writeFile(path, text));
}

LogicalResult makeFolder(MLIRContext* context, StringRef path) {
  const std::error_code error = llvm::sys::fs::create_directories(
      path, /*IgnoreExisting=*/true, llvm::sys::fs::perms::all_all);
  if (!error) return success();
  return mlir::emitError(mlir::UnknownLoc::get(context))
         << "cannot make the folder " << path << ": " << error.message();
}

}  // namespace sbp
