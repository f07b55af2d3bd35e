// Parameters, and values that come from nowhere.

#include "dialects/nn/Nn.h"
#include "dialects/nn/Shapes.h"
#include "mlir/IR/TypeUtilities.h"

namespace sbp::nn {
namespace {

/// (C1) of nn.get and nn.set.
LogicalResult verifyParameterUse(Operation* op, mlir::FlatSymbolRefAttr name,
                                 Type type,
                                 mlir::SymbolTableCollection& symbols) {
  auto parameter = symbols.lookupNearestSymbolFrom<ParameterOp>(op, name);
  if (!parameter)
    return op->emitOpError()
           << "names " << name << ", which is no nn.parameter of this module";
  if (parameter.getType() == type) return success();
  mlir::InFlightDiagnostic diagnostic =
      op->emitOpError() << "uses parameter " << name << " as " << type;
  diagnostic.attachNote(parameter.getLoc())
      << "the parameter has type " << parameter.getType();
  return diagnostic;
}

}  // namespace

LogicalResult ParameterOp::verify() {
  auto type = llvm::cast<RankedTensorType>(getType());
  if (llvm::isa<NormalAttr, UniformAttr>(getInitializer()) &&
      !llvm::isa<mlir::FloatType>(type.getElementType()))
    return emitOpError() << "has element type " << type.getElementType()
                         << ", which " << getInitializer() << " does not fit";
  if (NdSbpAttr placement = NdSbpAttr::of(type))
    if (placement.hasPartial())
      return emitOpError() << "is kept as " << placement
                           << "; a parameter must not be partial";
  return success();
}

LogicalResult GetOp::verifySymbolUses(mlir::SymbolTableCollection& symbols) {
  return verifyParameterUse(*this, getNameAttr(), getResult().getType(),
                            symbols);
}

LogicalResult SetOp::verifySymbolUses(mlir::SymbolTableCollection& symbols) {
  return verifyParameterUse(*this, getNameAttr(), getValue().getType(),
                            symbols);
}

// ---- Constant ---------------------------------------------------------------

mlir::ParseResult ConstantOp::parse(mlir::OpAsmParser& parser,
                                    mlir::OperationState& result) {
  Attribute value;
  Type type;
  llvm::SMLoc location = parser.getCurrentLocation();
  if (parser.parseAttribute(value) ||
      parser.parseOptionalAttrDict(result.attributes))
    return failure();
  auto elements = llvm::dyn_cast<mlir::ElementsAttr>(value);
  if (!elements)
    return parser.emitError(location, "expected a dense tensor literal");
  type = elements.getType();
  // A placed constant says its type apart: the literal has none.
  if (succeeded(parser.parseOptionalArrow()) && parser.parseType(type))
    return failure();
  result.getOrAddProperties<Properties>().value = elements;
  result.addTypes(type);
  return success();
}

void ConstantOp::print(mlir::OpAsmPrinter& printer) {
  printer << " " << getValue();
  printer.printOptionalAttrDict(
      (*this)->getDiscardableAttrDictionary().getValue());
  if (getValue().getType() != getResult().getType())
    printer << " -> " << getResult().getType();
}

LogicalResult ConstantOp::verify() {
  if (haveSameShapes(getValue().getType(), getResult().getType()))
    return success();
  return emitOpError() << "has a literal of type " << getValue().getType()
                       << " and a result of type " << getResult().getType();
}

LoopNest ConstantOp::getLoopNest() {
  bool isSplat = getValue().isSplat();
  ArrayRef<int64_t> shape = shapeOf(getResult());
  LoopNest nest = loopsOver(
      shape, isSplat ? Loop::Kind::Parallel : Loop::Kind::Whole, /*whole=*/-1);
  nest.results.push_back(firstLoops(shape.size()));
  nest.flopsPerPoint = 0;
  return nest;
}

Operation* ConstantOp::buildLocal(OpBuilder& builder, ValueRange,
                                  TypeRange results, Shard&) {
  auto type = llvm::cast<RankedTensorType>(results.front());
  mlir::ElementsAttr value = getValue();
  if (value.isSplat())
    value =
        mlir::DenseElementsAttr::get(type, value.getSplatValue<Attribute>());
  return ConstantOp::create(builder, getLoc(), type, value);
}

// ---- Iota -------------------------------------------------------------------

LogicalResult IotaOp::verify() {
  int64_t rank = shapeOf(getResult()).size();
  int64_t dim = getDim();
  if (dim >= 0 && dim < rank) return success();
  return emitOpError() << "counts along dimension " << dim
                       << " of a tensor of rank " << rank;
}

LoopNest IotaOp::getLoopNest() {
  ArrayRef<int64_t> shape = shapeOf(getResult());
  LoopNest nest = loopsOver(shape, Loop::Kind::Parallel, /*whole=*/-1);
  nest.operands.resize(getNumOperands());
  nest.results.push_back(firstLoops(shape.size()));
  return nest;
}

Operation* IotaOp::buildLocal(OpBuilder& builder, ValueRange operands,
                              TypeRange results, Shard& shard) {
  Value start = operands.empty() ? Value() : operands.front();
  return IotaOp::create(builder, getLoc(), results.front(),
                        firstIndex(builder, getLoc(), start, getDim(), shard),
                        getDim());
}

}  // namespace sbp::nn
