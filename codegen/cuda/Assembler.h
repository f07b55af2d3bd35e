// NVIDIA's assembler, ptxas, which makes machine code for one chip of PTX. It
// is part of the CUDA toolkit, which a machine need not have: NVIDIA's driver
// also assembles PTX, when a program starts for the first time.

#ifndef CODEGEN_CUDA_ASSEMBLER_H_
#define CODEGEN_CUDA_ASSEMBLER_H_

#include <optional>
#include <string>

#include "codegen/cuda/Chip.h"
#include "dialects/support/LLVM.h"
#include "mlir/IR/Diagnostics.h"

namespace sbp::cuda {

/// A ptxas on this machine.
class Assembler {
 public:
  /// Returns the first ptxas on PATH, or else in /usr/local/cuda/bin; nullopt
  /// if there is none.
  static std::optional<Assembler> find();

  /// Returns the ptxas named `name`, a path or a name on PATH. Fails with a
  /// diagnostic by `emitError` if there is no such program.
  static FailureOr<Assembler> named(
      StringRef name, llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

  /// Assembles `ptx` for `chip`. Returns the machine code, an ELF file (cubin).
  /// Fails if ptxas does; `error` is then set to what it says.
  FailureOr<std::string> assemble(StringRef ptx, const Chip& chip,
                                  std::string& error) const;

  const std::string& path() const { return path_; }

 private:
  explicit Assembler(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

}  // namespace sbp::cuda

#endif  // CODEGEN_CUDA_ASSEMBLER_H_
