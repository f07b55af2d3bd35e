#include "codegen/cuda/Assembler.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

namespace sbp::cuda {
namespace {

/// A temporary file, which is removed with this object.
class TemporaryFile {
 public:
  explicit TemporaryFile(StringRef suffix) {
    if (llvm::sys::fs::createTemporaryFile("kernels", suffix, path_))
      path_.clear();
    remover_.setFile(path_);
  }

  StringRef path() const { return path_; }

  bool write(StringRef text) const {
    std::error_code error;
    llvm::raw_fd_ostream out(path_, error);
    out << text;
    out.close();
    const bool isWritten = !error && !out.has_error();
    out.clear_error();
    return isWritten;
  }

  std::string read() const {
    auto buffer = llvm::MemoryBuffer::getFile(path_);
    return buffer ? (*buffer)->getBuffer().str() : "";
  }

 private:
  llvm::SmallString<128> path_;
  llvm::FileRemover remover_;
};

}  // namespace

std::optional<Assembler> Assembler::find() {
  if (auto path = llvm::sys::findProgramByName("ptxas"))
    return Assembler(*path);
  if (auto path = llvm::sys::findProgramByName(
          "ptxas", StringRef("/usr/local/cuda/bin")))
    return Assembler(*path);
  return std::nullopt;
}

FailureOr<Assembler> Assembler::named(
    StringRef name, llvm::function_ref<mlir::InFlightDiagnostic()> emitError) {
  if (auto path = llvm::sys::findProgramByName(name)) return Assembler(*path);
  emitError() << "--ptxas " << name
              << ": there is no such program; none leaves the kernels to "
                 "NVIDIA's driver";
  return failure();
}

FailureOr<std::string> Assembler::assemble(StringRef ptx, const Chip& chip,
                                           std::string& error) const {
  const TemporaryFile source("ptx"), code("cubin"), said("txt");
  if (source.path().empty() || code.path().empty() || said.path().empty() ||
      !source.write(ptx)) {
    error = "no temporary file can be written";
    return failure();
  }
  const std::string arch = "-arch=" + chip.name.str();
  const std::optional<StringRef> redirects[] = {StringRef(""), said.path(),
                                                said.path()};
  const int status = llvm::sys::ExecuteAndWait(
      path_, {path_, arch, "-o", code.path(), source.path()},
      /*Env=*/std::nullopt, redirects, /*SecondsToWait=*/0, /*MemoryLimit=*/0,
      &error);
  if (status == 0) return code.read();
  if (error.empty()) error = StringRef(said.read()).trim().str();
  return failure();
}

}  // namespace sbp::cuda
