#include "test/properties/CompilerContext.h"

#include "codegen/cpu/lower/Kernels.h"
#include "dialects/Dialects.h"
#include "mlir/IR/DialectRegistry.h"

namespace sbp::properties {
namespace {

mlir::DialectRegistry registry() {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  cpu::registerNnKernels(registry);
  return registry;
}

}  // namespace

CompilerContext::CompilerContext()
    : context_(registry()),
      handler_(&context_, [this](mlir::Diagnostic& diagnostic) {
        if (diagnostic.getSeverity() != mlir::DiagnosticSeverity::Error) return;
        errors_ += diagnostic.str() + "\n";
        for (mlir::Diagnostic& note : diagnostic.getNotes())
          errors_ += "  " + note.str() + "\n";
      }) {
  context_.loadAllAvailableDialects();
}

}  // namespace sbp::properties
