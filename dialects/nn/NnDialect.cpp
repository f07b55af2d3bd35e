#include "dialects/nn/Nn.h"
#include "dialects/nn/NnDialect.cpp.inc"
#include "dialects/nn/NnEnums.cpp.inc"
#include "dialects/nn/NnIndexInterface.cpp.inc"
#include "dialects/nn/Shapes.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#define GET_ATTRDEF_CLASSES
#include "dialects/nn/NnAttrs.cpp.inc"

#define GET_OP_CLASSES
#include "dialects/nn/NnOps.cpp.inc"

namespace sbp::nn {

void NnDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/nn/NnAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/nn/NnOps.cpp.inc"
      >();
}

bool haveSameShapes(TypeRange first, TypeRange second) {
  if (first.size() != second.size()) return false;
  return llvm::all_of(llvm::zip(first, second), [](auto pair) {
    auto a = llvm::dyn_cast<RankedTensorType>(std::get<0>(pair));
    auto b = llvm::dyn_cast<RankedTensorType>(std::get<1>(pair));
    return a && b && a.getShape() == b.getShape() &&
           a.getElementType() == b.getElementType();
  });
}

LogicalResult verifyInferredTypes(Operation* op) {
  auto interface = llvm::cast<mlir::InferTypeOpInterface>(op);
  SmallVector<Type> inferred;
  if (failed(interface.inferReturnTypes(
          op->getContext(), op->getLoc(), op->getOperands(),
          op->getDiscardableAttrDictionary(), op->getPropertiesStorage(),
          op->getRegions(), inferred)))
    return failure();
  if (haveSameShapes(inferred, op->getResultTypes())) return success();
  return op->emitOpError() << "is said to give " << op->getResultTypes()
                           << ", but gives " << inferred;
}

LogicalResult NnDialect::verifyOperationAttribute(
    Operation* op, mlir::NamedAttribute attribute) {
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
  auto function = llvm::dyn_cast<mlir::FunctionOpInterface>(op);
  if (!function) return success();
  if (attribute.getName() == kInputAttrName) {
    auto name = llvm::dyn_cast<mlir::StringAttr>(attribute.getValue());
    for (unsigned other = 0; name && other < argument; ++other)
      if (function.getArgAttr(other, kInputAttrName) == name)
        return op->emitOpError() << "calls arguments " << other << " and "
                                 << argument << " both " << name;
    if (name && !name.empty()) return success();
    return op->emitOpError()
           << "has '" << kInputAttrName << "' = " << attribute.getValue()
           << " on argument " << argument << ", which is no name";
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

bool hasIndices(Type type) {
  auto tensor = llvm::dyn_cast<RankedTensorType>(type);
  return tensor && (tensor.getElementType().isInteger(32) ||
                    tensor.getElementType().isInteger(64));
}

// ---- Attributes that print as numbers in angle brackets ---------------------

namespace {

/// A named number of an attribute, or with an empty name a positional one.
struct Quantity {
  StringRef name;
  double value;
};

/// Parses `<0.02>`, `<-0.1, 0.1>`: as many numbers as `values`.
mlir::ParseResult parseNumbers(mlir::AsmParser& parser,
                               llvm::MutableArrayRef<double> values) {
  if (parser.parseLess()) return failure();
  for (size_t index = 0; index < values.size(); ++index)
    if ((index > 0 && parser.parseComma()) || parser.parseFloat(values[index]))
      return failure();
  return parser.parseGreater();
}

/// Parses `<momentum = 0.9, ...>`: any of `quantities`, in any order; nothing
/// at all is fine.
mlir::ParseResult parseQuantities(mlir::AsmParser& parser,
                                  llvm::MutableArrayRef<Quantity> quantities) {
  if (failed(parser.parseOptionalLess())) return success();
  auto parseOne = [&]() -> mlir::ParseResult {
    llvm::SMLoc location = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name) || parser.parseEqual()) return failure();
    for (Quantity& quantity : quantities)
      if (quantity.name == name) return parser.parseFloat(quantity.value);
    mlir::InFlightDiagnostic diagnostic = parser.emitError(location, "'")
                                          << name << "' is none of";
    for (const Quantity& quantity : quantities)
      diagnostic << " '" << quantity.name << "'";
    return diagnostic;
  };
  return failure(parser.parseCommaSeparatedList(parseOne) ||
                 parser.parseGreater());
}

void printNumbers(mlir::AsmPrinter& printer,
                  ArrayRef<std::pair<StringRef, llvm::APFloat>> numbers) {
  printer << "<";
  llvm::interleaveComma(numbers, printer, [&](const auto& number) {
    if (!number.first.empty()) printer << number.first << " = ";
    printer.printFloat(number.second);
  });
  printer << ">";
}

}  // namespace

