#include "passes/diagnostics/Refusal.h"

#include "llvm/ADT/STLExtras.h"
#include "passes/diagnostics/HeldDiagnostics.h"

namespace sbp {

std::optional<std::string> refusalBy(
    mlir::Operation* op, llvm::function_ref<llvm::LogicalResult()> check) {
  HeldDiagnostics held(op->getContext(), HeldDiagnostics::Which::All);
  if (succeeded(check())) return std::nullopt;
  auto diagnostics = held.take();
  auto error = llvm::find_if(diagnostics, [](const mlir::Diagnostic& held) {
    return held.getSeverity() == mlir::DiagnosticSeverity::Error;
  });
  if (error == diagnostics.end()) return "it fails without an error";
  std::string text = error->str();
  llvm::StringRef says = text;
  says.consume_front(("'" + op->getName().getStringRef() + "' op ").str());
  return says.str();
}

}  // namespace sbp
