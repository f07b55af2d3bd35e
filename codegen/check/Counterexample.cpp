#include "codegen/check/Counterexample.h"

#include "llvm/Support/raw_ostream.h"

namespace sbp::check {
namespace {

/// Largest number of elements of an operand that is shown.
constexpr int64_t kMostShown = 24;

std::string textOf(Operation* op) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  op->print(stream, mlir::OpPrintingFlags().useLocalScope().skipRegions());
  return text;
}

}  // namespace

mlir::InFlightDiagnostic counterexample(
    Operation* op, ArrayRef<interpreter::Tensor> operands) {
  mlir::InFlightDiagnostic diagnostic = op->emitOpError();
  diagnostic.attachNote() << "seen with " << textOf(op);
  for (auto [index, operand] : llvm::enumerate(operands))
    if (operand.numElements() <= kMostShown)
      diagnostic.attachNote() << "operand " << index << " is " << operand.str();
  return diagnostic;
}

std::string reasonOf(ArrayRef<mlir::Diagnostic> held) {
  return held.empty() ? "no reason is given" : held.front().str();
}

}  // namespace sbp::check
