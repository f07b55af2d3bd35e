// An MLIR context for tests that compile programs, with all dialects and the
// kernels of nn. The context collects the texts of errors.

#ifndef TEST_PROPERTIES_COMPILERCONTEXT_H_
#define TEST_PROPERTIES_COMPILERCONTEXT_H_

#include <string>

#include "dialects/support/LLVM.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

namespace sbp::properties {

/// A context and the errors that were reported in it. Other diagnostics are
/// dropped.
class CompilerContext {
 public:
  CompilerContext();

  MLIRContext* get() { return &context_; }

  /// Returns the errors since the last forget(), and their notes, one per line.
  const std::string& errors() const { return errors_; }
  /// Drops the errors so far.
  void forget() { errors_.clear(); }

 private:
  MLIRContext context_;
  std::string errors_;
  mlir::ScopedDiagnosticHandler handler_;
};

}  // namespace sbp::properties

#endif  // TEST_PROPERTIES_COMPILERCONTEXT_H_
