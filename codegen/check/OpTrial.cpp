#include "codegen/check/OpTrial.h"

#include <string>

#include "codegen/check/Counterexample.h"
#include "dialects/sbp/DistributedOp.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "passes/diagnostics/HeldDiagnostics.h"
#include "passes/diagnostics/Refusal.h"
#include "passes/module/VerifyAttached.h"

namespace sbp::check {
namespace {

SmallVector<Type> asTypes(ArrayRef<RankedTensorType> tensors) {
  return SmallVector<Type>(tensors.begin(), tensors.end());
}

/// Creates an op at `builder`; null if the op cannot have such properties.
Operation* createOp(OpBuilder& builder, const OpTrial& trial,
                    ValueRange operands, TypeRange results) {
  mlir::OperationState state(trial.location, trial.name);
  state.addOperands(operands);
  state.addTypes(results);
  Operation* op = builder.create(state);
  if (trial.properties &&
      failed(op->setPropertiesFromAttribute(
          trial.properties, [&] { return mlir::emitError(trial.location); }))) {
    op->erase();
    return nullptr;
  }
  return op;
}

/// Returns the result types that `op` infers; nullopt if it infers none.
std::optional<SmallVector<Type>> inferredTypes(Operation* op) {
  auto infer = op->getName().getInterface<mlir::InferTypeOpInterface>();
  if (!infer) return std::nullopt;
  SmallVector<Type> types;
  if (failed(infer->inferReturnTypes(
          op->getContext(), op->getLoc(), op->getOperands(),
          op->getRawDictionaryAttrs(), op->getPropertiesStorage(),
          op->getRegions(), types)))
    return std::nullopt;
  return types;
}

/// If the verifier of `op` accepts it but the loops that it declares do not
/// fit, returns what is wrong with the loops; otherwise returns nullopt.
std::optional<std::string> misfitOf(Operation* op) {
  if (failed(op->getName().verifyInvariants(op))) return std::nullopt;
  return refusalBy(op, [&] { return verifyDistributed(op); });
}

bool areTensors(TypeRange types) {
  return llvm::all_of(types, [](Type type) {
    auto tensor = llvm::dyn_cast<RankedTensorType>(type);
    return tensor && tensor.hasStaticShape();
  });
}

}  // namespace

int64_t OpTrial::numElements() const {
  int64_t total = 0;
  for (ArrayRef<RankedTensorType> types :
       {ArrayRef(operands), ArrayRef(results)})
    for (RankedTensorType type : types) total += type.getNumElements();
  return total;
}

std::string OpTrial::str() const {
  std::string text = "operands (";
  llvm::raw_string_ostream stream(text);
  llvm::interleaveComma(operands, stream);
  stream << ")";
  if (properties) stream << " and attributes " << properties;
  return text;
}

Operation* OpTrial::addTo(ModuleOp module, Refusal& refusal) const {
  HeldDiagnostics held(module.getContext(), HeldDiagnostics::Which::All);
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  const std::string unique =
      "op" + std::to_string(module.getBody()->getOperations().size());
  auto function = mlir::func::FuncOp::create(
      builder, location, unique,
      builder.getFunctionType(asTypes(operands), asTypes(results)));
  builder.setInsertionPointToStart(function.addEntryBlock());
  const auto refused = [&] {
    refusal = {reasonOf(held.take())};
    function.erase();
    return nullptr;
  };

  Operation* op =
      createOp(builder, *this, function.getArguments(), asTypes(results));
  if (!op) return refused();
  if (std::optional<SmallVector<Type>> types = inferredTypes(op);
      types && TypeRange(*types) != op->getResultTypes()) {
    op->erase();
    op = createOp(builder, *this, function.getArguments(), *types);
    if (!op) return refused();
  }
  if (!areTensors(op->getResultTypes())) return refused();
  if (failed(mlir::verify(op)) || failed(verifyAttachedInterfaces(op))) {
    const std::optional<std::string> misfit = misfitOf(op);
    if (!misfit) return refused();
    refusal = {*misfit, op};
    return nullptr;
  }
  mlir::func::ReturnOp::create(builder, location, op->getResults());
  function.setFunctionType(
      builder.getFunctionType(asTypes(operands), op->getResultTypes()));
  return op;
}

}  // namespace sbp::check
