#include "codegen/check/OptionalAttributes.h"

#include <string>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/Verifier.h"
#include "passes/diagnostics/HeldDiagnostics.h"

namespace sbp::check {
namespace {

/// Whether the definition of `op` requires the attribute `name`. Verifies the
/// op without the attribute: MLIR checks required attributes first, before it
/// infers types. Only the message distinguishes this refusal from others.
bool isRequired(Operation* op, mlir::StringAttr name) {
  mlir::NamedAttrList others(
      llvm::cast<mlir::DictionaryAttr>(op->getPropertiesAsAttribute()));
  others.erase(name);
  mlir::OperationState state(op->getLoc(), op->getName());
  state.addOperands(op->getOperands());
  state.addTypes(op->getResultTypes());
  Operation* without = Operation::create(state);
  HeldDiagnostics held(op->getContext(), HeldDiagnostics::Which::All);
  bool isRefused = failed(without->setPropertiesFromAttribute(
      others.getDictionary(op->getContext()),
      [&] { return without->emitOpError(); }));
  if (!isRefused && failed(mlir::verify(without))) {
    const std::vector<mlir::Diagnostic> refusals = held.take();
    const std::string message =
        ("'" + op->getName().getStringRef() + "' op requires attribute '" +
         name.getValue() + "'")
            .str();
    isRefused = !refusals.empty() && refusals.front().str() == message;
  }
  without->destroy();
  return isRefused;
}

}  // namespace

SmallVector<mlir::StringAttr> optionalAttributes(Operation* op) {
  return llvm::filter_to_vector(
      op->getName().getRegisteredInfo()->getAttributeNames(),
      [&](mlir::StringAttr name) { return !isRequired(op, name); });
}

}  // namespace sbp::check
