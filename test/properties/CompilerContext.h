// An MLIR context for tests that compile programs: it knows all dialects, and
// the kernels of nn, and keeps what errors say.

#ifndef TEST_PROPERTIES_COMPILERCONTEXT_H_
#define TEST_PROPERTIES_COMPILERCONTEXT_H_

#include <string>

#include "dialects/support/LLVM.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

namespace sbp::properties {

class CompilerContext {
 public:
  CompilerContext();

  MLIRContext* get() { return &context_; }

  /// The errors since forget(), each with its notes, one a line.
  const std::string& said() const { return said_; }
  void forget() { said_.clear(); }

 private:
  MLIRContext context_;
  std::string said_;
  mlir::ScopedDiagnosticHandler handler_;
};

}  // namespace sbp::properties

#endif  // TEST_PROPERTIES_COMPILERCONTEXT_H_
