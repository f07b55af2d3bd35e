#include "codegen/driver/UnlocatedErrors.h"

#include <string>

#include "dialects/text/People.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"

namespace sbp {
namespace {

llvm::StringRef textOf(mlir::DiagnosticSeverity severity) {
  switch (severity) {
    case mlir::DiagnosticSeverity::Note:
      return "note";
    case mlir::DiagnosticSeverity::Remark:
      return "remark";
    case mlir::DiagnosticSeverity::Warning:
      return "warning";
    case mlir::DiagnosticSeverity::Error:
      return "error";
  }
  llvm_unreachable("a severity is one of four");
}

mlir::LogicalResult show(mlir::Diagnostic& diagnostic) {
  std::string place;
  if (auto file = llvm::dyn_cast<mlir::FileLineColLoc>(
          mlir::Location(diagnostic.getLocation()))) {
    if (file.getLine() > 0) return mlir::failure();
    place = file.getFilename().str() + ": ";
  } else if (!llvm::isa<mlir::UnknownLoc>(diagnostic.getLocation())) {
    return mlir::failure();
  }
  peopleErr() << place << textOf(diagnostic.getSeverity()) << ": "
              << diagnostic.str() << "\n";
  for (mlir::Diagnostic& note : diagnostic.getNotes())
    peopleErr() << "note: " << note.str() << "\n";
  return mlir::success();
}

}  // namespace

UnlocatedErrors::UnlocatedErrors(mlir::MLIRContext& context)
    : handler_(&context, show) {}

}  // namespace sbp
