// The dialect: its ops, and the checks of its attributes on other ops.

#include <cmath>

#include "dialects/nn/DifferentiableOp.h"
#include "dialects/nn/EntryNames.h"
#include "dialects/nn/Nn.h"
#include "dialects/nn/NnDialect.cpp.inc"
#include "dialects/nn/NnEnums.cpp.inc"
#include "dialects/nn/NnIndexInterface.cpp.inc"
#include "dialects/nn/ReducedIn.h"
#include "dialects/nn/Shapes.h"
#include "dialects/support/AttributeText.h"
#include "dialects/support/KnownAttributes.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#define GET_OP_CLASSES
#include "dialects/nn/NnOps.cpp.inc"

namespace sbp::nn {

void NnDialect::initialize() {
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "dialects/nn/NnOps.cpp.inc"
      >();
}

namespace {

/// The discardable attributes of the dialect, on ops, on arguments of
/// functions, and on results of functions.
constexpr llvm::StringLiteral kOpAttributes[] = {
    kOptimizerAttrName, kTrainedByAttrName, kIdAttrName,
    kAdjointOfAttrName, kReducedInAttrName, kRecomputesAttrName};
constexpr llvm::StringLiteral kArgumentAttributes[] = {
    kInputAttrName, kBelowAttrName, kGradientOfAttrName};
constexpr llvm::StringLiteral kResultAttributes[] = {kOutputAttrName,
                                                     kGradientOfAttrName};

/// Fails unless `attribute` of argument or result `number` of `op` is a name.
/// `what` is "argument" or "result".
LogicalResult verifyName(Operation* op, StringRef what, unsigned number,
                         mlir::NamedAttribute attribute) {
  auto name = llvm::dyn_cast<mlir::StringAttr>(attribute.getValue());
  if (name && !name.empty()) return success();
  return op->emitOpError() << "has '" << attribute.getName().getValue()
                           << "' = " << attribute.getValue() << " on " << what
                           << " " << number << ", which is no name";
}

/// Whether `number` is the lowest one whose attributes in `all` have `name`.
bool isFirst(ArrayRef<mlir::DictionaryAttr> all, unsigned number,
             mlir::StringAttr name) {
  return llvm::none_of(all.take_front(number), [&](mlir::DictionaryAttr each) {
    return each && each.contains(name);
  });
}

/// Whether `function` has all its arguments and results. A function of a
/// rank.program may lack some, so its names are checked together with those of
/// other ranks (WholeProgram.h).
bool isWhole(mlir::FunctionOpInterface function) {
  return llvm::isa_and_present<ModuleOp>(function->getParentOp());
}

/// Fails unless `attribute` stands on a cast between floats, and is one of the
/// two types.
LogicalResult verifyReducedIn(Operation* op, mlir::NamedAttribute attribute) {
  auto cast = llvm::dyn_cast<CastOp>(op);
  if (!cast)
    return op->emitOpError()
           << "has '" << kReducedInAttrName << "', which belongs to an nn.cast";
  Type from = mlir::getElementTypeOrSelf(cast.getInput());
  Type to = mlir::getElementTypeOrSelf(cast.getResult());
  if (llvm::isa<mlir::FloatType>(from) && llvm::isa<mlir::FloatType>(to) &&
      (isReducedBefore(op) || isReducedAfter(op)))
    return success();
  return op->emitOpError() << "has '" << kReducedInAttrName
                           << "' = " << attribute.getValue()
                           << ", and casts from " << from << " to " << to
                           << "; terms are added up in one of the two, a float";
}

}  // namespace

LogicalResult NnDialect::verifyOperationAttribute(
    Operation* op, mlir::NamedAttribute attribute) {
  if (failed(verifyKnown(op, attribute, "an op", kOpAttributes)))
    return failure();
  if (attribute.getName() == kReducedInAttrName)
    return verifyReducedIn(op, attribute);
  if (attribute.getName() != kOptimizerAttrName &&
      attribute.getName() != kTrainedByAttrName)
    return success();
  if (!llvm::isa<SgdAttr, AdamAttr, AdamWAttr>(attribute.getValue()))
    return op->emitOpError() << "has the optimizer " << attribute.getValue()
                             << "; known are #nn.sgd, #nn.adam, #nn.adamw";
  if (attribute.getName() == kTrainedByAttrName) return success();
  auto function = llvm::dyn_cast<mlir::FunctionOpInterface>(op);
  if (!function)
    return op->emitOpError()
           << "has '" << kOptimizerAttrName << "', which belongs to a function";
  TypeRange results = function.getResultTypes();
  bool isLoss =
      results.size() == 1 && llvm::isa<RankedTensorType>(results.front()) &&
      shapeOf(results.front()).empty() &&
      llvm::isa<mlir::FloatType>(
          llvm::cast<RankedTensorType>(results.front()).getElementType());
  if (isLoss) return success();
  return op->emitOpError() << "is to be minimised, but its result is not one "
                              "floating-point scalar tensor";
}

LogicalResult NnDialect::verifyRegionArgAttribute(
    Operation* op, unsigned, unsigned argument,
    mlir::NamedAttribute attribute) {
  if (failed(verifyKnown(op, attribute, "an argument", kArgumentAttributes)))
    return failure();
  auto function = llvm::dyn_cast<mlir::FunctionOpInterface>(op);
  if (!function) return success();
  if (attribute.getName() == kInputAttrName) {
    if (failed(verifyName(op, "argument", argument, attribute)))
      return failure();
    SmallVector<mlir::DictionaryAttr> all;
    function.getAllArgAttrs(all);
    if (isWhole(function) && isFirst(all, argument, attribute.getName()))
      return verifyInputNames(op, all);
    return success();
  }
  if (attribute.getName() != kBelowAttrName) return success();
  auto below = llvm::dyn_cast<mlir::IntegerAttr>(attribute.getValue());
  if (!below || !below.getType().isInteger(64) || below.getInt() < 1)
    return op->emitOpError()
           << "has '" << kBelowAttrName << "' = " << attribute.getValue()
           << " on argument " << argument << ", which is no positive i64";
  Type type = function.getArgumentTypes()[argument];
  if (hasIndices(type)) return success();
  return op->emitOpError() << "has '" << kBelowAttrName << "' on argument "
                           << argument << " of type " << type
                           << ", which holds no i32 or i64";
}

LogicalResult NnDialect::verifyRegionResultAttribute(
    Operation* op, unsigned, unsigned result, mlir::NamedAttribute attribute) {
  if (failed(verifyKnown(op, attribute, "a result", kResultAttributes)))
    return failure();
  auto function = llvm::dyn_cast<mlir::FunctionOpInterface>(op);
  if (!function || attribute.getName() != kOutputAttrName) return success();
  if (failed(verifyName(op, "result", result, attribute))) return failure();
  SmallVector<mlir::DictionaryAttr> all;
  function.getAllResultAttrs(all);
  if (isWhole(function) && isFirst(all, result, attribute.getName()))
    return verifyOutputNames(op, all);
  return success();
}

bool hasIndices(Type type) {
  auto tensor = llvm::dyn_cast<RankedTensorType>(type);
  return tensor && (tensor.getElementType().isInteger(32) ||
                    tensor.getElementType().isInteger(64));
}

}  // namespace sbp::nn