Attribute NormalAttr::parse(mlir::AsmParser& parser, Type) {
  double stddev;
  if (parseNumbers(parser, stddev)) return {};
  return get(parser.getContext(), llvm::APFloat(stddev));
}

void NormalAttr::print(mlir::AsmPrinter& printer) const {
  printNumbers(printer, {{"", getStddev()}});
}

Attribute UniformAttr::parse(mlir::AsmParser& parser, Type) {
  double bounds[2];
  if (parseNumbers(parser, bounds)) return {};
  return get(parser.getContext(), llvm::APFloat(bounds[0]),
             llvm::APFloat(bounds[1]));
}

void UniformAttr::print(mlir::AsmPrinter& printer) const {
  printNumbers(printer, {{"", getLower()}, {"", getUpper()}});
}

Attribute ConstantAttr::parse(mlir::AsmParser& parser, Type) {
  double value;
  if (parseNumbers(parser, value)) return {};
  return get(parser.getContext(), llvm::APFloat(value));
}

void ConstantAttr::print(mlir::AsmPrinter& printer) const {
  printNumbers(printer, {{"", getValue()}});
}

Attribute SgdAttr::parse(mlir::AsmParser& parser, Type) {
  Quantity quantities[] = {{"momentum", 0.0}, {"weight_decay", 0.0}};
  if (parseQuantities(parser, quantities)) return {};
  return get(parser.getContext(), llvm::APFloat(quantities[0].value),
             llvm::APFloat(quantities[1].value));
}

void SgdAttr::print(mlir::AsmPrinter& printer) const {
  printNumbers(printer, {{"momentum", getMomentum()},
                         {"weight_decay", getWeightDecay()}});
}

namespace {

template <typename AdamAttribute>
Attribute parseAdam(mlir::AsmParser& parser, double weightDecay) {
  Quantity quantities[] = {{"beta1", 0.9},
                           {"beta2", 0.999},
                           {"epsilon", 1.0e-8},
                           {"weight_decay", weightDecay}};
  if (parseQuantities(parser, quantities)) return {};
  return AdamAttribute::get(
      parser.getContext(), llvm::APFloat(quantities[0].value),
      llvm::APFloat(quantities[1].value), llvm::APFloat(quantities[2].value),
      llvm::APFloat(quantities[3].value));
}

template <typename AdamAttribute>
void printAdam(mlir::AsmPrinter& printer, AdamAttribute attribute) {
  printNumbers(printer, {{"beta1", attribute.getBeta1()},
                         {"beta2", attribute.getBeta2()},
                         {"epsilon", attribute.getEpsilon()},
                         {"weight_decay", attribute.getWeightDecay()}});
}

}  // namespace

Attribute AdamAttr::parse(mlir::AsmParser& parser, Type) {
  return parseAdam<AdamAttr>(parser, 0.0);
}
void AdamAttr::print(mlir::AsmPrinter& printer) const {
  printAdam(printer, *this);
}
Attribute AdamWAttr::parse(mlir::AsmParser& parser, Type) {
  return parseAdam<AdamWAttr>(parser, 0.01);
}
void AdamWAttr::print(mlir::AsmPrinter& printer) const {
  printAdam(printer, *this);
}

}  // namespace sbp::nn
